/** Questions about the interfaces that settings open. */
import { joinFirst } from '../../../util/words.js';
import { isWildcard, originsOf } from '../../facts/access.js';
import { publishedBy, reachByRelays } from '../../facts/reach.js';
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import {
  isLocal,
  type Listener,
  type ListenerKind,
  type LocalKind,
  type Settings,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { canonicalModule, type Node, type NodeSettings } from '../../kinds/node.js';
import { placeOfFlags } from './setting.js';

export type ListenerOf<K extends ListenerKind> = Listener & { readonly kind: K };
export type RpcListener = ListenerOf<'http' | 'ws'>;

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

/** The listeners of these kinds that are on, and the local sockets that a relay opens to others than their users. */
export function callableOn<K extends ListenerKind>(
  settings: Settings,
  ...kinds: readonly K[]
): ListenerOf<K | LocalKind>[] {
  return listenersOn<K | LocalKind>(settings, ...kinds, 'ipc', 'engine-ipc').filter(
    (one) => isOf(one, kinds) || isRelayed(one),
  );
}

/** Whether it is a local socket that callers without a login reach through a relay. */
export function isRelayed(listener: Listener): boolean {
  return isLocal(listener.kind) && reachByRelays(listener).length > 0;
}

/** Blind spots for listeners whose state is unknown. */
export function listenerBlindSpots(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return settings.listeners
    .filter((one) => one.state === 'unknown' && (kinds.includes(one.kind) || isRelayed(one)))
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'whether it is on cannot be resolved offline'));
}

/** Blind spots for interfaces whose state or address is unknown. */
export function bindBlindSpots(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return partBlindSpots(settings, kinds, 'host', 'its address cannot be resolved offline');
}

/** Blind spots for interfaces whose state or module list is unknown. */
export function moduleListBlindSpots(settings: Settings, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return partBlindSpots(settings, kinds, 'modules', 'its module list cannot be resolved offline');
}

/** Blind spots for interfaces whose state or this part is unknown; `usual`: the reason where no setting of it is. */
function partBlindSpots(
  settings: Settings,
  kinds: readonly ListenerKind[],
  part: 'host' | 'modules',
  usual: string,
): BlindSpot[] {
  const blind = listenersOn(settings, ...kinds).filter((one) => one[part] === null);
  return [
    ...listenerBlindSpots(settings, ...kinds),
    ...blind.map(({ kind, reason, decidedBy }) => {
      const unknown = decidedBy.flatMap((flag) => settings.values[flag]?.indeterminate ?? []);
      return indeterminate(kind, reason ?? (joinFirst([...new Set(unknown)], 3) || usual));
    }),
  ];
}

/** Whether the access lists of a listener match every caller; null if there is no such list, or it is not known. */
export function wildcardsOf(listener: Listener): {
  readonly anyOrigin: boolean | null;
  readonly anyHost: boolean | null;
} {
  const { origins, vhosts } = listener;
  return {
    anyOrigin: origins?.some((one) => isWildcard(originsOf(listener), one)) ?? null,
    anyHost: vhosts?.some((one) => isWildcard('vhosts', one)) ?? null,
  };
}

/** The place of an interface's module list, or else of its switch. */
export function placeOfList(settings: NodeSettings, kind: 'http' | 'ws' | 'grpc'): Span {
  const { api, enable } = settings.nodeKind.interfaces.flags[kind];
  return placeOfFlags(settings, api, enable);
}

/** The place that decides who reaches an interface: the published port, the address, or else the switch. */
export function placeOfBind(settings: NodeSettings, listener: Listener): Span {
  const { kind, boundBy } = listener;
  const flags = settings.nodeKind.interfaces.flags[kind];
  return publishedBy(listener)?.at ?? placeOfFlags(settings, boundBy ?? flags.addr, flags.enable);
}

/** The place of a module in a listener's list; null if it is not listed. */
export function placeNamed(
  node: Pick<Node, 'nodeKind'>,
  listener: Listener | null,
  name: string,
): Span | null {
  return listener?.listed?.find((one) => canonicalModule(node, one.name) === name)?.at ?? null;
}

/** The place of a module in an interface's list, or else of the list or the switch. */
export function placeOfModule(
  settings: NodeSettings,
  listener: ListenerOf<'http' | 'ws' | 'grpc'>,
  name: string,
): Span {
  return placeNamed(settings, listener, name) ?? placeOfList(settings, listener.kind);
}
