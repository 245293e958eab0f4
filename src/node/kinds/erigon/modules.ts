/**
 * The JSON-RPC namespaces of erigon, and what a client that reaches them can do (rpc/jsonrpc/daemon.go, APIList, and the files
 * of the services). The severities are kaiactl's.
 */
import { once } from '../../../util/once.js';
import type { Setting } from '../../facts/settings.js';
import { modulesOf } from '../common-modules.js';
import type { Existing, Module, Period } from '../kind.js';
import { isWithin } from './releases.js';

interface ModuleRow extends Module, Period {
  /** The fork that alone has it. */
  readonly fork?: string;
}

/** What setHead and its gRPC method do. They were added in March 2026: v3.4 may have them, v3.3 has not. */
export const rewinding = { since: 'v3.4' } as const satisfies Period;

const table = once(() =>
  modulesOf<ModuleRow>(`
  admin high: read the node’s peers and addresses, and add and remove peers
  bor open low: read the validators of Polygon
  db open info: call retired methods, which do nothing
  debug critical: rewind the chain, limit the memory of the node, and have it trace and dump the state, which keeps it busy
  erigon open low: read the chain
  eth
  internal medium: have the node compute internal figures of its database, which keeps it busy
  net
  ots open low: read and search the chain
  overlay medium: have the node replay blocks with other code, which keeps it busy
  parity open low: list the storage of contracts
  rpc
  testing medium since=v3.4: have the node build blocks
  trace medium: have the node trace blocks, which keeps it busy
  txpool
  web3
  zkevm open low fork=cdk-erigon: read the batches of the rollup
`),
);

/** The same without methods of newer releases. */
const olderDebug = once(
  () =>
    modulesOf(
      'debug high: limit the memory of the node, and have it trace and dump the state, which keeps it busy',
    ).debug as Module,
);

/** Names that lists contain although no service answers to them; `rpc` always answers. */
export const inert: Readonly<Record<string, string>> = {
  clique: 'no service of this name exists',
  engine: 'it answers on the authenticated port alone',
  graphql: '--graphql opens it, not the list',
  miner: 'no service of this name exists',
  personal: 'the node keeps no accounts',
  rpc: 'it answers on every interface, listed or not',
};

/** Without a list; engine is left out of it. */
export const builtInModules: readonly string[] = ['erigon', 'eth'];

/** `fork`: of one that descends from the release. */
export function modulesAt(tag: string, fork: string): Readonly<Record<string, Module>> {
  const rows = Object.entries(table()).filter(
    ([, { fork: only = fork, ...period }]) => only === fork && isWithin(tag, period),
  );
  const older = isWithin(tag, rewinding) ? {} : { debug: olderDebug() };
  return { ...Object.fromEntries(rows), ...older };
}

/** The periods in which a module is there or means something else, in tags. */
export function periodsOfModule(name: string): readonly Period[] {
  const row = Object.hasOwn(table(), name) ? table()[name] : undefined;
  return [...(row === undefined ? [] : [row]), ...(name === 'debug' ? [rewinding] : [])];
}

/** Why a filter of methods leaves the modules open: it names a file that is not read; null: there is none. */
export function filterOf(values: Readonly<Record<string, Setting>>): string | null {
  const filter = values['rpc.accessList'];
  if (filter === undefined) return null;
  if (filter.indeterminate !== null) return filter.indeterminate;
  const path = typeof filter.value === 'string' ? filter.value.trim() : '';
  return path === '' ? null : `--rpc.accessList limits the methods to those in ${path}, which is not read`;
}

/** The modules that the program registers: behind a filter of methods, each may lack every method. */
export function existingModules(
  names: readonly string[],
  values: Readonly<Record<string, Setting>>,
): Existing {
  return filterOf(values) === null ? { sure: names, maybe: [] } : { sure: [], maybe: names };
}

/** The modules that a list offers; list null: the built-in list. An empty list offers rpc alone. */
export function offeredModules(
  { sure, maybe }: Existing,
  list: readonly string[] | null,
): readonly string[] | null {
  const wanted = new Set(['rpc', ...(list ?? builtInModules)]);
  const offers = (name: string) => wanted.has(name);
  return maybe.some(offers) ? null : sure.filter(offers);
}
