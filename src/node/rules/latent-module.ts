/** A list contains a module that should stay private and is not offered yet. */
import { joinWords } from '../../util/words.js';
import type { Listener } from '../facts/settings.js';
import { advise, listPublic, offerPublic } from '../fix/proposal/fix.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { notOffered } from '../judge/live/module-differences.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { conf, type Draft, decideVerdict, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
import { listenersOn, placeNamed, placeOfModule, type RpcListener } from '../judge/settings/listeners.js';
import { isPrivateOn, listOfClosed, modulesOffBySwitch } from '../judge/settings/module-lists.js';
import { moduleImpact } from '../kinds/impact.js';
import type { Node, NodeSettings } from '../kinds/node.js';

export const latentModule: Rule = {
  id: 'latent-module',
  severity: 'medium',
  title: 'A list contains a module that should stay private but is not offered yet.',
  why: `The node offers the module as soon as another setting changes: the interface or a bridge is switched on, or the node is restarted with a changed list. Lists copied from documentation or left by a test setup can stay unnoticed for years.`,
  fix: 'Keep only the modules that clients need in the list.',
  ignore: 'If the module is opened for maintenance only, and for trusted machines only.',
  sources: [kaia('networks/rpc/endpoints.go'), kaia('node/api_admin_network.go')],
  examples: {
    bad: conf('RPC_ENABLE=0', 'RPC_API="klay,eth,admin"'),
    good: conf('RPC_ENABLE=0', 'RPC_API="klay,eth"'),
  },
  on: 'either',
  ofSettings: (settings) =>
    decideVerdict([
      ...(['http', 'ws'] as const).flatMap((kind) => ofClosed(settings, kind)),
      ...listenersOn(settings, 'http', 'ws').flatMap((listener) => ofOpen(settings, listener)),
    ]),
  ofLive: (live) =>
    foundInEach(relevantEndpoints(live, 'http', 'ws'), {
      // pending-restart lists what a restart opens.
      findings: (one) => (live.isRestartPending ? [] : ofEndpoint(live, one)),
    }),
};

/** Of an interface that is off. */
function ofClosed(settings: NodeSettings, kind: 'http' | 'ws'): Draft[] {
  const list = listOfClosed(settings, kind);
  const names = [...new Set(list?.names)].filter(isPrivateOn(settings));
  if (list === null || names.length === 0) return [];
  const message = `${kind} is off; as soon as ${list.until}, it offers ${joinWords(names)}.`;
  const fix = listPublic(settings, list.flag, list.names, { safety: 'safe' });
  const evidence = { interface: kind, modules: names };
  return [{ subject: `${kind} ${names.join(',')}`, severity: 'low', at: list.at, message, fix, evidence }];
}

/** Of an interface that is on. A module is graver once it is offered than while it is only listed. */
function ofOpen(settings: NodeSettings, listener: RpcListener): Draft[] {
  return modulesOffBySwitch(settings, listener).map(({ name, until }) => ({
    ...draft(settings, listener, name, `the node offers it as soon as ${until}`),
    severity: 'low' as const,
    at: placeOfModule(settings, listener, name),
    fix: offerPublic(settings, listener),
  }));
}

/** Of a live interface: listed, and seen not to be offered. */
function ofEndpoint(live: Live, endpoint: LiveEndpoint): Draft[] {
  const there = { endpoint: endpoint.name };
  const names = notOffered(endpoint).filter(isPrivateOn(live));
  return names.map((name) => {
    const at = placeNamed(endpoint, endpoint.listener, name);
    return {
      ...draft(live, endpoint.endpoint, name, 'the node does not offer it now, but may after a restart'),
      at: at ?? there,
      fix: advise(`Remove ${name} from the list before the next restart.`),
      related: at === null ? [] : [{ at: there, note: 'not offered here' }],
    };
  });
}

function draft(node: Node, { kind }: Pick<Listener, 'kind'>, name: string, state: string) {
  const message = `${kind} lists ${name}; ${state}. Whoever calls it can ${moduleImpact(node, name, { kind }).does}.`;
  return { subject: `${kind} ${name}`, message, evidence: { interface: kind, module: name } };
}
