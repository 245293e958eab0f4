/** Which callers a gate lets through, where its hop stands. */

import { oncePerKey } from '../../util/once-per.js';
import { type Access, type Destination, openTo } from '../facts/hops.js';
import { mayBeHere, reachOfClients, reachOfHost } from '../facts/reach.js';
import { narrower, type Reach, reaches, wider } from '../facts/severity.js';
import { isLoopbackAddress } from './address.js';
import type { Gate, GatedHop, Rules, Step, Unread } from './hop.js';

/** Where a proxy runs. */
export interface Where {
  /** The reach of an address that it listens on, `[::]:80` or `80`; null if no client gets there. */
  readonly reachOf: (listens: string) => Reach | null;
  /** The reach of clients with these addresses, as the proxy sees them; null if no client has one. */
  readonly reachOfClients: (clients: readonly string[]) => Reach | null;
  /** The ports of the machine that lead to an address that it listens on, besides its own. */
  readonly portsOf: (listens: string) => readonly number[];
  /** The host names that lead to it; null for those of the machine. */
  readonly names: readonly string[] | null;
}

/** On a machine, in no container. */
export const onMachine: Where = { reachOf: reachOfAddress, reachOfClients, portsOf: () => [], names: null };

function reachOfAddress(listens: string): Reach {
  if (isLoopbackAddress(listens)) return 'loopback';
  return reachOfHost(/^\d+$/.test(listens) ? '' : listens.replace(/:[\d-]*$/, '')).reach;
}

const closed = openTo(null);
export const denied: Step = { does: 'deny', clients: null };
export const login: Step = { does: 'login', clients: null };

/** The gate that admits whom all of these admit. */
export function allOf(gates: readonly Gate[]): Gate {
  const unread = gates.find((one) => 'unread' in one);
  return unread ?? gates.flatMap((one) => ('unread' in one ? [] : one));
}

/** The list that admits these clients alone. */
export function listOf(clients: readonly string[]): Rules {
  return [{ does: 'admit', clients }, denied];
}

/** The addresses of private networks. */
export const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

/** The addresses that a gate admits, as people write them: " to 10.0.0.0/8"; empty if it names none. */
export function clientsIn(gate: Gate): string {
  const named = ('unread' in gate ? [] : gate.flat()).flatMap(({ does, clients }) =>
    does !== 'admit' || clients === null ? [] : clients === privateNetworks ? 'the private network' : clients,
  );
  return named.length === 0 ? '' : ` to ${named.join(',')}`;
}

export function accessThrough(
  { gate, listens }: Pick<GatedHop, 'gate' | 'listens'>,
  where: Where,
): Access | Unread {
  if ('unread' in gate) return gate;
  const own = listens === null ? 'any' : where.reachOf(listens);
  return gate.map((rules) => through(rules, own, where)).reduce(both, openTo(own));
}

/** Whether a list surely denies the programs of the proxy's own machine, which connect on loopback. */
export function deniesLocal(gate: Gate): boolean {
  return !('unread' in gate) && gate.some((rules) => isClosed(through(rules, 'loopback', onMachine)));
}

/** Whether the access admits no caller. */
export function isClosed({ open, withLogin }: Access): boolean {
  return open === null && withLogin === null;
}

/** An address or a subnet without loopback in it. */
const elsewhere = /^(?!127\.|0\.0\.0\.0|::(?:1|ffff:|\/|$))[\d.:a-f]+(?:\/(?:[89]|[1-9]\d+))?$/i;

/** Who gets through a list: its rules decide on the callers of each reach, with a step for each rule. */
function through(rules: Rules, own: Reach | null, where: Where): Access {
  const reachOfClients = oncePerKey(where.reachOfClients);
  const callers = reaches.filter((one) => one !== 'ipc' && narrower(one, own) === one);
  return callers.map(decided).reduce(either, closed);

  function decided(caller: Reach): Access {
    let [open, withLogin, isOpen, hasLogin] = [false, false, true, false];
    for (const { does, clients, others = false } of rules) {
      const isNamed = clients === null || mayName(clients, caller);
      // Addresses of a network leave the others of the network.
      const [met, unmet] = others ? [clients !== null, isNamed] : [isNamed, clients !== null];
      if (does === 'login') [isOpen, hasLogin] = [isOpen && unmet, hasLogin || (isOpen && met)];
      else {
        if (does === 'admit' && met) [open, withLogin] = [open || isOpen, withLogin || hasLogin];
        if (!unmet) [isOpen, hasLogin] = [false, false];
      }
    }
    return only({ open: open || isOpen ? caller : null, withLogin: withLogin || hasLogin ? caller : null });
  }

  function mayName(clients: readonly string[], caller: Reach): boolean {
    if (caller === 'loopback') return !clients.every((client) => elsewhere.test(client));
    return narrower(caller, reachOfClients(clients)) === caller;
  }
}

/**
 * The gate of a hop without logins that its own destination checks, which answers everyone as it answers calls; unread where
 * another hop leads to who checks one.
 * @param listening - the ports that hops listen on
 */
export function withoutOwnLogins(
  gate: Gate,
  isOwn: (to: Destination) => boolean,
  listening: ReadonlySet<number> = new Set(),
): Gate {
  if ('unread' in gate) return gate;
  const isRelayed = (to: Destination) =>
    to !== null && 'port' in to && to.port !== null && mayBeHere(to.host) && listening.has(to.port);
  const asked = gate.flat().flatMap(({ asks = [] }) => asks);
  if (asked.some((one) => isRelayed(one) && !isOwn(one)))
    return { unread: 'another proxy answers who checks its login' };
  return gate.map((rules) => rules.filter(({ asks = [] }) => !asks.some(isOwn)));
}

/** Who gets through one of two. */
export function either(a: Access, b: Access): Access {
  return only({ open: wider(a.open, b.open), withLogin: wider(a.withLogin, b.withLogin) });
}

function both(a: Access, b: Access): Access {
  const all = narrower(wider(a.open, a.withLogin), wider(b.open, b.withLogin));
  return only({ open: narrower(a.open, b.open), withLogin: all });
}

/** Names the clients with a login only where there are more of them. */
export function only({ open, withLogin }: Access): Access {
  return { open, withLogin: wider(open, withLogin) === open ? null : withLogin };
}
