/** The node offers a module that its conf does not. */

import type { Settings } from '../facts/settings.js';
import { exposed } from '../judge/exposure/exposure.js';
import { advise } from '../judge/fix/fix.js';
import type { EndpointOf } from '../judge/live/live.js';
import { compareLists } from '../judge/live/module-differences.js';
import { badNode, goodNode, narrowSettings, quietSettings } from '../judge/rule/examples.js';
import type { Draft, Rule } from '../judge/rule/rule.js';
import { placeOfList } from '../judge/settings/listeners.js';
import { moduleOn } from '../kinds/index.js';

export const undeclaredModule: Rule = {
  id: 'undeclared-module',
  severity: 'high',
  title: 'The node offers a module that its conf does not list.',
  why: `A node keeps the interfaces it was started with, and admin_startHTTP and admin_startWS open others while it runs: without a list, admin_startHTTP offers every Public service (node/api_admin_network.go). So either the conf was changed and the node not restarted, or the node was changed and the conf does not say so. klay and kaia are one module; rpc is always there.`,
  fix: 'Restart the node so that it follows its conf, then find out who opened the module.',
  examples: {
    bad: badNode('http offers eth; the conf lists klay, net and web3', {}, narrowSettings),
    good: goodNode('http offers what the conf lists', quietSettings),
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

function draft(settings: Settings, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const { kind } = endpoint.endpoint;
  const module = moduleOn(settings, name);
  const base = module?.privileged === true ? module.severity : 'medium';
  return exposed(kind, endpoint.reach, {
    about: name,
    severity: base === 'critical' ? 'high' : base,
    at: { endpoint: endpoint.name },
    message: `${kind} offers ${name}, which the conf does not list: the node was not restarted, or opened at run time`,
    fix: advise('Restart the node and find out who opened the module.'),
    related: [{ at: placeOfList(settings, kind), note: 'the conf’s list' }],
    evidence: { module: name },
  });
}
