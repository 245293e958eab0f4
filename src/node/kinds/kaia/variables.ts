/** The conf's variables: which launchers read them. From the launcher scripts of kaiachain/kaia v2.2.1. */

import type { Launcher, Package } from './names.js';

const service = 'kscnd kspnd ksend';
const nodes = `kcnd kpnd kend ${service}`;
const all = `${nodes} kbnd`;

/** Readers → variables. A reader is a launcher, or launcher/package where the two packages differ. */
const table: readonly (readonly [string, string])[] = [
  [
    all,
    'ADDITIONAL DATA_DIR LOG_DIR LOG_ROTATE LOG_MAXSIZE LOG_MAXBACKUP LOG_MAXAGE LOG_COMPRESS METRICS PROMETHEUS ' +
      'AUTO_RESTART_NODE AUTO_RESTART_INTERVAL',
  ],
  [
    nodes,
    'RPC_ENABLE RPC_API RPC_PORT RPC_ADDR RPC_CORSDOMAIN RPC_VHOSTS WS_ENABLE WS_API WS_ADDR WS_PORT WS_ORIGINS ' +
      'DB_NO_PARALLEL_WRITE LDBCACHESIZE PDBCACHESIZE MAXCONNECTIONS MULTICHANNEL PORT SUBPORT SERVER_TYPE SYNCMODE ' +
      'VERBOSITY TXPOOL_EXEC_SLOTS_ACCOUNT TXPOOL_EXEC_SLOTS_ALL TXPOOL_NONEXEC_SLOTS_ACCOUNT TXPOOL_NONEXEC_SLOTS_ALL',
  ],
  [
    'kend ksend',
    'RPC_CONCURRENCYLIMIT RPC_READ_TIMEOUT RPC_WRITE_TIMEOUT RPC_IDLE_TIMEOUT RPC_EXECUTION_TIMEOUT',
  ],
  [
    service,
    'SC_SUB_BRIDGE SC_SUB_BRIDGE_PORT SC_PARENT_CHAIN_ID SC_ANCHORING SC_ANCHORING_PERIOD SC_TX_LIMIT ' +
      'SC_PARENT_OPERATOR_GASLIMIT SC_CHILD_OPERATOR_GASLIMIT SC_VTRECOVERY SC_VTRECOVERY_INTERVAL VTRECOVERY ' +
      'SC_KAS_ANCHOR SC_KAS_ANCHOR_PERIOD SC_KAS_ANCHOR_URL SC_KAS_ANCHOR_OPERATOR SC_KAS_ANCHOR_ACCESS_KEY ' +
      'SC_KAS_ANCHOR_SECRET_KEY SC_KAS_ANCHOR_X_CHAIN_ID SC_KAS_ANCHOR_REQUEST_TIMEOUT',
  ],
  [`kend ${service}`, 'SC_MAIN_BRIDGE SC_MAIN_BRIDGE_PORT SC_MAIN_BRIDGE_INDEXING'],
  [all, 'NETWORK_ID'],
  ['kcnd kpnd kend', 'NETWORK'],
  ['kcnd kpnd kend kspnd ksend', 'BOOTNODES NO_DISCOVER'],
  ['kcnd kend kscnd ksend', 'AUTO_RESTART'],
  ['kcnd kscnd/tar', 'REWARDBASE'],
  ['kscnd', 'SCSIGNER SCSIGNER_PASSWD_FILE'],
  ['kcnd/rpm kpnd/rpm kend/rpm kscnd/rpm kspnd/rpm ksend/rpm', 'TXPOOL_LIFE_TIME'],
  [
    'kend/tar',
    'DB_TYPE DB_SINGLE DB_DYNAMO_TABLENAME DB_DYNAMO_READONLY GCMODE STATE_TRIE_CACHE_LIMIT STATEDB_CACHE_TYPE ' +
      'STATEDB_REDIS_ENDPOINT STATEDB_REDIS_PUBLISH STATEDB_REDIS_SUBSCRIBE VM_INTERNALTX KES_NODETYPE_SERVICE_ENABLE',
  ],
  ['kbnd', 'KEY_PATH AUTHORIZED_NODES'],
];

/** Names that packaged confs or documents use and no launcher reads, with a clause about what is read instead, if anything is. */
export const deadVariables: Readonly<Record<string, string | null>> = {
  LOG_MAXBACKUPS:
    'the launchers read LOG_MAXBACKUP and turn it into a flag the node does not have, except kbnd (tar)',
  MAIN_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  MAIN_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  MAIN_BRIDGE_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  SC_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  SC_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  SC_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  RPC_CONCURRENCY_LIMIT: 'RPC_CONCURRENCYLIMIT is the name that is read',
  KLAY_HOME: null,
};

let index: ReadonlyMap<string, readonly string[]> | null = null;

function readers(): ReadonlyMap<string, readonly string[]> {
  if (index !== null) return index;
  const map = new Map<string, readonly string[]>();
  for (const [who, names] of table) for (const name of names.split(' ')) map.set(name, who.split(' '));
  index = map;
  return map;
}

/** Every variable some launcher reads. */
export function knownVariables(): readonly string[] {
  return [...readers().keys()];
}

/** True when some launcher reads it, or people write it believing so. */
export function isKnownVariable(name: string): boolean {
  return readers().has(name) || Object.hasOwn(deadVariables, name);
}

/** True when that launcher of that package reads the variable. */
export function reads(launcher: Launcher, from: Package, name: string): boolean {
  const who = readers().get(name) ?? [];
  return who.includes(launcher) || who.includes(`${launcher}/${from}`);
}

const lists = new Map<string, readonly string[]>();

/** Every variable that launcher of that package reads, sorted. */
export function readBy(launcher: Launcher, from: Package): readonly string[] {
  const key = `${launcher}/${from}`;
  const list =
    lists.get(key) ??
    knownVariables()
      .filter((name) => reads(launcher, from, name))
      .sort();
  lists.set(key, list);
  return list;
}

/** The launchers that read it, `kend/tar` where only one package does. */
export function readersOf(name: string): readonly string[] {
  return readers().get(name) ?? [];
}

/** The launchers that read it, as `kend`, or `kend (tar)` where the packages differ. null: nobody knows the name. */
export function readersByName(name: string): readonly string[] | null {
  if (!isKnownVariable(name)) return null;
  const known = byName.get(name) ?? readersOf(name).map((who) => who.replace(/\/(\w+)$/, ' ($1)'));
  byName.set(name, known);
  return known;
}

const byName = new Map<string, readonly string[]>();

/** The variables that this launcher alone reads, in both packages: a conf that sets one is for it. */
export function readOnlyBy(launcher: Launcher): readonly string[] {
  return knownVariables().filter((name) => readersOf(name).join() === launcher);
}
