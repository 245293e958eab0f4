/** Modules that a list holds and that something keeps from being offered for now. */
import type { Settings } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { kindOf, listenerFlags } from '../../kinds/index.js';
import type { RpcListener } from './listeners.js';
import { namesListed } from './module-lists.js';

/**
 * The list of an interface that is off, as its variable has it: the launcher passes it only together with the switch.
 * null: it is on, or no variable lists anything. `until`: what brings it, as a clause.
 */
export function listWhileOff(
  settings: Settings,
  kind: 'http' | 'ws',
): {
  readonly flag: string;
  readonly names: readonly string[];
  readonly at: Span;
  readonly until: string;
} | null {
  const listener = settings.listeners.find((one) => one.kind === kind);
  const { api, enable } = listenerFlags(settings)[kind];
  const key = settings.keys[api];
  if (listener?.state !== 'off' || typeof key?.value !== 'string' || key.at === null) return null;
  const until = listener.reason === null ? isOn(settings, enable) : 'it can listen';
  return { flag: api, names: key.value.replace(/\s/g, '').split(','), at: key.at, until };
}

/** The privileged ones that an interface lists and only a switch that is off brings, --subbridge for one. */
export function waitingForSwitch(
  settings: Settings,
  listener: RpcListener,
): { readonly name: string; readonly until: string }[] {
  const { modules } = kindOf(settings.kind);
  const isOff = (name: string) => modules.needsSwitch(name) && settings.values[name]?.value === false;
  return namesListed(settings, listener)
    .filter((name) => modules.isKnownPrivileged(name) && isOff(name))
    .map((name) => ({ name, until: isOn(settings, name) }));
}

function isOn({ keys }: Settings, flag: string): string {
  return keys[flag] === undefined ? `--${flag} is on` : `${keys[flag].name} is 1`;
}
