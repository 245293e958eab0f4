/** The settings list a module that the node does not offer. */
import { advise } from '../judge/fix/fix.js';
import { compareLists } from '../judge/live/module-differences.js';
import { badNode, goodNode, quietSettings } from '../judge/rule/examples.js';
import type { Rule } from '../judge/rule/rule.js';
import { kaia } from '../judge/rule/sources.js';
import { placeOfModule } from '../judge/settings/listeners.js';
import { moduleOn } from '../kinds/node.js';

export const missingModule: Rule = {
  id: 'missing-module',
  severity: 'low',
  title: 'The settings list a module that the node does not offer.',
  why: `The node keeps the list it was started with, and some modules exist only together with another flag. Clients that rely on the module fail. latent-module reports modules that should stay private.`,
  fix: 'Restart the node to offer the module, or remove it from the list.',
  ignore: 'If no client uses the module.',
  sources: [kaia('networks/rpc/endpoints.go'), kaia('node/cn/backend.go')],
  examples: {
    bad: badNode(
      'the settings list web3; http does not offer it',
      { modules: { state: 'seen', value: { eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0' } } },
      quietSettings,
    ),
    good: goodNode('http offers the modules that the settings list', quietSettings),
  },
  on: 'both',
  check: (settings, live) => {
    const { pairs, blindSpots } = compareLists(live);
    // pending-restart lists what a restart opens.
    const settled = live.isRestartPending ? [] : pairs;
    return {
      findings: settled.flatMap(({ endpoint, listener, less }) =>
        less
          .filter((name) => moduleOn(settings, name)?.privileged !== true)
          .map((name) => ({
            subject: `${listener.kind} ${name}`,
            at: placeOfModule(settings, listener, name),
            message: `${listener.kind} does not offer ${name}, although the settings list it.`,
            fix: advise(`Restart the node, or remove ${name} from the list.`),
            related: [{ at: { endpoint: endpoint.name }, note: 'not offered here' }],
            evidence: { interface: listener.kind, module: name },
          })),
      ),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  },
};
