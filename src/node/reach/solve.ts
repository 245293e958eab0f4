/** Decides which callers get through hops that lead to each other. All formats of hops use this solver. */
import { basename } from 'node:path';
import { groupBy } from '../../util/group-by.js';
import type { Access, AccessChanges } from '../facts/hops.js';
import { mayBeHere } from '../facts/reach.js';
import { wider } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import { isLoopbackAddress, socketOf } from './address.js';
import { either, isClosed } from './gate.js';
import type { Unread, WrittenHop } from './hop.js';

/** A hop with its place, ports and own access. */
export interface PlacedHop extends WrittenHop {
  /** The callers that its own address and gate admit. */
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

/** The callers that reach a hop over other hops, and how these change requests. */
export interface Chain<T> {
  readonly access: Access;
  /** How its hops together change the node's own checks. */
  readonly changes: AccessChanges | undefined;
  /** The changes as text. */
  readonly key: string;
  /** The hop that callers connect to. */
  readonly first: T;
  /** How many hops are behind the first one. */
  readonly depth: number;
}

/** The hops of one chain, and the chains to one hop with different changes. */
const [maxDepth, maxChains] = [8, 64];

/** Returns the chains that end with each hop, one for each change. Takes time linear in the hops and their links. */
export function chainsTo<T extends PlacedHop>(
  hops: readonly T[],
  ownOf: (hop: T) => Access | Unread = ({ own }) => own,
): ReadonlyMap<T, readonly Chain<T>[] | Unread> {
  const leading = outersOf(hops);
  const found = new Map<T, readonly Chain<T>[] | Unread>();
  const begun = new Set<T>();
  const solve = (hop: T, depth: number): readonly Chain<T>[] | Unread => {
    const known = found.get(hop);
    if (known !== undefined) return known;
    const place = `(${hop.place.file}:${hop.place.line})`;
    if (begun.has(hop)) return { unread: `relays lead to each other in a circle ${place}` };
    const tooLong = { unread: `more than ${maxDepth} relays lead to each other ${place}` };
    if (depth > maxDepth) return tooLong;
    begun.add(hop);
    const own = ownOf(hop);
    const chains = 'unread' in own ? own : behindOthers(own);
    found.set(hop, chains);
    return chains;

    function behindOthers(access: Access): readonly Chain<T>[] | Unread {
      const before = new Map<string, Chain<T>>();
      for (const outer of isDecided(access) ? [] : leading(hop)) {
        const chains = solve(outer, depth + 1);
        if ('unread' in chains) {
          const { file, line } = outer.place;
          return { unread: `${outer.program} leads to it (${file}:${line}): ${chains.unread}` };
        }
        for (const one of chains) add(before, one);
      }
      const all = new Map<string, Chain<T>>();
      add(all, { ...changing(hop.changes), access, first: hop, depth: 0 });
      for (const one of before.values()) add(all, behind(access, hop, one));
      const found = [...all.values()];
      if (found.length > maxChains)
        return { unread: `more than ${maxChains} chains of relays lead to it ${place}` };
      return found.some((one) => one.depth > maxDepth) ? tooLong : found;
    }
  };
  for (const hop of hops) solve(hop, 0);
  return found;
}

/** Adds a chain. Chains with the same changes are merged into the first, which admits the callers of all. */
function add<T>(all: Map<string, Chain<T>>, one: Chain<T>): void {
  const known = all.get(one.key);
  if (known === undefined) all.set(one.key, one);
  else if (known.access !== one.access || known.depth < one.depth) {
    const depth = Math.max(known.depth, one.depth);
    all.set(one.key, { ...known, depth, access: either(known.access, one.access) });
  }
}

function changing(changes: AccessChanges | undefined): Pick<Chain<unknown>, 'changes' | 'key'> {
  return { changes, key: JSON.stringify(changes) ?? '' };
}

/** The hops that lead to a hop and that its gate admits on loopback. */
function outersOf<T extends PlacedHop>(hops: readonly T[]): (inner: T) => readonly T[] {
  const byPort = groupBy(hops, ({ to }) =>
    to !== null && 'port' in to && mayBeHere(to.host) ? to.port : null,
  );
  const bySocket = groupBy(hops, ({ to }) => (to !== null && 'socket' in to ? to.socket : null));
  // Containers may mount the folder of a socket elsewhere.
  const bySocketName = groupBy(hops, ({ to }) =>
    to !== null && 'socket' in to ? basename(to.socket) : null,
  );
  return (inner) => {
    const socket = socketOf(inner.listens);
    const all =
      socket === null
        ? inner.ports.flatMap((port) => byPort.get(port) ?? [])
        : (bySocket.get(socket) ?? bySocketName.get(basename(socket)) ?? []);
    return [...new Set(all)].filter((outer) => {
      const isSame = outer.place.file === inner.place.file && outer.at.start === inner.at.start;
      return !isSame && isNamed(outer, inner) && !(inner.deniesLocal && isLocal(outer));
    });
  };
}

/** Whether a hop may lead to this one by name: false if it names another container. */
function isNamed({ to }: PlacedHop, { names }: PlacedHop): boolean {
  const host = to !== null && 'host' in to ? to.host : null;
  if (host === null || names === null || /[.:]/.test(host) || isLoopbackAddress(host)) return true;
  return names.includes(host);
}

function isLocal({ to }: WrittenHop): boolean {
  return to !== null && ('socket' in to || ('host' in to && isLoopbackAddress(to.host ?? '')));
}

/** Whether the hops before this one cannot change its access. */
function isDecided(access: Access): boolean {
  return access.open === 'any' || isClosed(access);
}

/** Extends a chain by the hop that its last one leads to, whose gate sees all callers as clients of its own machine. */
function behind<T extends PlacedHop>(
  inner: Access,
  { changes }: T,
  { access, ...chain }: Chain<T>,
): Chain<T> {
  const { open, withLogin } = access;
  const all = wider(open, withLogin);
  const together = { ...chain.changes, ...changes };
  return {
    ...chain,
    access: inner.open === null ? { open: null, withLogin: inner.withLogin === null ? null : all } : access,
    ...changing(Object.keys(together).length === 0 ? undefined : together),
    depth: chain.depth + 1,
  };
}
