/** The conf opens an interface that refuses connections while the node is up. */
import { isRefused, notSeen } from '../facts/seen.js';
import { isUp } from '../judge/compare.js';
import { forBoth, listenerOf, nameOfEndpoint } from '../judge/live.js';
import { badNode, goodNode, quietConf, quietEndpoint } from '../judge/live-examples.js';
import type { Rule } from '../judge/rule.js';
import { placeOf, settingsOf } from '../judge/setting.js';

const refused = notSeen('refused', 'connection refused');

export const missingInterface: Rule = {
  id: 'missing-interface',
  severity: 'medium',
  title: 'The conf opens an interface that nobody listens on.',
  why: `Another interface of the node answers, so it runs; this one was switched on later, switched off at run time, or failed to bind. The conf does not describe the node, and a restart will open the interface.`,
  fix: 'Restart the node and look into its log; or switch the interface off in the conf.',
  needs: ['conf', 'live'],
  examples: {
    bad: badNode('http refuses connections, ipc answers', { modules: refused, latencyMs: null }, quietConf, {
      endpoints: [
        { ...quietEndpoint, source: 'conf', modules: refused, latencyMs: null },
        { ...quietEndpoint, source: 'conf', endpoint: { kind: 'ipc', path: '/var/kend/data/klay.ipc' } },
      ],
    }),
    good: goodNode('http answers', quietConf),
  },
  check: forBoth((conf, live, facts) => {
    const declared = live.endpoints.filter((one) => listenerOf(facts, one)?.state === 'on');
    const missing = isUp(live) ? declared.filter(({ modules }) => isRefused(modules)) : [];
    return {
      findings: missing.map(({ endpoint }) => ({
        subject: endpoint.kind,
        at: placeOf(conf, settingsOf[endpoint.kind].enable[0]),
        message: `The conf opens ${endpoint.kind}, but nobody listens at ${nameOfEndpoint(endpoint)} while the node answers elsewhere.`,
        fix: 'Restart the node',
        related: [{ at: { endpoint: nameOfEndpoint(endpoint) }, note: refused.detail }],
        evidence: { interface: endpoint.kind },
      })),
      blindSpots: [],
      applicable: declared.length > 0,
    };
  }),
};
