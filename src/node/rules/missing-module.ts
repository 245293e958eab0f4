/** The conf lists a module that the node does not offer. */

import { advise } from '../judge/fix/fix.js';
import { compareLists } from '../judge/live/module-differences.js';
import { badNode, goodNode, quietSettings } from '../judge/rule/examples.js';
import type { Rule } from '../judge/rule/rule.js';
import { placeOfModule } from '../judge/settings/listeners.js';
import { moduleOn } from '../kinds/index.js';

export const missingModule: Rule = {
  id: 'missing-module',
  severity: 'low',
  title: 'The conf lists a module that the node does not offer.',
  why: `The node keeps the list it was started with, and some modules exist only with another flag: mainbridge, subbridge, chaindatafetcher, and auction on consensus nodes only. Clients that rely on the module fail. Modules that should stay private are latent-module’s.`,
  fix: 'Restart the node if the module is wanted; else take it out of the list.',
  examples: {
    bad: badNode(
      'the conf lists web3; http does not offer it',
      { modules: { state: 'seen', value: { eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0' } } },
      quietSettings,
    ),
    good: goodNode('http offers what the conf lists', quietSettings),
  },
  on: 'both',
  check: (settings, live) => {
    const { pairs, blindSpots } = compareLists(live);
    return {
      findings: pairs.flatMap(({ endpoint, listener, less }) =>
        less
          .filter((name) => moduleOn(settings, name)?.privileged !== true)
          .map((name) => ({
            subject: `${listener.kind} ${name}`,
            at: placeOfModule(settings, listener, name),
            message: `${listener.kind} does not offer ${name} although the conf lists it.`,
            fix: advise(`Restart the node, or take ${name} out of the list.`),
            related: [{ at: { endpoint: endpoint.name }, note: 'not offered there' }],
            evidence: { interface: listener.kind, module: name },
          })),
      ),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  },
};
