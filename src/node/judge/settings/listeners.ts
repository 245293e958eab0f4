/** Questions rules ask of what the settings open. */

import { letsEveryoneIn, originsOf } from '../../facts/access.js';
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import type { Listener, ListenerKind, Settings } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { canonicalModule, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { placeOf } from './setting.js';

/** A listener of one of these kinds. */
export type ListenerOf<K extends ListenerKind> = Listener & { readonly kind: K };
/** One that has a module list. */
export type RpcListener = ListenerOf<'http' | 'ws'>;

/** True when it is of one of these kinds. */
export function isOf<K extends ListenerKind>(
  listener: Listener,
  kinds: readonly K[],
): listener is ListenerOf<K> {
  return (kinds as readonly ListenerKind[]).includes(listener.kind);
}

/** The listeners of these kinds that are on. */
export function listenersOn<K extends ListenerKind>(
  settings: Settings,
  ...kinds: readonly K[]
): ListenerOf<K>[] {
  return settings.listeners.filter((one): one is ListenerOf<K> => one.state === 'on' && isOf(one, kinds));
}

/** Why listeners of these kinds cannot be judged: one reason each. */
export function blindListeners(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return settings.listeners
    .filter(({ kind, state }) => state === 'unknown' && kinds.includes(kind))
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'whether it is on cannot be known offline'));
}

/** Why the module lists of interfaces that are on cannot be judged. */
function blindLists(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return listenersOn(settings, ...kinds)
    .filter(({ modules }) => modules === null)
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'its module list cannot be known offline'));
}

/** Why it is not known which addresses they listen on. */
export function blindBinds(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return [
    ...blindListeners(settings, ...kinds),
    ...listenersOn(settings, ...kinds)
      .filter(({ host }) => host === null)
      .map(({ kind, reason }) => indeterminate(kind, reason ?? 'its address cannot be known offline')),
  ];
}

/** Why what these interfaces offer cannot be judged: whether they are on, or their module lists, are not known. */
export function blindOffers(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return [...blindListeners(settings, ...kinds), ...blindLists(settings, ...kinds)];
}

/** Whether a listener's lists let everyone in; null: it has no such list, or it is not known. */
export function letsStrangersIn(listener: Listener): {
  readonly anyOrigin: boolean | null;
  readonly anyHost: boolean | null;
} {
  const { origins, vhosts } = listener;
  return {
    anyOrigin: origins?.some((one) => letsEveryoneIn(originsOf(listener), one)) ?? null,
    anyHost: vhosts?.some((one) => letsEveryoneIn('vhosts', one)) ?? null,
  };
}

/** Where the module list of an interface stands; where there is none, what switches the interface on. */
export function placeOfList(settings: Settings, kind: 'http' | 'ws' | 'grpc'): Span {
  const flags = listenerFlags(settings)[kind];
  return placeOf(settings, ...('api' in flags ? [flags.api] : []), flags.enable);
}

/** Where it stands who reaches an interface: what a container publishes, the address, or what switches it on. */
export function placeOfBind(settings: Settings, { kind, container }: Listener): Span {
  const flags = listenerFlags(settings)[kind];
  const addr = 'addr' in flags ? [flags.addr] : [];
  return container?.published?.at ?? placeOf(settings, ...addr, flags.enable);
}

/** Where a listener's list names a module; null where it does not. */
export function placeNamed(
  node: Pick<NodeIdentity, 'kind'>,
  listener: Listener | null,
  name: string,
): Span | null {
  return listener?.listed?.find((one) => canonicalModule(node, one.name) === name)?.at ?? null;
}

/** Where a module of an interface's list stands; where it does not, the list, or what switches the interface on. */
export function placeOfModule(
  settings: Settings,
  listener: ListenerOf<'http' | 'ws' | 'grpc'>,
  name: string,
): Span {
  return placeNamed(settings, listener, name) ?? placeOfList(settings, listener.kind);
}
