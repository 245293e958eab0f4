/** The node offers a module that its conf does not. */
import type { ConfFacts } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { EndpointFacts } from '../facts/live.js';
import { bySeverityAndReach } from '../facts/reach.js';
import { compareLists } from '../judge/compare.js';
import { forBoth, nameOfEndpoint, reachOfEndpoint } from '../judge/live.js';
import { badNode, goodNode, narrowConf, quietConf } from '../judge/live-examples.js';
import type { Draft, Rule } from '../judge/rule.js';
import { placeOf, settingsOf } from '../judge/setting.js';
import { moduleSeverity, modules } from '../kinds/kaia/modules.js';

export const undeclaredModule: Rule = {
  id: 'undeclared-module',
  severity: 'high',
  title: 'The node offers a module that its conf does not list.',
  why: `A node keeps the interfaces it was started with, and admin_startHTTP and admin_startWS open others while it runs: without a list, admin_startHTTP offers every Public service (node/api_admin_network.go). So either the conf was changed and the node not restarted, or the node was changed and the conf does not say so. klay and kaia are one module; rpc is always there.`,
  fix: 'Restart the node so that it follows its conf, then find out who opened the module.',
  needs: ['conf', 'live'],
  examples: {
    bad: badNode('http offers eth; the conf lists klay, net and web3', {}, narrowConf),
    good: goodNode('http offers what the conf lists', quietConf),
  },
  check: forBoth((conf, live, facts) => {
    const { pairs, blindSpots } = compareLists(conf, live);
    return {
      findings: pairs.flatMap(({ endpoint, more }) => more.map((name) => draft(conf, facts, endpoint, name))),
      blindSpots,
      applicable: pairs.length + blindSpots.length > 0,
    };
  }),
};

function draft(conf: ConfFacts, facts: Facts, endpoint: EndpointFacts, name: string): Draft {
  const kind = endpoint.endpoint.kind === 'ws' ? 'ws' : 'http';
  const { api, enable } = settingsOf[kind];
  const reach = reachOfEndpoint(facts, endpoint);
  const base = modules[name]?.privileged === true ? moduleSeverity(name, conf.launcher) : 'medium';
  return {
    subject: `${kind} ${name}`,
    severity: bySeverityAndReach(base === 'critical' ? 'high' : base, reach.reach),
    at: { endpoint: nameOfEndpoint(endpoint.endpoint) },
    message: `${kind} offers ${name}, which the conf does not list: the node was not restarted, or opened at run time; ${reach.because}.`,
    fix: 'Restart the node',
    related: [{ at: placeOf(conf, api[0], enable[0]), note: 'the conf’s list' }],
    evidence: { interface: kind, module: name, reach: reach.reach },
  };
}
