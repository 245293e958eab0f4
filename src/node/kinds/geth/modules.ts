/**
 * The node's JSON-RPC namespaces, and what a client that reaches them can do.
 * Source: the releases of ethereum/go-ethereum (node/api.go, internal/ethapi, eth/). The severities are kaiactl's.
 */
import {
  commonModules as common,
  type ModuleRow,
  moduleForms,
  open,
  privilegedModule,
  type Registered,
} from '../common-modules.js';
import { historyOf } from '../history.js';
import type { Existing, Module, Modules } from '../kind.js';
import { type Flavour, gethFlavour, type Holds, type Tag } from './flavours.js';

interface Own extends Registered {
  /** The flavours that have it; absent for all. */
  readonly flavours?: readonly Flavour['id'][];
  /** The forks that have it, where geth does not; absent for all. */
  readonly forks?: readonly string[];
}

const engine = 'choose the head of the chain and have the node build blocks, without a token';
const takeOver = 'take over the node: open further interfaces';
const andFiles = 'change the peers and create files';

/**
 * Every namespace that has a service on http or ws.
 * istanbul: consensus/istanbul/backend/api.go: propose and discard; startValidating and stopValidating.
 */
// biome-ignore format: a row a line
const table: readonly ModuleRow<Tag, Own>[] = [
  // Every node has the engine API since v1.10.21; bsc has none.
  ['admin', privilegedModule('critical', `${takeOver}, ${andFiles}`), { until: 'v1.10.20', flavours: ['geth', 'op-geth'] }],
  ['admin', privilegedModule('critical', `${takeOver}, one of them with the engine API and no token, ${andFiles}`), { since: 'v1.10.21', flavours: ['geth', 'op-geth'] }],
  ['admin', privilegedModule('critical', `${takeOver}, ${andFiles}`), { flavours: ['bsc'] }],
  ['consensus', privilegedModule('critical', engine), { since: 'v1.10.3', until: 'v1.10.13', bySwitch: ['catalyst'], flavours: ['geth'] }],
  ['debug', common.debug],
  ['dev', privilegedModule('medium', 'add withdrawals and name the fee recipient of a development chain'), { since: 'v1.12.1', bySwitch: ['dev'] }],
  ['engine', privilegedModule('critical', engine), { since: 'v1.10.14', until: 'v1.10.15', bySwitch: ['catalyst'], flavours: ['geth'] }],
  // First of chains with a terminal difficulty, which these switches give.
  ['engine', privilegedModule('critical', engine), { since: 'v1.10.16', until: 'v1.10.18', bySwitch: ['kiln', 'override.terminaltotaldifficulty'], flavours: ['geth'] }],
  ['engine', privilegedModule('critical', engine), { since: 'v1.10.19', until: 'v1.10.26', flavours: ['geth'] }],
  ['eth', common.eth],
  ['istanbul', privilegedModule('high', 'change which nodes validate'), { forks: ['quorum', 'celo-blockchain'], unlessSwitch: 'raft' }],
  ['les', privilegedModule('medium', 'set the capacity and the balances of light clients'), { since: 'v1.9.0', until: 'v1.13.5', bySwitch: ['light.serve', 'lightserv'], flavours: ['geth'] }],
  ['mev', privilegedModule('medium', 'send bids to the block builder'), { flavours: ['bsc'], since: 'v1.13.1' }],
  ['miner', common.miner, { until: 'v1.13.15', flavours: ['geth'] }],
  ['miner', privilegedModule('medium', 'set the extra data, the gas limit and the lowest gas price of its blocks'), { since: 'v1.14.0', flavours: ['geth'] }],
  ['miner', common.miner, { flavours: ['bsc'] }],
  ['miner', privilegedModule('medium', 'set the size of the data that blocks take, which the batcher needs, and the gas limit'), { flavours: ['op-geth'] }],
  ['net', common.net],
  ['parlia', open('low', 'read the validators'), { flavours: ['bsc'] }],
  ['personal', common.personal, { until: 'v1.14.11' }],
  ['quorumExtension', privilegedModule('high', 'give further parties the state of private contracts'), { since: 'v1.9.7', forks: ['quorum'] }],
  ['quorumPermission', privilegedModule('high', 'change which organisations, nodes and accounts take part in the network'), { since: 'v1.8.18', bySwitch: ['permissioned'], forks: ['quorum'] }],
  ['raft', privilegedModule('high', 'add and remove members of the network'), { bySwitch: ['raft'], forks: ['quorum'] }],
  ['rollup', open('low', 'read the state of the rollup'), { forks: ['l2geth'] }],
  ['rpc', common.rpc],
  ['shh', privilegedModule('medium', 'read and send whisper messages with the keys of the node'), { until: 'v1.9.20', bySwitch: ['shh'], flavours: ['geth'] }],
  ['testing', privilegedModule('medium', 'have the node build blocks'), { since: 'v1.17.1', flavours: ['geth', 'op-geth'] }],
  ['txpool', common.txpool],
  ['web3', common.web3],
];

