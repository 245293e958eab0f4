/** A list holds a module that should stay private, and something else keeps it from being offered for now. */

import type { Listener, Settings } from '../facts/settings.js';
import { type Fix, listPublic, namesOf } from '../judge/fix.js';
import { type ListenerOf, listenersOn, placeOfModule } from '../judge/listeners.js';
import { asked, type LiveEndpoint } from '../judge/live.js';
import { namesListed, notOffered } from '../judge/module-lists.js';
import type { Draft, Rule } from '../judge/rule.js';
import { listed } from '../judge/words.js';
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
  ofSettings: (settings) => ({
    findings: [
      ...(['http', 'ws'] as const).flatMap((kind) => ofClosed(settings, kind)),
      ...listenersOn(settings, 'http', 'ws').flatMap((listener) => ofOpen(settings, listener)),
    ],
    blindSpots: [],
  }),
  /** Listed, and seen not to be offered. */
  ofLive: (live) => {
    const endpoints = asked(live, 'http', 'ws');
    return { findings: endpoints.flatMap(ofEndpoint), blindSpots: [], applicable: endpoints.length > 0 };
  },
};

function isPrivate(name: string): boolean {
  return modules[canonicalModule(name)]?.privileged === true;
}

/** The launcher passes the list only when it also passes the switch, so the variable itself is what waits. */
function ofClosed(settings: Settings, kind: 'http' | 'ws'): Draft[] {
  const { api, enable } = listenerFlags[kind];
  const listener = settings.listeners.find((one) => one.kind === kind);
  const key = settings.keys[api];
  if (listener?.state !== 'off' || key === undefined || key.at === null || typeof key.value !== 'string')
    return [];
  const names = key.value.replace(/\s/g, '').split(',');
  const waiting = [...new Set(names)].filter(isPrivate);
  if (waiting.length === 0) return [];
  const off = settings.keys[enable]?.name;
  return [
    {
      subject: `${kind} ${waiting.join(',')}`,
      severity: 'low',
      at: key.at,
      message: `${kind} is off, but as soon as ${listener.reason === null ? `${off} is 1` : 'it can listen'} it offers ${listed(waiting)}.`,
      fix: listPublic(settings, api, names, { safety: 'safe' }),
      evidence: { interface: kind, modules: waiting },
    },
  ];
}

/** A module that another switch brings, --subbridge for one. */
function ofOpen(settings: Settings, listener: ListenerOf<'http' | 'ws'>): Draft[] {
  const { kind } = listener;
  const { api } = listenerFlags[kind];
  return namesListed(listener)
    .filter(
      (name) => modules[name]?.on === 'flag' && isPrivate(name) && settings.values[name]?.value === false,
    )
    .map((name) => {
      const key = settings.keys[name];
      const on = key === undefined ? `--${name} is on` : `${key.name} is 1`;
      const message = `${kind} lists ${name}, which the node has only when ${on}: it is then offered, and who calls it can ${modules[name]?.does}.`;
      const fix = listPublic(settings, api, namesOf(listener));
      return {
        ...draft(listener, name, message, fix),
        at: placeOfModule(settings, listener, name),
      };
    });
}

function ofEndpoint(endpoint: LiveEndpoint): Draft[] {
  const { listener, name: node } = endpoint;
  if (listener === null) return [];
  const missing = notOffered(endpoint);
  return namesListed(listener)
    .filter((name) => isPrivate(name) && missing.includes(`${listener.kind} ${name}`))
    .map((name) => {
      const message = `${listener.kind} lists ${name} and the node does not offer it: the next restart may, and who calls it can ${modules[name]?.does}.`;
      const fix: Fix = { say: `Take ${name} out of the list before the next restart.`, safety: 'unsafe' };
      const at = placeIn(listener, name);
      const related = at === null ? [] : [{ at: { endpoint: node }, note: 'not offered there' }];
      return { ...draft(listener, name, message, fix), at: at ?? { endpoint: node }, related };
    });
}

function placeIn({ listed: names }: Listener, name: string) {
  return names?.find((one) => canonicalModule(one.name) === name)?.at ?? null;
}

function draft({ kind }: Listener, name: string, message: string, fix: Fix): Omit<Draft, 'at'> {
  return { subject: `${kind} ${name}`, message, fix, evidence: { interface: kind, module: name } };
}
