/** Module lists in settings. */
import { type Listener, type Settings, type SettingValue, spanOf } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { isSwitched, moduleImpact, type OfferedOn } from '../../kinds/impact.js';
import type { Kind, KindListeners } from '../../kinds/kind.js';
import { canonicalModule, moduleOn, type Node, type NodeSettings } from '../../kinds/node.js';
import type { RpcListener } from './listeners.js';

/** The flags whose value is a module list. */
export function moduleFlags({ interfaces }: KindListeners): readonly string[] {
  const { http, ws } = interfaces.flags;
  return [http.api, ws.api].filter((flag) => flag !== null);
}

/**
 * The privileged or unknown modules that a list contains `after` a change and not `before`; none for flags that are not
 * module lists.
 */
export function newlyPrivileged(
  kind: Kind,
  flag: string,
  before: SettingValue | null | undefined,
  after: SettingValue | null | undefined,
): string[] {
  const names = (list: typeof before) =>
    String(list ?? '')
      .split(',')
      .map((name) => kind.modules.canonical(name.trim()))
      .filter((name) => name !== '');
  if (!moduleFlags(kind).includes(flag)) return [];
  const had = new Set(names(before));
  return names(after).filter((name) => !had.has(name) && kind.modules.isPrivileged(name));
}

/** The names of a list, as their canonical names. */
export function namesListed(node: Pick<Node, 'nodeKind'>, { listed }: Listener): string[] {
  return [...new Set((listed ?? []).map(({ name }) => canonicalModule(node, name)))];
}

/** Modules that a listener offers for sure: a listed one that may not exist hides none of the others. */
export function sureModules(settings: NodeSettings, listener: Listener): readonly string[] {
  const { launcher, values, nodeKind } = settings;
  if (listener.modules !== null) return listener.modules;
  const { sure } = nodeKind.modules.existing(launcher, values);
  // A local socket has no list: it offers whatever exists.
  if (listener.listed === null) return listener.kind === 'ipc' ? sure : [];
  return namesListed(settings, listener).filter((name) => sure.includes(name));
}

/** Modules of a listener, and listed modules of validators if the launcher was guessed or the role is validator. */
export function presumedModules(settings: NodeSettings, listener: Listener): string[] {
  const there = sureModules(settings, listener);
  const missing =
    listener.modules === null ? [] : namesListed(settings, listener).filter((name) => !there.includes(name));
  return [...there, ...settings.nodeKind.modules.likely(settings, missing)];
}

/**
 * The module list of an interface that is off, of the start or else of its variable, which the launcher passes only with the
 * switch. Null if the interface is on or has no list. `until`: the condition that opens it, as a clause.
 */
export function listOfClosed(
  settings: NodeSettings,
  kind: 'http' | 'ws',
): {
  readonly flag: string;
  readonly names: readonly string[];
  readonly at: Span;
  readonly until: string;
} | null {
  const listenerOf = (kind: 'http' | 'ws') => settings.listeners.find((one) => one.kind === kind);
  const listener = listenerOf(kind);
  const { flags } = settings.nodeKind.interfaces;
  const { api, enable } = flags[kind];
  const other = kind === 'http' ? 'ws' : 'http';
  // One list of both is that of the one that is on.
  const isShared = flags[other].api === api && (listenerOf(other)?.state ?? 'off') !== 'off';
  if (api === null || enable === null || isShared) return null;
  const given = settings.values[api];
  const [key, at] = [settings.keys[api], spanOf(given?.origin)];
  const list = at === null ? key?.value : given?.value;
  const place = at ?? key?.at ?? null;
  if (listener?.state !== 'off' || typeof list !== 'string' || place === null) return null;
  const until = listener.reason === null ? whenOn(settings, enable) : 'it can listen';
  return { flag: api, names: list.replace(/\s/g, '').split(','), at: place, until };
}

/** Privileged modules that an interface lists and that need a switch that is off, such as --subbridge. */
export function modulesOffBySwitch(
  settings: NodeSettings,
  listener: RpcListener,
): { readonly name: string; readonly until: string }[] {
  const { modules } = settings.nodeKind;
  return namesListed(settings, listener).flatMap((name) => {
    const flag = modules.isKnownPrivileged(name) ? modules.switchOf(name) : null;
    const isOff = flag !== null && settings.values[flag]?.value === false;
    return isOff ? [{ name, until: whenOn(settings, flag) }] : [];
  });
}

function whenOn({ keys }: Settings, flag: string): string {
  return keys[flag] === undefined ? `--${flag} is on` : `${keys[flag].name} is 1`;
}

/** A test for modules that should stay private on this node. */
export function isPrivateOn(node: Node): (name: string) => boolean {
  return (name) => moduleOn(node, name)?.privileged === true;
}

/** The modules that should stay private on an interface, without those that unsafe-debug reports. */
export function privilegedOf(node: Node, names: readonly string[], on: OfferedOn): string[] {
  return names.filter((name) => !isSwitched(node, name, on) && moduleImpact(node, name, on).privileged);
}

/** Unknown modules on an unknown kind of node; unknown-module reports those of known kinds. */
export function unknownModules(node: Node, names: readonly string[]): string[] {
  return node.nodeKind !== null ? [] : names.filter((name) => moduleOn(node, name) === null);
}
