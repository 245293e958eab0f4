/** An interface answers although no settings open it. */

import { bySeverityAndReach } from '../facts/reach.js';
import { mostSevere, type Severity } from '../facts/severity.js';
import { advise } from '../judge/fix/fix.js';
import { isOpen, offeredModules } from '../judge/live/answers.js';
import { blindToSocket } from '../judge/live/blind-spots.js';
import type { Live, LiveEndpoint, LivePort } from '../judge/live/live.js';
import { badNode, closedSettings, goodNode, quietSettings } from '../judge/rule/examples.js';
import type { Draft, Rule } from '../judge/rule/rule.js';
import { moduleOn } from '../kinds/index.js';

export const undeclaredInterface: Rule = {
  id: 'undeclared-interface',
  severity: 'high',
  title: 'An interface is open that no settings open.',
  why: `Closing an interface in the conf closes nothing until the node restarts, and whoever reaches admin (over IPC always) can open http and ws on any port while it runs, with any module list (node/api_admin_network.go): neither the conf nor the command line shows it. What looks closed on paper is then open to the network. It is as severe as what it offers, and to whom.`,
  fix: 'Restart the node, or find out what else answers on that port.',
  examples: {
    bad: badNode('RPC_ENABLE=0, yet http answers', {}, closedSettings),
    good: goodNode('http is on in the conf and on the node', quietSettings),
  },
  on: 'live',
  check: (live) => {
    const endpoints = live.endpoints.filter((one) => isOpen(one) && isUndeclared(one, one.listener));
    const ports = live.metrics.filter(({ listener, metrics }) => {
      return listener?.state === 'off' && metrics.state === 'seen' && metrics.value === 'open';
    });
    return {
      findings: [...endpoints.map((one) => ofEndpoint(one, live)), ...ports.map((one) => ofPort(one))],
      blindSpots: live.sockets
        .filter(({ use }) => use === 'unknown')
        .map((one) => blindToSocket(one, live.process)),
      applicable: live.sockets.length + live.endpoints.length > 0,
    };
  },
};

/** Kept closed by the settings, or a socket of the process that none of them open. */
function isUndeclared({ source }: LiveEndpoint, listener: LiveEndpoint['listener']): boolean {
  return listener === null ? source === 'process' : listener.state === 'off';
}

function ofEndpoint(endpoint: LiveEndpoint, live: Live): Draft {
  const { name, source, listener, started } = endpoint;
  const { kind } = endpoint.endpoint;
  const modules = offeredModules(endpoint).filter((module) => module !== 'rpc');
  const opener = started ? 'the command line opens and the conf does not' : 'no settings open';
  const where =
    listener === null ? `answers at ${name}, which ${opener}` : 'answers although the conf keeps it closed';
  const what = modules.length === 0 ? '' : ` and offers ${modules.join(', ')}`;
  const worst = mostSevere(['medium', ...modules.map((one) => moduleOn(live, one)?.severity ?? 'info')]);
  const open = draft(endpoint, kind, name, { says: where + what, worst, evidence: { source, modules } });
  return listener === null ? { ...open, subject: name } : open;
}

function ofPort(port: LivePort): Draft {
  const says = 'are served although the conf keeps the port closed';
  return draft(port, port.kind, port.url, { says, worst: 'medium', evidence: {} });
}

/** As severe as what it offers, and to whom; with the line that keeps it closed, where there is one. */
function draft(
  { listener, switchedAt, reach: { reach, because, by } }: LiveEndpoint | LivePort,
  kind: string,
  endpoint: string,
  { says, worst, evidence }: { says: string; worst: Severity; evidence: object },
): Draft {
  const closed = listener?.state === 'off' && switchedAt !== null;
  return {
    subject: kind,
    severity: bySeverityAndReach(worst, reach),
    at: { endpoint },
    message: `${kind} ${says}; ${because}.`,
    fix: advise('Restart the node, or find out what else answers there.'),
    ...(closed ? { related: [{ at: switchedAt, note: 'closed by the conf' }] } : {}),
    evidence: { interface: kind, reach, ...evidence, reachBy: by },
  };
}
