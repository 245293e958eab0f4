/** A list holds a module that should stay private, and something else keeps it from being offered for now. */
import { listed } from '../../util/words.js';
import type { Listener, Settings } from '../facts/settings.js';
import { advise, listPublic, offerPublic } from '../judge/fix/fix.js';
import { asked, type Live, type LiveEndpoint } from '../judge/live/live.js';
import { notOffered } from '../judge/live/module-differences.js';
import { conf, type Draft, found, foundInEach, type Rule } from '../judge/rule/rule.js';
import { listWhileOff, waitingForSwitch } from '../judge/settings/latent-modules.js';
import { listenersOn, placeNamed, placeOfModule, type RpcListener } from '../judge/settings/listeners.js';
import { isPrivateOn, meaning } from '../judge/settings/module-impact.js';
import type { NodeIdentity } from '../kinds/kind.js';

export const latentModule: Rule = {
  id: 'latent-module',
  severity: 'medium',
  title: 'A list holds a module that should stay private, though it is not offered for now.',
  why: `One character, or one line appended by a script, switches an interface or a bridge on, and the list is then what is offered. A node that was not restarted since its list was changed offers the new one at the next start. Lists copied from the documentation or left by a test set-up wait like this for years.`,
  fix: 'Leave only what clients would need in the list.',
  examples: {
    bad: conf('RPC_ENABLE=0', 'RPC_API="klay,eth,admin"'),
    good: conf('RPC_ENABLE=0', 'RPC_API="klay,eth"'),
  },
  on: 'either',
  ofSettings: (settings) =>
    found([
      ...(['http', 'ws'] as const).flatMap((kind) => ofClosed(settings, kind)),
      ...listenersOn(settings, 'http', 'ws').flatMap((listener) => ofOpen(settings, listener)),
    ]),
  ofLive: (live) => foundInEach(asked(live, 'http', 'ws'), { findings: (one) => ofEndpoint(live, one) }),
};

/** Of an interface that is off. */
function ofClosed(settings: Settings, kind: 'http' | 'ws'): Draft[] {
  const list = listWhileOff(settings, kind);
  const waiting = [...new Set(list?.names)].filter(isPrivateOn(settings));
  if (list === null || waiting.length === 0) return [];
  return [
    {
      subject: `${kind} ${waiting.join(',')}`,
      severity: 'low',
      at: list.at,
      message: `${kind} is off, but as soon as ${list.until} it offers ${listed(waiting)}.`,
      fix: listPublic(settings, list.flag, list.names, { safety: 'safe' }),
      evidence: { interface: kind, modules: waiting },
    },
  ];
}

/** Of an interface that is on. */
function ofOpen(settings: Settings, listener: RpcListener): Draft[] {
  return waitingForSwitch(settings, listener).map(({ name, until }) => ({
    ...draft(settings, listener, name, `, which the node has only when ${until}: it is then offered`),
    at: placeOfModule(settings, listener, name),
    fix: offerPublic(settings, listener),
  }));
}

/** Of a live interface: listed, and seen not to be offered. */
function ofEndpoint(live: Live, endpoint: LiveEndpoint): Draft[] {
  const there = { endpoint: endpoint.name };
  return notOffered(endpoint)
    .filter(isPrivateOn(live))
    .map((name) => {
      const at = placeNamed(endpoint, endpoint.listener, name);
      return {
        ...draft(live, endpoint.endpoint, name, ' and the node does not offer it: the next restart may'),
        at: at ?? there,
        fix: advise(`Take ${name} out of the list before the next restart.`),
        related: at === null ? [] : [{ at: there, note: 'not offered there' }],
      };
    });
}

function draft(node: NodeIdentity, { kind }: Pick<Listener, 'kind'>, name: string, waits: string) {
  const message = `${kind} lists ${name}${waits}, and who calls it can ${meaning(node, kind, name).does}.`;
  return { subject: `${kind} ${name}`, message, evidence: { interface: kind, module: name } };
}
