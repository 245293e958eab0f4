/** Interfaces as the variables say them, where an unknown ADDITIONAL could still change them. */
import type { ConfFacts, Listener, Setting } from '../facts/conf.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';
import { listenersOn } from './conf.js';
import { originPlace, settingsOf } from './setting.js';

/** What is on, and what is on unless words nobody knows switch it off: `reason` then says so. */
export function likelyListeners(conf: ConfFacts, ...kinds: readonly ('http' | 'ws' | 'grpc')[]): Listener[] {
  return [
    ...listenersOn(conf, ...kinds),
    ...conf.listeners.flatMap((listener) => likely(conf, listener, kinds)),
  ];
}

function likely(conf: ConfFacts, listener: Listener, kinds: readonly string[]): Listener[] {
  const { kind } = listener;
  if (listener.state !== 'unknown' || !kinds.includes(kind) || (kind !== 'http' && kind !== 'ws')) return [];
  const { enable, addr, api, origins } = settingsOf[kind];
  if (beneath(conf, enable[0])?.value !== true) return [];
  const list = beneath(conf, api[0]);
  if (typeof list?.value !== 'string') return [];
  const at = originPlace(list.origin);
  const listed = list.value.split(',').map((name) => ({ name: name.trim(), at }));
  const host = beneath(conf, addr[0])?.value;
  return [
    {
      ...listener,
      state: 'on',
      reason: 'unless ADDITIONAL says otherwise',
      host: typeof host === 'string' ? host : null,
      listed,
      modules: listed.map(({ name }) => canonicalModule(name)).filter((name) => Object.hasOwn(modules, name)),
      origins: items(beneath(conf, origins[0])),
      vhosts: kind === 'http' ? items(beneath(conf, settingsOf.http.vhosts[0])) : null,
    },
  ];
}

/** The value an unknown word would hide; a value that is unknown by itself stays so. */
function beneath(conf: ConfFacts, flag: string): Pick<Setting, 'value' | 'origin'> | undefined {
  const setting = conf.settings[flag];
  if (setting?.indeterminate == null) return setting;
  return setting.origin.kind === 'flag' ? setting.shadowed.find(({ value }) => value !== null) : undefined;
}

function items(setting: Pick<Setting, 'value'> | undefined): string[] {
  return typeof setting?.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}
