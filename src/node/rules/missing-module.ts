/** The conf lists a module that the node does not offer. */

import { compareLists } from '../judge/compare.js';
import { forBoth, nameOfEndpoint } from '../judge/live.js';
import { badNode, goodNode, quietConf } from '../judge/live-examples.js';
import type { Rule } from '../judge/rule.js';
import { placeOf, settingsOf } from '../judge/setting.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';

export const missingModule: Rule = {
  id: 'missing-module',
  severity: 'low',
  title: 'The conf lists a module that the node does not offer.',
  why: `The node keeps the list it was started with, and some modules exist only with another flag: mainbridge, subbridge, chaindatafetcher, and auction on consensus nodes only. Clients that rely on the module fail, and the next restart may open it unnoticed.`,
  fix: 'Restart the node if the module is wanted; else take it out of the list.',
  needs: ['conf', 'live'],
  examples: {
    bad: badNode(
      'the conf lists web3; http does not offer it',
      { modules: { state: 'seen', value: { eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0' } } },
      quietConf,
    ),
    good: goodNode('http offers what the conf lists', quietConf),
  },
  check: forBoth((conf, live) => {
    const { pairs, blindSpots } = compareLists(conf, live);
    return {
      findings: pairs.flatMap(({ endpoint, listener, less }) =>
        less.map((name) => {
          const { api, enable } = settingsOf[listener.kind === 'ws' ? 'ws' : 'http'];
          const written = listener.listed?.find((one) => canonicalModule(one.name) === name);
          return {
            subject: `${listener.kind} ${name}`,
            severity: modules[name]?.privileged === true ? ('medium' as const) : ('low' as const),
            at: written?.at ?? placeOf(conf, api[0], enable[0]),
            message: `${listener.kind} does not offer ${name} although the conf lists it: the next restart may open it.`,
            fix: `Restart the node, or take ${name} out of the list`,
            related: [{ at: { endpoint: nameOfEndpoint(endpoint.endpoint) }, note: 'not offered there' }],
            evidence: { interface: listener.kind, module: name },
          };
        }),
      ),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  }),
};
