/**
 * The namespaces of reth, and what a client that reaches them can do. Source: crates/rpc of the releases. The severities are
 * kaiactl's.
 */
import { once } from '../../../util/once.js';
import { modulesOf } from '../common-modules.js';
import type { Existing, Module, Period } from '../kind.js';
import { isWithin } from '../tags.js';
import type { Flavour } from './flavours.js';

interface ModuleRow extends Module, Period {}

/** A module whose methods changed has a row for each form, behind a dot. */
const table = once(() =>
  modulesOf<ModuleRow>(`
  admin_1 high until=v1.7.0: add and remove peers, and read the addresses of the node
  admin_2 high since=v1.8.0 until=v2.3.0: add and remove peers, and empty the pool of transactions
  admin_3 high since=v2.4.0: add, remove and ban peers, and empty the pool of transactions
  debug_1 medium until=v2.3.0: have the node trace and execute blocks anew, which keeps it busy
  debug_2 high since=v2.4.0: empty the pool of transactions, and have the node execute blocks anew, which keeps it busy
  eth open low: read the chain and send signed transactions
  flashbots medium since=v1.1.1: have the node execute blocks of builders
  mev medium since=v1.3.0: have the node simulate bundles of transactions
  miner info since=v1.1.3: call setters that do nothing
  net
  ots medium: have the node search and trace transactions, which keeps it busy
  reth_1 medium until=v2.3.0: have the node compute what blocks changed
  reth_2 medium since=v2.4.0: have the node compute what blocks changed, and switch its compiler of contracts
  rpc
  testing_1 high since=v1.10.0 until=v2.3.0: have the node build blocks
  testing_2 critical since=v2.4.0: build a block and make it the head of the chain
  trace medium: have the node trace blocks and transactions, which keeps it busy
  txpool
  web3
`),
);

const ofOptimism = once(() =>
  modulesOf<Module>('miner medium: set the size of the data that blocks take, which the batcher needs'),
);

export function modulesAt({ id }: Flavour, tag: string): Readonly<Record<string, Module>> {
  const rows = Object.entries(table()).filter(([, row]) => isWithin(tag, row));
  const own = id === 'op-reth' ? ofOptimism() : {};
  return Object.fromEntries(
    rows.map(([name, { since: _, until: __, ...module }]): [string, Module] => {
      const bare = name.replace(/_\d$/, '');
      return [bare, own[bare] ?? module];
    }),
  );
}

/** The periods in which the module is there, or does the same; those of every module for `all`. */
export function periodsOfModule(name: string): readonly Period[] {
  if (name.toLowerCase() === 'all') return Object.values(table());
  return Object.entries(table()).flatMap(([row, module]) =>
    row === name || row.replace(/_\d$/, '') === name ? [module] : [],
  );
}

/** Names that lists contain although no service answers to them. */
export const inert: Readonly<Record<string, string>> = {
  all: 'it means every module only as the first name of a list',
  engine: 'it answers on the authenticated port alone',
  none: 'it means no module only as the first name of a list',
  personal: 'the node has no accounts',
};

export const builtInModules: readonly string[] = ['eth', 'net', 'web3'];

/** What a list means as a whole: its first word decides, and what follows is ignored. */
export function listWord([first = '']: readonly string[]): 'all' | 'none' | null {
  const word = first.trim().toLowerCase();
  return word === 'all' || word === 'none' ? word : null;
}

/** The modules that a list offers: names count as they are written, and `rpc` only where it is among them. */
export function offered({ sure }: Existing, list: readonly string[] | null): readonly string[] {
  const word = listWord(list ?? []);
  if (word !== null) return word === 'all' ? sure : [];
  return sure.filter((name) => (list ?? builtInModules).includes(name));
}

/** Names without a service of their own that a release accepts. */
const formerNames: Readonly<Record<string, Period>> = { 'eth-call-bundle': { until: 'v1.0.5' } };

/** A release that parses unknown names and checks them later; before, an empty name and `all` behind another are unknown too. */
export const checksLater: Period = { since: 'v1.8.0' };

/** The names in a list with which the release does not start. */
export function refusedNames(
  tag: string,
  modules: Readonly<Record<string, Module>>,
  list: readonly string[],
): readonly string[] {
  if (listWord(list) !== null || (list.length === 1 && list[0] === '')) return [];
  const passes = (name: string) => isWithin(tag, checksLater) && (name === '' || listWord([name]) !== null);
  const isKnown = (name: string) => {
    const former = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined;
    return Object.hasOwn(modules, name) || (former !== undefined && isWithin(tag, former));
  };
  return [...new Set(list)].filter((name) => !isKnown(name) && !passes(name));
}
