/** The one solver: who gets through hops that lead to each other, however they are written. */
import { groupBy } from '../../util/group-by.js';
import type { Access } from '../facts/hops.js';
import { mayBeHere } from '../facts/reach.js';
import type { Span } from '../facts/span.js';
import { isLoopbackAddress, socketOf } from './address.js';
import { only, wider } from './gate.js';
import type { Unread, WrittenHop } from './hop.js';

/** A hop where it stands. */
export interface PlacedHop extends WrittenHop {
  /** Who gets through it by its own address and gate. */
  readonly own: Access | Unread;
  /** The same for the handshakes of WebSockets; absent if it is the same. */
  readonly ownUpgrade?: Access | Unread;
  /** The place of the words that name its destination. */
  readonly place: Span;
  /** The ports that lead to it on its machine. */
  readonly ports: readonly number[];
  /** The host names of its container, which lead to it as those of its machine do; null if it runs in none. */
  readonly names: readonly string[] | null;
  /** Whether it denies hops that lead to it on loopback. */
  readonly deniesLocal: boolean;
}

/** Hops one behind the other. */
const maxChain = 8;

/** Who gets through each hop, also by way of others that lead to it. Time is linear in the hops and their joints. */
export function accessOf<T extends PlacedHop>(
  hops: readonly T[],
  ownOf: (hop: T) => Access | Unread = ({ own }) => own,
): ReadonlyMap<T, Access | Unread> {
  const leading = outersOf(hops);
  const found = new Map<T, Access | Unread>();
  const begun = new Set<T>();
  const solve = (hop: T, depth: number): Access | Unread => {
    const known = found.get(hop);
    if (known !== undefined) return known;
    const { file, line } = hop.place;
    if (begun.has(hop)) return { unread: `relays lead to each other in a circle (${file}:${line})` };
    if (depth > maxChain)
      return { unread: `more than ${maxChain} relays lead to each other (${file}:${line})` };
    begun.add(hop);
    const all = leading(hop);
    const access = all.reduce<Access | Unread>(
      (inner, outer) => (isDecided(inner) ? inner : behind(inner, outer, solve(outer, depth + 1))),
      ownOf(hop),
    );
    found.set(hop, access);
    return access;
  };
  for (const hop of hops) solve(hop, 0);
  return found;
}

/** The hops that lead to a hop and get through its gate on loopback. */
function outersOf<T extends PlacedHop>(hops: readonly T[]): (inner: T) => readonly T[] {
  const byPort = groupBy(hops, ({ to }) =>
    to !== null && 'port' in to && mayBeHere(to.host) ? to.port : null,
  );
  const bySocket = groupBy(hops, ({ to }) => (to !== null && 'socket' in to ? to.socket : null));
  return (inner) => {
    const socket = socketOf(inner.listens);
    const all =
      socket === null ? inner.ports.flatMap((port) => byPort.get(port) ?? []) : (bySocket.get(socket) ?? []);
    return [...new Set(all)].filter((outer) => {
      const isSame = outer.place.file === inner.place.file && outer.at.start === inner.at.start;
      return !isSame && isNamed(outer, inner) && !(inner.deniesLocal && isLocal(outer));
    });
  };
}

/** False where a hop leads to a container of another name. */
function isNamed({ to }: PlacedHop, { names }: PlacedHop): boolean {
  const host = to !== null && 'host' in to ? to.host : null;
  if (host === null || names === null || /[.:]/.test(host) || isLoopbackAddress(host)) return true;
  return names.includes(host);
}

function isLocal({ to }: WrittenHop): boolean {
  return to !== null && ('socket' in to || ('host' in to && isLoopbackAddress(to.host ?? '')));
}

/** Whether no hop in front changes who gets through. */
function isDecided(access: Access | Unread): boolean {
  return 'unread' in access || access.open === 'any' || (access.open === null && access.withLogin === null);
}

/** Who gets through a hop that another one leads to, whose clients seem to come from its machine. */
function behind(inner: Access | Unread, outer: PlacedHop, before: Access | Unread): Access | Unread {
  if ('unread' in inner) return inner;
  const { file, line } = outer.place;
  if ('unread' in before)
    return { unread: `${outer.program} leads to it (${file}:${line}): ${before.unread}` };
  const { open, withLogin } = before;
  return only({
    open: inner.open === null ? null : wider(inner.open, open),
    withLogin: wider(inner.withLogin, inner.withLogin === null ? withLogin : wider(open, withLogin)),
  });
}
