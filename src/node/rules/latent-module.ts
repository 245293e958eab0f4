/** A list holds a module that should stay private, and something else keeps it from being offered for now. */

import { listed } from '../../util/words.js';
import type { Listener, Settings } from '../facts/settings.js';
import { listPublic, namesOf } from '../judge/fix.js';
import { type ListenerOf, listenersOn, placeOfModule } from '../judge/listeners.js';
import { asked, type LiveEndpoint } from '../judge/live.js';
import { listWhileOff, namesListed, notOffered } from '../judge/module-lists.js';
import { type Draft, found, foundInEach, type Rule } from '../judge/rule.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';

export const latentModule: Rule = {
  id: 'latent-module',
  severity: 'medium',
  title: 'A list holds a module that should stay private, though it is not offered for now.',
  why: `One character, or one line appended by a script, switches an interface or a bridge on, and the list is then what is offered. A node that was not restarted since its list was changed offers the new one at the next start. Lists copied from the documentation or left by a test set-up wait like this for years.`,
  fix: 'Leave only what clients would need in the list.',
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth,admin"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  on: 'either',
  ofSettings: (settings) =>
    found([
      ...(['http', 'ws'] as const).flatMap((kind) => ofClosed(settings, kind)),
      ...listenersOn(settings, 'http', 'ws').flatMap((listener) => ofOpen(settings, listener)),
    ]),
  ofLive: (live) => foundInEach(asked(live, 'http', 'ws'), { findings: ofEndpoint }),
};

/** Of an interface that is off. */
function ofClosed(settings: Settings, kind: 'http' | 'ws'): Draft[] {
  const list = listWhileOff(settings, kind);
  const waiting = [...new Set(list?.names)].filter(isPrivate);
  if (list === null || waiting.length === 0) return [];
  const { api, enable } = listenerFlags[kind];
  const when = list.reason === null ? `${settings.keys[enable]?.name} is 1` : 'it can listen';
  return [
    {
      subject: `${kind} ${waiting.join(',')}`,
      severity: 'low',
      at: list.at,
      message: `${kind} is off, but as soon as ${when} it offers ${listed(waiting)}.`,
      fix: listPublic(settings, api, list.names, { safety: 'safe' }),
      evidence: { interface: kind, modules: waiting },
    },
  ];
}

/** Of an interface that is on: what another switch brings, --subbridge for one. */
function ofOpen(settings: Settings, listener: ListenerOf<'http' | 'ws'>): Draft[] {
  const isOff = (name: string) => modules[name]?.on === 'flag' && settings.values[name]?.value === false;
  return namesListed(listener)
    .filter((name) => isPrivate(name) && isOff(name))
    .map((name) => {
      const key = settings.keys[name];
      const on = key === undefined ? `--${name} is on` : `${key.name} is 1`;
      return {
        ...draft(listener, name, `, which the node has only when ${on}: it is then offered`),
        at: placeOfModule(settings, listener, name),
        fix: listPublic(settings, listenerFlags[listener.kind].api, namesOf(listener)),
      };
    });
}

/** Of a live interface: listed, and seen not to be offered. */
function ofEndpoint(endpoint: LiveEndpoint): Draft[] {
  const { listener, name: node } = endpoint;
  if (listener === null) return [];
  const missing = notOffered(endpoint);
  return namesListed(listener)
    .filter((name) => isPrivate(name) && missing.includes(`${listener.kind} ${name}`))
    .map((name) => {
      const at = listener.listed?.find((one) => canonicalModule(one.name) === name)?.at ?? null;
      return {
        ...draft(listener, name, ' and the node does not offer it: the next restart may'),
        at: at ?? { endpoint: node },
        fix: { say: `Take ${name} out of the list before the next restart.`, safety: 'unsafe' },
        related: at === null ? [] : [{ at: { endpoint: node }, note: 'not offered there' }],
      };
    });
}

function isPrivate(name: string): boolean {
  return modules[canonicalModule(name)]?.privileged === true;
}

function draft({ kind }: Listener, name: string, waits: string): Omit<Draft, 'at' | 'fix'> {
  return {
    subject: `${kind} ${name}`,
    message: `${kind} lists ${name}${waits}, and who calls it can ${modules[name]?.does}.`,
    evidence: { interface: kind, module: name },
  };
}
