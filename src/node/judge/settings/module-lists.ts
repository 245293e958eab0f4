/** Module lists in settings. */
import type { Listener, Settings, SettingValue } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { canonicalModule, kindOf, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import type { RpcListener } from './listeners.js';

/** The flags whose value is a module list. */
export function moduleFlags(settings: Settings): readonly string[] {
  const { http, ws } = listenerFlags(settings);
  return [http.api, ws.api];
}

/**
 * The privileged or unknown modules that a list contains `after` a change and not `before`; none for flags that are not
 * module lists.
 */
export function newlyPrivileged(
  settings: Settings,
  flag: string,
  before: SettingValue | null | undefined,
  after: SettingValue | null | undefined,
): string[] {
  const names = (list: typeof before) =>
    String(list ?? '')
      .split(',')
      .map((name) => canonicalModule(settings, name.trim()))
      .filter((name) => name !== '');
  if (!moduleFlags(settings).includes(flag)) return [];
  const had = new Set(names(before));
  return names(after).filter((name) => !had.has(name) && kindOf(settings).modules.isPrivileged(name));
}

/** The names of a list, as their canonical names. */
export function namesListed(node: Pick<NodeIdentity, 'kind'>, { listed }: Listener): string[] {
  return [...new Set((listed ?? []).map(({ name }) => canonicalModule(node, name)))];
}

/** Modules of a listener, and listed modules of validators if the launcher was guessed or the role is validator. */
export function presumedModules(settings: Settings, listener: Listener): string[] {
  const { modules: there } = listener;
  const missing = namesListed(settings, listener).filter((name) => there?.includes(name) === false);
  return [...(there ?? []), ...kindOf(settings).modules.likely(settings, missing)];
}

/**
 * The module list of an interface that is off, from its variable: the launcher passes it only together with the switch.
 * Null if the interface is on or no variable has a list. `until`: the condition that opens it, as a clause.
 */
export function listOfClosed(
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
  const until = listener.reason === null ? whenOn(settings, enable) : 'it can listen';
  return { flag: api, names: key.value.replace(/\s/g, '').split(','), at: key.at, until };
}

/** Privileged modules that an interface lists and that need a switch that is off, such as --subbridge. */
export function modulesOffBySwitch(
  settings: Settings,
  listener: RpcListener,
): { readonly name: string; readonly until: string }[] {
  const { modules } = kindOf(settings);
  const isOff = (name: string) => modules.needsSwitch(name) && settings.values[name]?.value === false;
  return namesListed(settings, listener)
    .filter((name) => modules.isKnownPrivileged(name) && isOff(name))
    .map((name) => ({ name, until: whenOn(settings, name) }));
}

function whenOn({ keys }: Settings, flag: string): string {
  return keys[flag] === undefined ? `--${flag} is on` : `${keys[flag].name} is 1`;
}
