/** The node offers a module that its settings do not list. */

import { advise } from '../fix/proposal/fix.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { compareLists } from '../judge/live/module-differences.js';
import type { EndpointOf } from '../judge/live/parts.js';
import { badNode, goodNode, narrowSettings, quietSettings } from '../judge/rule/examples.js';
import { type Draft, kaia, type Rule } from '../judge/rule/rule.js';
import { placeOfList } from '../judge/settings/listeners.js';
import { moduleImpact } from '../kinds/impact.js';
import type { NodeSettings } from '../kinds/node.js';

export const undeclaredModule: Rule = {
  id: 'undeclared-module',
  severity: 'high',
  title: 'The node offers a module that its settings do not list.',
  why: `A node keeps the interfaces it was started with, and admin methods can open others at run time. Either the settings changed and the node was not restarted, or the node was changed at run time and the settings do not show it.`,
  fix: 'Restart the node so that it follows its settings, then find out who added the module.',
  ignore: 'If an operator opened the module on purpose and will close it; set until= to that date.',
  sources: [kaia('node/api_admin_network.go'), kaia('networks/rpc/endpoints.go')],
  examples: {
    bad: badNode('http offers eth; the settings list klay, net and web3', {}, narrowSettings),
    good: goodNode('http offers the modules that the settings list', quietSettings),
  },
  on: 'both',
  check: (settings, live) => {
    const { pairs, blindSpots } = compareLists(live);
    return {
      findings: pairs.flatMap(({ endpoint, more }) => more.map((name) => draft(settings, endpoint, name))),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  },
};

function draft(settings: NodeSettings, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const { kind } = endpoint.endpoint;
  const module = moduleImpact(settings, name, { kind });
  const base = module.privileged ? module.severity : 'medium';
  return exposureDraft(kind, endpoint.reach, {
    about: name,
    severity: base === 'critical' ? 'high' : base,
    at: { endpoint: endpoint.name },
    message: `${kind} offers ${name}, which the settings do not list: the node was not restarted after a change, or the module was added at run time`,
    fix: advise('Restart the node and find out who added the module.'),
    related: [{ at: placeOfList(settings, kind), note: 'the list in the settings' }],
    evidence: { module: name },
  });
}
