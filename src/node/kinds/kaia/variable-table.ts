/** Which launchers read which variables of a conf, from their scripts in the releases. */
import type { Launcher, Package } from './names.js';
import type { Period } from './releases.js';

/** A launcher, or a launcher of one package where the two packages differ. */
export type Reader = Launcher | `${Launcher}/${Package}`;

const service = ['kscnd', 'kspnd', 'ksend'] as const;
const nodes = ['kcnd', 'kpnd', 'kend', ...service] as const;
const every = [...nodes, 'kbnd'] as const;

/** Who reads which variables, in the releases of a period. */
// biome-ignore format: few lines each
export const variableTable: readonly (readonly [readonly Reader[], readonly string[], Period?])[] = [
  [every, ['ADDITIONAL', 'DATA_DIR', 'LOG_DIR', 'METRICS', 'PROMETHEUS']],
  [every, ['AUTO_RESTART_NODE', 'AUTO_RESTART_INTERVAL'], { since: 'klaytn/v1.8.0' }],
  [every, ['LOG_ROTATE', 'LOG_MAXSIZE', 'LOG_MAXBACKUP', 'LOG_MAXAGE', 'LOG_COMPRESS'], { since: 'klaytn/v1.11.0' }],
  [nodes, [
    'RPC_ENABLE', 'RPC_API', 'RPC_PORT', 'RPC_ADDR', 'RPC_CORSDOMAIN', 'RPC_VHOSTS', 'WS_ENABLE', 'WS_API',
    'WS_ADDR', 'WS_PORT', 'WS_ORIGINS', 'DB_NO_PARALLEL_WRITE', 'LDBCACHESIZE', 'MAXCONNECTIONS', 'MULTICHANNEL',
    'PORT', 'SUBPORT', 'SERVER_TYPE', 'SYNCMODE', 'VERBOSITY', 'TXPOOL_EXEC_SLOTS_ACCOUNT', 'TXPOOL_EXEC_SLOTS_ALL',
    'TXPOOL_NONEXEC_SLOTS_ACCOUNT', 'TXPOOL_NONEXEC_SLOTS_ALL',
  ]],
  [nodes, ['PDBCACHESIZE'], { since: 'kaia/v1.0.2' }],
  [['kend', 'ksend'], [
    'RPC_CONCURRENCYLIMIT', 'RPC_READ_TIMEOUT', 'RPC_WRITE_TIMEOUT', 'RPC_IDLE_TIMEOUT', 'RPC_EXECUTION_TIMEOUT',
  ], { since: 'klaytn/v1.9.0' }],
  [service, [
    'SC_SUB_BRIDGE', 'SC_SUB_BRIDGE_PORT', 'SC_PARENT_CHAIN_ID', 'SC_ANCHORING', 'SC_ANCHORING_PERIOD',
    'SC_TX_LIMIT', 'VTRECOVERY',
  ]],
  [service, [
    'SC_KAS_ANCHOR', 'SC_KAS_ANCHOR_PERIOD', 'SC_KAS_ANCHOR_URL', 'SC_KAS_ANCHOR_OPERATOR',
    'SC_KAS_ANCHOR_ACCESS_KEY', 'SC_KAS_ANCHOR_SECRET_KEY', 'SC_KAS_ANCHOR_X_CHAIN_ID',
  ], { since: 'klaytn/v1.5.2' }],
  [service, [
    'SC_PARENT_OPERATOR_GASLIMIT', 'SC_CHILD_OPERATOR_GASLIMIT', 'SC_VTRECOVERY', 'SC_VTRECOVERY_INTERVAL',
    'SC_KAS_ANCHOR_REQUEST_TIMEOUT',
  ], { since: 'klaytn/v1.8.4' }],
  [['kend', ...service], ['SC_MAIN_BRIDGE', 'SC_MAIN_BRIDGE_PORT', 'SC_MAIN_BRIDGE_INDEXING']],
  [every, ['NETWORK_ID']],
  [['kcnd', 'kpnd', 'kend'], ['NETWORK']],
  [['kcnd', 'kpnd', 'kend', 'kspnd', 'ksend'], ['BOOTNODES', 'NO_DISCOVER']],
  [['kcnd', 'kend', 'kscnd', 'ksend'], ['AUTO_RESTART']],
  [['kcnd'], ['REWARDBASE'], { until: 'klaytn/v1.7.3' }],
  [['kcnd', 'kscnd/tar'], ['REWARDBASE'], { since: 'klaytn/v1.8.0' }],
  [['kscnd'], ['SCSIGNER', 'SCSIGNER_PASSWD_FILE']],
  [['kcnd/rpm', 'kpnd/rpm', 'kend/rpm', 'kscnd/rpm', 'kspnd/rpm', 'ksend/rpm'], ['TXPOOL_LIFE_TIME']],
  [['kend/tar'], [
    'DB_TYPE', 'DB_SINGLE', 'DB_DYNAMO_TABLENAME', 'DB_DYNAMO_READONLY', 'GCMODE', 'STATE_TRIE_CACHE_LIMIT',
    'STATEDB_CACHE_TYPE', 'STATEDB_REDIS_ENDPOINT', 'STATEDB_REDIS_PUBLISH', 'STATEDB_REDIS_SUBSCRIBE',
    'VM_INTERNALTX', 'KES_NODETYPE_SERVICE_ENABLE',
  ], { since: 'klaytn/v1.6.0' }],
  [['kend/tar'], ['INIT_PRIVATE_NETWORK', 'STATIC_NODE_KNI'], { since: 'klaytn/v1.6.0', until: 'klaytn/v1.6.0' }],
  [['kbnd'], ['KEY_PATH', 'AUTHORIZED_NODES']],
];
