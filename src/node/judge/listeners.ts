/** Questions rules ask of what the settings open. */

import { type BlindSpot, indeterminate } from '../facts/seen.js';
import type { Listener, ListenerKind, Setting, Settings } from '../facts/settings.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { canonicalModule, modules } from '../kinds/kaia/modules.js';
import { originPlace } from './setting.js';

/** The listeners of these kinds that are on. */
export function listenersOn(settings: Settings, ...kinds: readonly ListenerKind[]): Listener[] {
  return settings.listeners.filter(({ kind, state }) => state === 'on' && kinds.includes(kind));
}

/** Why listeners of these kinds cannot be judged: one reason each. */
export function blindListeners(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return settings.listeners
    .filter(({ kind, state }) => state === 'unknown' && kinds.includes(kind))
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'whether it is on cannot be known offline'));
}

/** Why the module lists of interfaces that are on cannot be judged. */
export function blindLists(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return listenersOn(settings, ...kinds)
    .filter(({ modules }) => modules === null)
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'its module list cannot be known offline'));
}

/** What is on, and what is on unless words nobody knows switch it off: `reason` then says so. */
export function likelyListeners(
  settings: Settings,
  ...kinds: readonly ('http' | 'ws' | 'grpc')[]
): Listener[] {
  return [
    ...listenersOn(settings, ...kinds),
    ...settings.listeners.flatMap((listener) => likely(settings, listener, kinds)),
  ];
}

function likely(settings: Settings, listener: Listener, kinds: readonly string[]): Listener[] {
  const { kind } = listener;
  if (listener.state !== 'unknown' || !kinds.includes(kind) || (kind !== 'http' && kind !== 'ws')) return [];
  const { enable, addr, api, origins } = listenerFlags[kind];
  if (beneath(settings, enable)?.value !== true) return [];
  const list = beneath(settings, api);
  if (typeof list?.value !== 'string') return [];
  const at = originPlace(list.origin);
  const listed = list.value.split(',').map((name) => ({ name: name.trim(), at }));
  const host = beneath(settings, addr)?.value;
  return [
    {
      ...listener,
      state: 'on',
      reason:
        settings.source.kind === 'conf'
          ? 'unless ADDITIONAL says otherwise'
          : 'unless what is filled in says otherwise',
      host: typeof host === 'string' ? host : null,
      listed,
      modules: listed.map(({ name }) => canonicalModule(name)).filter((name) => Object.hasOwn(modules, name)),
      origins: items(beneath(settings, origins)),
      vhosts: kind === 'http' ? items(beneath(settings, listenerFlags.http.vhosts)) : null,
    },
  ];
}

/** The value an unknown word would hide; a value that is unknown by itself stays so. */
function beneath(settings: Settings, flag: string): Pick<Setting, 'value' | 'origin'> | undefined {
  const setting = settings.values[flag];
  if (setting?.indeterminate == null) return setting;
  return setting.origin.kind === 'flag' ? setting.shadowed.find(({ value }) => value !== null) : undefined;
}

function items(setting: Pick<Setting, 'value'> | undefined): string[] {
  return typeof setting?.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}
