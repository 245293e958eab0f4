/**
 * The JSON-RPC namespaces of erigon, and what a client that reaches them can do (rpc/jsonrpc/daemon.go, APIList, and the files
 * of the services). The severities are kaiactl's.
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
import { releases, type Tag } from './releases.js';

/** What setHead and its gRPC method do. They were added in March 2026: v3.4 may have them, v3.3 has not. */
export const rewinding: Period<Tag> = { since: 'v3.4' };

// biome-ignore format: a row a line
const table: readonly ModuleRow<Tag, { readonly fork?: string }>[] = [
  ['admin', privilegedModule('high', 'read the node’s peers and addresses, and add and remove peers')],
  ['bor', open('low', 'read the validators of Polygon')],
  ['db', open('info', 'call retired methods, which do nothing')],
  ['debug', privilegedModule('high', 'limit the memory of the node, and have it trace and dump the state, which keeps it busy'), { until: 'v3.3' }],
  ['debug', privilegedModule('critical', 'rewind the chain, limit the memory of the node, and have it trace and dump the state, which keeps it busy'), { since: 'v3.4' }],
  ['erigon', open('low', 'read the chain')],
  ['eth', common.eth],
  ['internal', privilegedModule('medium', 'have the node compute internal figures of its database, which keeps it busy')],
  ['net', common.net],
  ['ots', open('low', 'read and search the chain')],
  ['overlay', privilegedModule('medium', 'have the node replay blocks with other code, which keeps it busy')],
  ['parity', open('low', 'list the storage of contracts')],
  ['rpc', common.rpc],
  ['testing', privilegedModule('medium', 'have the node build blocks'), { since: 'v3.4' }],
  ['trace', privilegedModule('medium', 'have the node trace blocks, which keeps it busy')],
  ['txpool', common.txpool],
  ['web3', common.web3],
  ['zkevm', open('low', 'read the batches of the rollup'), { fork: 'cdk-erigon' }],
];

/** What the releases have, and had; with `fork`, the fork of that name alone. */
export const moduleHistory = historyOf(releases, () => moduleForms(table));

/** Names that lists contain although no service answers to them; `rpc` always answers. */
// biome-ignore format: a row a line
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
export function modulesAt(release: string, fork: string) {
  return moduleHistory.at(release).filter((row) => (row.fork ?? fork) === fork);
}