/** What the releases of geth have, and had; a fork has those of its base, where a row names no others. */
export const moduleHistory = historyOf(gethFlavour.releases, () => moduleForms(table));

/** Names that lists still contain although no service answers to them; `rpc` always answers. */
// biome-ignore format: a row a line
const inert: Readonly<Record<string, string>> = {
  clique: 'only networks with Clique had the service, up to geth v1.15.11',
  db: 'no service of this name exists',
  engine: 'it answers on the authenticated port alone',
  ethash: 'only chains with proof of work had the service, up to geth v1.11.6: it asks for work and hands in blocks',
  les: 'only light servers had the service, up to geth v1.13.5',
  parity: 'no service of this name exists',
  quorum: 'quorum has no such service since v2.0.0',
  rpc: 'it answers on every interface, listed or not',
  shh: 'only nodes with whisper had the service, up to geth v1.9.20',
  trace: 'no service of this name exists',
};

/** The names without a service, beside the modules of a release. */
export function inertAt(known: Readonly<Record<string, Module>>): Readonly<Record<string, string>> {
  const some = Object.entries(inert).filter(([name]) => name === 'rpc' || !Object.hasOwn(known, name));
  return Object.fromEntries(some);
}

/** Modules offered where no list is given. */
export const builtInModules: readonly string[] = ['eth', 'net', 'web3'];

/** The modules of a release; `fork`: of one that descends from it. */
export function modulesAt({ id }: Flavour, holds: Holds, fork: string) {
  const isOf = ({ flavours = [id], forks = [fork] }: Own) => flavours.includes(id) && forks.includes(fork);
  return moduleHistory.rows().filter((row) => holds(row) && isOf(row));
}

/** What a list without a name offers by release: a flag without one holds one empty name, up to v1.9.15. */
export const emptyList = [{ since: 'v1.9.16' }, { since: 'v1.10.20' }] as const;

/** The services marked Public that have a module for themselves; admin and debug have halves that read. */
const publicModules = ['eth', 'net', 'web3', 'txpool'];

/** Those halves: the services marked Public of node/api.go, eth/api.go and internal/ethapi/api.go. */
// biome-ignore format: a row a line
export const publicParts: Modules['publicParts'] = {
  admin: { severity: 'low', does: 'read the node’s peers, addresses and folders' },
  debug: { severity: 'medium', does: 'have the node dump the whole state, which keeps it busy' },
};

/**
 * The names that a list offers (node/rpcstack.go, RegisterApis). A list of empty names offers rpc alone, the public
 * services, or every module, by release. Returns null if there is no list.
 */
export function namesIn(
  holds: Holds,
  { sure, maybe }: Existing,
  list: readonly string[] | null,
): readonly string[] | null {
  if (list === null || list.some((name) => name !== '')) return list;
  if (holds(emptyList[1])) return [...sure, ...maybe];
  return holds(emptyList[0]) ? publicModules : [];
}
