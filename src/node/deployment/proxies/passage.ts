/** Who gets through a proxy to the address that it forwards to. */

import { reachOfClients, reachOfHost } from '../../facts/reach.js';
import { type Reach, reaches } from '../../facts/severity.js';
import type { MethodFilter } from '../../harden/filter.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { isLoopbackAddress } from '../forwards/address.js';
import type { Forward } from '../forwards/row.js';
import type { Directive, Includable } from './directive.js';

/** A rule of a proxy, for the clients that it names. */
export interface Step {
  /** `admit`: no further rule of the list counts. `login`: it lets in who logs in. */
  readonly does: 'admit' | 'deny' | 'login';
  /** Addresses and subnets; null: every client. */
  readonly clients: readonly string[] | null;
  /** True where it is for every client but these. */
  readonly others?: boolean;
}

/** Rules in order: the first that admits or denies a client counts; a client that none names is admitted. */
export type Rules = readonly Step[];

/** A forward of a file whose format is read. */
export interface ProxyForward extends Forward {
  /** Lists of rules, all of which admit a client; or why they are not known, as a clause: "auth_jwt is not understood". */
  readonly gate: readonly Rules[] | { readonly unread: string };
  /** What it lets through of the calls; absent: it filters none. */
  readonly filter?: MethodFilter;
  /** The included file that names its destination; absent: the file that is read. */
  readonly file?: LineIndex;
  /** The name of several destinations, which other files may use too. */
  readonly upstream?: string;
}

/** The files around the file of a proxy. */
export interface FilesAround {
  /** The text of a file by the end of its path; null: it is not beside the file of the proxy. */
  readonly beside: (path: string) => string | null;
  /**
   * The directives of the files that a path or a pattern names, in their order; null: they are not among the files, it is
   * not known which they are, or one is not understood.
   * @param from - the file that a relative path starts from; absent: the file of the proxy
   */
  readonly included: (path: string, parse: Includable, from?: LineIndex) => readonly Directive[] | null;
  /** The other files of its machine. */
  readonly others: () => readonly LineIndex[];
}

/** A file that stands alone. */
export const noFiles: FilesAround = { beside: () => null, included: () => null, others: () => [] };

/** Reads a file of one format. null: the text is not of this format as a whole. */
export type ProxyReader = (text: string, around: FilesAround) => readonly ProxyForward[] | null;

/** Who gets through a proxy of which everything was read. */
export interface Passage {
  /** Who gets through without a login; null: nobody. */
  readonly open: Reach | null;
  /** Who gets through with a login; null: nobody, or a login lets in no more. */
  readonly withLogin: Reach | null;
}

/** Where a proxy runs. */
export interface Where {
  /** Who reaches an address that it listens on, `[::]:80` or `80`; null: nobody. */
  readonly reachOf: (listens: string) => Reach | null;
  /** Who has one of these addresses, as the proxy sees them; null: nobody. */
  readonly reachOfClients: (clients: readonly string[]) => Reach | null;
  /** The ports of the machine that lead to an address that it listens on, besides its own. */
  readonly portsOf: (listens: string) => readonly number[];
}

/** On a machine, in no container. */
export const onMachine: Where = { reachOf: reachOfAddress, reachOfClients, portsOf: () => [] };

function reachOfAddress(listens: string): Reach {
  if (isLoopbackAddress(listens)) return 'loopback';
  return reachOfHost(/^\d+$/.test(listens) ? '' : listens.replace(/:[\d-]*$/, '')).reach;
}

const closed: Passage = { open: null, withLogin: null };
export const denied: Step = { does: 'deny', clients: null };
export const login: Step = { does: 'login', clients: null };

export function passageOf(
  { gate, listens }: Pick<ProxyForward, 'gate' | 'listens'>,
  where: Where,
): Passage | { readonly unread: string } {
  if ('unread' in gate) return gate;
  const own = listens === null ? 'any' : where.reachOf(listens);
  return gate.map((rules) => through(rules, own, false, where)).reduce(both, { open: own, withLogin: null });
}

/** True where a list surely denies the programs of the proxy's own machine, which connect on loopback. */
export function deniesLocal(gate: ProxyForward['gate']): boolean {
  const mayName = ({ does, clients, others = false }: Step) => {
    if (clients === null) return !others;
    return does === 'admit' ? others || clients.some(mayBeLocal) : others && !clients.some(mayBeLocal);
  };
  const first = (rules: Rules) => rules.find((step) => step.does !== 'login' && mayName(step));
  return !('unread' in gate) && gate.some((rules) => first(rules)?.does === 'deny');
}

/** False for an address or a subnet without loopback in it. */
function mayBeLocal(client: string): boolean {
  const isNarrow = /^[\d.:a-f]+(?:\/(?:[89]|[1-9]\d+))?$/i.test(client);
  return !isNarrow || /^(?:127\.|0\.0\.0\.0|::(?:1|ffff:|\/|$))/i.test(client);
}

/** @param left - the clients that no rule so far has decided on */
function through(rules: Rules, left: Reach | null, hasLogin: boolean, where: Where): Passage {
  const [step, ...others] = rules;
  if (left === null) return closed;
  const rest = hasLogin ? { open: null, withLogin: left } : { open: left, withLogin: null };
  if (step === undefined) return rest;
  // Addresses of a network leave the others of the network.
  const named = step.clients === null ? left : narrower(left, where.reachOfClients(step.clients));
  const unnamed = step.clients === null ? null : left;
  const [met, unmet] = step.others === true ? [unnamed, named] : [named, unnamed];
  const further = through(others, unmet, hasLogin, where);
  if (step.does === 'deny' || (step.does === 'login' && hasLogin))
    return step.does === 'deny' ? further : through(others, left, true, where);
  if (step.does === 'login') return either(further, through(others, met, true, where));
  return either(further, hasLogin ? { open: null, withLogin: met } : { open: met, withLogin: null });
}

function either(a: Passage, b: Passage): Passage {
  return only({ open: wider(a.open, b.open), withLogin: wider(a.withLogin, b.withLogin) });
}

function both(a: Passage, b: Passage): Passage {
  const all = narrower(wider(a.open, a.withLogin), wider(b.open, b.withLogin));
  return only({ open: narrower(a.open, b.open), withLogin: all });
}

/** Names the clients with a login only where there are more of them. */
function only({ open, withLogin }: Passage): Passage {
  return { open, withLogin: wider(open, withLogin) === open ? null : withLogin };
}

/** The wider of two; null: nobody. */
export function wider(a: Reach | null, b: Reach | null): Reach | null {
  if (a === null || b === null) return a ?? b;
  return reaches.indexOf(a) > reaches.indexOf(b) ? a : b;
}

/** The narrower of two; null: nobody. */
export function narrower(a: Reach | null, b: Reach | null): Reach | null {
  if (a === null || b === null) return null;
  return reaches.indexOf(a) < reaches.indexOf(b) ? a : b;
}
