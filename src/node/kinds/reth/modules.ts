/**
 * The namespaces of reth, and what a client that reaches them can do. Source: crates/rpc of the releases. The severities are
 * kaiactl's.
 */

import type { Period } from '../../facts/release.js';
import {
  commonModules as common,
  type ModuleRow,
  moduleForms,
  open,
  privilegedModule,
} from '../common-modules.js';
import { historyOf } from '../history.js';
import type { Existing } from '../kind.js';
import { type Flavour, opFlavour, rethFlavour, type Tag } from './flavours.js';

interface Own {
  /** The flavour that alone has it; absent for both. */
  readonly of?: Flavour['id'];
}

// biome-ignore format: a row a line
const table: readonly ModuleRow<Tag, Own>[] = [
  ['admin', privilegedModule('high', 'add and remove peers, and read the addresses of the node'), { until: 'v1.7.0' }],
  ['admin', privilegedModule('high', 'add and remove peers, and empty the pool of transactions'), { since: 'v1.8.0', until: 'v2.3.0' }],
  ['admin', privilegedModule('high', 'add, remove and ban peers, and empty the pool of transactions'), { since: 'v2.4.0' }],
  ['debug', privilegedModule('medium', 'have the node trace and execute blocks anew, which keeps it busy'), { until: 'v2.3.0' }],
  ['debug', privilegedModule('high', 'empty the pool of transactions, and have the node execute blocks anew, which keeps it busy'), { since: 'v2.4.0' }],
  ['eth', open('low', 'read the chain and send signed transactions')],
  ['flashbots', privilegedModule('medium', 'have the node execute blocks of builders'), { since: 'v1.1.1' }],
  ['mev', privilegedModule('medium', 'have the node simulate bundles of transactions'), { since: 'v1.3.0' }],
  ['miner', privilegedModule('info', 'call setters that do nothing'), { of: 'reth', since: 'v1.1.3' }],
  ['miner', privilegedModule('medium', 'set the size of the data that blocks take, which the batcher needs'), { of: 'op-reth', since: 'v1.1.3' }],
  ['net', common.net],
  ['ots', privilegedModule('medium', 'have the node search and trace transactions, which keeps it busy')],
  ['reth', privilegedModule('medium', 'have the node compute what blocks changed'), { until: 'v2.3.0' }],
  ['reth', privilegedModule('medium', 'have the node compute what blocks changed, and switch its compiler of contracts'), { since: 'v2.4.0' }],
  ['rpc', common.rpc],
  ['testing', privilegedModule('high', 'have the node build blocks'), { since: 'v1.10.0', until: 'v2.3.0' }],
  ['testing', privilegedModule('critical', 'build a block and make it the head of the chain'), { since: 'v2.4.0' }],
  ['trace', privilegedModule('medium', 'have the node trace blocks and transactions, which keeps it busy')],
  ['txpool', common.txpool],
  ['web3', common.web3],
];

const historyOfModules = ({ id, releases }: Flavour) =>
  historyOf(releases, () => moduleForms(table).filter(({ of = id }) => of === id));

/** What the releases of a flavour have, and had. */
export const modulesOf = {
  reth: historyOfModules(rethFlavour),
  'op-reth': historyOfModules(opFlavour),
} as const;

/** Names that lists contain although no service answers to them. */
// biome-ignore format: a row a line
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
export function offeredModules({ sure }: Existing, list: readonly string[] | null): readonly string[] {
  const word = listWord(list ?? []);
  if (word !== null) return word === 'all' ? sure : [];
  return sure.filter((name) => (list ?? builtInModules).includes(name));
}

/** A release that parses unknown names and checks them later; before, an empty name and `all` behind another are unknown too. */
export const checksLater: Period<Tag> = { since: 'v1.8.0' };
