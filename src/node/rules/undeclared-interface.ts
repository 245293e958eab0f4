/** An interface answers although the conf keeps it closed. */

import { bySeverityAndReach } from '../facts/reach.js';
import { advise } from '../judge/fix.js';
import { isOpen } from '../judge/live.js';
import { badNode, closedSettings, goodNode, quietSettings } from '../judge/live-examples.js';
import type { Draft, Rule } from '../judge/rule.js';
import { placeOf } from '../judge/setting.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
export const undeclaredInterface: Rule = {
  id: 'undeclared-interface',
  severity: 'high',
  title: 'An interface is open that the conf keeps closed.',
  why: `Closing an interface in the conf closes nothing until the node restarts, and whoever reaches admin (over IPC always) can open http and ws while it runs, with any module list (node/api_admin_network.go). What looks closed on paper is then open to the network.`,
  fix: 'Restart the node, or find out what else answers on that port.',
  examples: {
    bad: badNode('RPC_ENABLE=0, yet http answers', {}, closedSettings),
    good: goodNode('http is on in the conf and on the node', quietSettings),
  },
  on: 'both',
  check: (settings, live) => {
    const closed = live.endpoints.filter((one) => one.listener?.state === 'off');
    const ports = live.metrics.filter(({ listener }) => listener?.state === 'off');
    const open = closed.filter(isOpen).map((endpoint): Draft => {
      const { kind } = endpoint.endpoint;
      const { reach } = endpoint;
      return {
        subject: kind,
        severity: bySeverityAndReach('high', reach.reach),
        at: { endpoint: endpoint.name },
        message: `${kind} answers although the conf keeps it closed; ${reach.because}.`,
        fix: advise('Restart the node, or find out what else answers there.'),
        related: [{ at: placeOf(settings, listenerFlags[kind].enable), note: 'closed by the conf' }],
        evidence: { interface: kind, reach: reach.reach },
      };
    });
    const served = ports
      .filter(({ metrics }) => metrics.state === 'seen' && metrics.value === 'open')
      .map((port): Draft => {
        const { kind, reach } = port;
        return {
          subject: kind,
          severity: bySeverityAndReach('medium', reach.reach),
          at: { endpoint: port.url },
          message: `${kind} are served although the conf keeps the port closed; ${reach.because}.`,
          fix: advise('Restart the node, or find out what else answers there.'),
          related: [{ at: placeOf(settings, listenerFlags[kind].enable), note: 'closed by the conf' }],
        };
      });
    return { findings: [...open, ...served], blindSpots: [], applicable: closed.length + ports.length > 0 };
  },
};
