/** An interface is off, but its list holds a module that should stay private. */

import type { Settings } from '../facts/settings.js';
import { listPublic } from '../judge/fix.js';
import type { Draft, Rule } from '../judge/rule.js';
import { listed } from '../judge/words.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';

export const latentModule: Rule = {
  id: 'latent-module',
  severity: 'low',
  title: 'An interface that is off lists a module that should stay private.',
  why: `One character, or one line appended by a script, switches the interface on, and the list is then what is offered. Lists copied from the documentation or left by a test set-up wait like this for years.`,
  fix: 'Leave only what clients would need in the list.',
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth,admin"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  on: 'settings',
  check: (settings) => ({
    findings: (['http', 'ws'] as const).flatMap((kind) => draft(settings, kind)),
    blindSpots: [],
  }),
};

/** The launcher passes the list only when it also passes the switch, so the variable itself is what waits. */
function draft(settings: Settings, kind: 'http' | 'ws'): Draft[] {
  const { api, enable } = listenerFlags[kind];
  const listener = settings.listeners.find((one) => one.kind === kind);
  const key = settings.keys[api];
  if (listener?.state !== 'off' || key === undefined || key.at === null || typeof key.value !== 'string')
    return [];
  const names = key.value.replace(/\s/g, '').split(',');
  const waiting = [...new Set(names)].filter((name) => modules[canonicalModule(name)]?.privileged === true);
  if (waiting.length === 0) return [];
  const off = settings.keys[enable]?.name;
  return [
    {
      subject: `${kind} ${waiting.join(',')}`,
      at: key.at,
      message: `${kind} is off, but as soon as ${listener.reason === null ? `${off} is 1` : 'it can listen'} it offers ${listed(waiting)}.`,
      fix: listPublic(settings, api, names, { safety: 'safe' }),
      evidence: { interface: kind, modules: waiting },
    },
  ];
}
