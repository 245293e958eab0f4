/** The settings list a module that the node does not offer. */
import { joinWords } from '../../util/words.js';
import { advise } from '../fix/proposal/fix.js';
import { compareLists } from '../judge/live/module-differences.js';
import { badNode, goodNode, quietSettings } from '../judge/rule/examples.js';
import { kaia, type Rule } from '../judge/rule/rule.js';
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
      findings: settled.flatMap(({ endpoint, listener, less }) => {
        const modules = less.filter((name) => moduleOn(settings, name)?.privileged !== true);
        const [first, ...others] = modules;
        if (first === undefined) return [];
        const names = joinWords(modules);
        return {
          // A node that offers another list than that of its settings has one cause.
          subject: `${listener.kind} ${others.length === 0 ? first : 'modules'}`,
          at: placeOfModule(settings, listener, first),
          message: `${listener.kind} does not offer ${names}, although the settings list ${others.length === 0 ? 'it' : 'them'}.`,
          fix: advise(`Restart the node, or remove ${names} from the list.`),
          related: [{ at: { endpoint: endpoint.name }, note: 'not offered here' }],
          evidence: { interface: listener.kind, module: first, modules },
        };
      }),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  },
};
