/** The settings open an interface that refuses connections while the node is up. */
import { isRefused, notSeen } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { isUp } from '../judge/live/parts.js';
import { badNode, goodNode, quietEndpoint, quietSettings } from '../judge/rule/examples.js';
import { kaia, type Rule } from '../judge/rule/rule.js';
import { placeOfFlags } from '../judge/settings/setting.js';

const refused = notSeen('refused', 'connection refused');

export const missingInterface: Rule = {
  id: 'missing-interface',
  severity: 'medium',
  title: 'The settings open an interface on which the node does not listen.',
  why: `Another interface of the node answers, so the node is running. This interface was switched on after the start, was switched off at run time, or failed to bind. A restart would open it.`,
  fix: 'Restart the node and check its log, or switch the interface off in the settings.',
  ignore: 'If the interface was switched off at run time on purpose and the node will not restart soon.',
  sources: [kaia('node/api_admin_network.go'), kaia('node/node.go')],
  examples: {
    bad: badNode(
      'http refuses connections, ipc answers',
      { modules: refused, latencyMs: null },
      quietSettings,
      {
        endpoints: [
          { ...quietEndpoint, source: 'conf', modules: refused, latencyMs: null },
          { ...quietEndpoint, source: 'conf', endpoint: { kind: 'ipc', path: '/var/kend/data/klay.ipc' } },
        ],
      },
    ),
    good: goodNode('http answers', quietSettings),
  },
  on: 'both',
  check: (settings, live) => {
    const declared = live.endpoints.filter((one) => one.listener?.state === 'on');
    // pending-restart lists what a restart opens.
    const missing =
      isUp(live) && !live.isRestartPending ? declared.filter(({ modules }) => isRefused(modules)) : [];
    return {
      findings: missing.map(({ endpoint, name }) => ({
        subject: endpoint.kind,
        at: placeOfFlags(settings, settings.nodeKind.interfaces.flags[endpoint.kind].enable),
        message: `The settings open ${endpoint.kind}, but nothing listens at ${name}, although the node answers elsewhere.`,
        fix: advise('Restart the node.'),
        related: [{ at: { endpoint: name }, note: refused.detail }],
        evidence: { interface: endpoint.kind },
      })),
      blindSpots: [],
      applicable: declared.length > 0,
    };
  },
};
