/** An interface is off, but its list holds a module that should stay private. */
import type { ConfFacts } from '../facts/conf.js';
import { effectiveAssignment, forConf, listed } from '../judge/conf.js';
import type { Draft, Rule } from '../judge/rule.js';
import { settingsOf } from '../judge/setting.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';

export const latentModule: Rule = {
  id: 'latent-module',
  severity: 'low',
  title: 'An interface that is off lists a module that should stay private.',
  why: `One character, or one line appended by a script, switches the interface on, and the list is then what is offered. Lists copied from the documentation or left by a test set-up wait like this for years.`,
  fix: 'Leave only what clients would need in the list.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth,admin"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=0\nRPC_API="klay,eth"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forConf((conf) => ({
    findings: (['http', 'ws'] as const).flatMap((kind) => draft(conf, kind)),
    blindSpots: [],
  })),
};

/** The launcher passes the list only when it also passes the switch, so the variable itself is what waits. */
function draft(conf: ConfFacts, kind: 'http' | 'ws'): Draft[] {
  const { api, enable } = settingsOf[kind];
  const listener = conf.listeners.find((one) => one.kind === kind);
  const value = conf.variables[api[1]];
  const at = effectiveAssignment(conf, api[1])?.valueAt;
  if (listener?.state !== 'off' || value === undefined || value === null || at === undefined) return [];
  if (!conf.reads.includes(api[1])) return [];
  const names = value.replace(/\s/g, '').split(',');
  const waiting = [...new Set(names)].filter((name) => modules[canonicalModule(name)]?.privileged === true);
  if (waiting.length === 0) return [];
  const kept = names.filter((name) => !waiting.includes(name)).join(',');
  return [
    {
      subject: `${kind} ${waiting.join(',')}`,
      at,
      message: `${kind} is off, but as soon as ${enable[1]} is 1 it offers ${listed(waiting)}.`,
      fix: `${api[1]}="${kept}"`,
      evidence: { interface: kind, modules: waiting },
    },
  ];
}
