/**
 * The steps of each launcher script, in order, as data.
 * Source: build/packaging/linux/bin and build/rpm/etc/init.d of the releases.
 */

import type { Branch, LauncherTest, Step } from '../kind.js';
import { type Launcher, type Package, packages } from './names.js';
import { holdsAt, type Period, type ReleaseId } from './releases.js';

/** A step, and the releases whose script has it; without a period, all of them. */
type Dated =
  | (Exclude<Step, Branch> & Period)
  | (Omit<Branch, 'yes' | 'no'> &
      Period & {
        readonly yes: readonly Dated[];
        readonly no?: readonly Dated[];
      });

const since = (release: ReleaseId, ...steps: readonly Dated[]) =>
  steps.map((step): Dated => ({ ...step, since: release }));
const until = (release: ReleaseId, ...steps: readonly Dated[]) =>
  steps.map((step): Dated => ({ ...step, until: release }));
const emit = (words: string): Dated => ({ emit: words });
const when = (test: LauncherTest, variable: string, ...then: Dated[]): Dated => ({
  test,
  variables: variable.split(' '),
  yes: then,
});
const on = (variable: string, flag: string, ...more: Dated[]) =>
  when('is-one', variable, emit(flag), ...more);
const word = (variable: string, flag: string) => when('is-word', variable, emit(`${flag} $${variable}`));
const text = (variable: string, flag: string, ...more: Dated[]) =>
  when('is-text', variable, emit(`${flag} $${variable}`), ...more);
/** Variables, each with its flag. */
type Flags = Readonly<Record<string, string>>;
/** Steps of one sort. */
const each = (step: (variable: string, flag: string) => Dated, rows: Flags) =>
  Object.entries(rows).map(([variable, flag]) => step(variable, flag));
const needed = (rows: Flags): Dated[] =>
  Object.entries(rows).flatMap(([variable, flag]) => [
    when('is-empty', variable, { refuse: `${flag} should be specified for KAS Anchor`, variable }),
    emit(`--${flag} $${variable}`),
  ]);

// biome-ignore format: a step a line
const meters = each(on, { METRICS: '--metrics', PROMETHEUS: '--prometheus' });
// biome-ignore format: a step a line
const head = [...meters, ...each(on, { DB_NO_PARALLEL_WRITE: '--db.no-parallel-write', MULTICHANNEL: '--multichannel' })];
// biome-ignore format: a step a line
const limits = since('klaytn/v1.9.0', ...each(word, {
  RPC_CONCURRENCYLIMIT: '--rpc.concurrencylimit', RPC_READ_TIMEOUT: '--rpcreadtimeout', RPC_WRITE_TIMEOUT: '--rpcwritetimeout',
  RPC_IDLE_TIMEOUT: '--rpcidletimeout', RPC_EXECUTION_TIMEOUT: '--rpcexecutiontimeout',
}));

// biome-ignore format: a step a line
const rpc = (more: readonly Dated[] = []): Dated[] => [
  on('RPC_ENABLE', '--rpc', ...since('klaytn/v1.9.0', { strip: 'RPC_API' }), ...each(word, {
    RPC_API: '--rpcapi', RPC_PORT: '--rpcport', RPC_ADDR: '--rpcaddr', RPC_CORSDOMAIN: '--rpccorsdomain',
    RPC_VHOSTS: '--rpcvhosts',
  }), ...more),
  on('WS_ENABLE', '--ws', ...since('klaytn/v1.9.0', { strip: 'WS_API' }), ...each(word, {
    WS_API: '--wsapi', WS_PORT: '--wsport', WS_ADDR: '--wsaddr', WS_ORIGINS: '--wsorigins',
  })),
];

/** The networks of one release: the values of NETWORK that each has, the first of which is its flag and named by the refusal. */
function network(...networks: readonly string[]): Dated {
  const known = networks.map((names) => names.split(' ')[0]);
  const reason = `network id is not specified and network is not available (${known.join(', ')})`;
  return networks.reduceRight<Dated>(
    (otherwise, names, at) => ({
      test: 'is-any',
      variables: ['NETWORK'],
      values: names.split(' '),
      yes: [emit(`--${known[at]}`)],
      no: [otherwise],
    }),
    { refuse: reason, variable: 'NETWORK' },
  );
}

const unlessNetworkId = (...yes: readonly Dated[]): Dated => ({
  test: 'is-empty',
  variables: ['NETWORK_ID'],
  yes,
  no: [emit('--networkid $NETWORK_ID')],
});
const publicNetwork = unlessNetworkId(
  ...until('kaia/v0.8.0', network('baobab', 'cypress')),
  { ...network('testnet baobab', 'mainnet cypress'), since: 'kaia/v0.9.0', until: 'kaia/v1.0.0' },
  ...since('kaia/v1.0.1', network('kairos baobab', 'mainnet cypress')),
);
const privateNetwork = unlessNetworkId({ refuse: 'network id is not specified', variable: 'NETWORK_ID' });

// Its test looked at the name of the variable, not at its value.
// biome-ignore format: a step a line
const lifetime = [
  ...until('klaytn/v1.8.2', emit('--txpool.lifetime $TXPOOL_LIFE_TIME')),
  ...since('klaytn/v1.8.3', word('TXPOOL_LIFE_TIME', '--txpool.lifetime')),
];
// biome-ignore format: a step a line
const middle = (from: Package): Dated[] => [
  ...each(word, {
    DATA_DIR: '--datadir', PORT: '--port', SUBPORT: '--subport', SERVER_TYPE: '--srvtype', VERBOSITY: '--verbosity',
    TXPOOL_EXEC_SLOTS_ALL: '--txpool.exec-slots.all', TXPOOL_NONEXEC_SLOTS_ALL: '--txpool.nonexec-slots.all',
    TXPOOL_EXEC_SLOTS_ACCOUNT: '--txpool.exec-slots.account',
    TXPOOL_NONEXEC_SLOTS_ACCOUNT: '--txpool.nonexec-slots.account',
  }),
  ...(from === 'rpm' ? lifetime : []),
  ...each(word, { SYNCMODE: '--syncmode', MAXCONNECTIONS: '--maxconnections', LDBCACHESIZE: '--db.leveldb.cache-size' }),
  ...since('kaia/v1.0.2', word('PDBCACHESIZE', '--db.pebbledb.cache-size')),
];
// biome-ignore format: a step a line
const mainBridge = on('SC_MAIN_BRIDGE', '--mainbridge --mainbridgeport $SC_MAIN_BRIDGE_PORT',
  on('SC_MAIN_BRIDGE_INDEXING', '--childchainindexing'));
// biome-ignore format: a step a line
const subBridge = on('SC_SUB_BRIDGE',
  '--subbridge --subbridgeport $SC_SUB_BRIDGE_PORT --chaintxperiod $SC_ANCHORING_PERIOD --chaintxlimit $SC_TX_LIMIT',
  emit('--parentchainid $SC_PARENT_CHAIN_ID'),
  on('SC_ANCHORING', '--anchoring'),
  ...since('klaytn/v1.5.2', on('SC_KAS_ANCHOR', '--kas.sc.anchor', text('SC_KAS_ANCHOR_PERIOD', '--kas.sc.anchor.period'), ...needed({
    SC_KAS_ANCHOR_URL: 'kas.sc.anchor.url', SC_KAS_ANCHOR_OPERATOR: 'kas.sc.anchor.operator',
    SC_KAS_ANCHOR_ACCESS_KEY: 'kas.accesskey', SC_KAS_ANCHOR_SECRET_KEY: 'kas.secretkey',
    SC_KAS_ANCHOR_X_CHAIN_ID: 'kas.x-chain-id',
  }), ...since('klaytn/v1.8.4', word('SC_KAS_ANCHOR_REQUEST_TIMEOUT', '--kas.sc.anchor.request.timeout')))));
// biome-ignore format: a step a line
const bridges = [
  mainBridge,
  subBridge,
  ...until('klaytn/v1.8.3', on('VTRECOVERY', '--vtrecovery')),
  ...since('klaytn/v1.8.4',
    word('SC_PARENT_OPERATOR_GASLIMIT', '--sc.parentoperator.gaslimit'),
    word('SC_CHILD_OPERATOR_GASLIMIT', '--sc.childoperator.gaslimit'),
    on('VTRECOVERY SC_VTRECOVERY', '--vtrecovery', text('SC_VTRECOVERY_INTERVAL', '--vtrecoveryinterval'))),
];
// biome-ignore format: a step a line
const peers = [on('NO_DISCOVER', '--nodiscover'), text('BOOTNODES', '--bootnodes')];
const additional = when('is-text', 'ADDITIONAL', emit('$ADDITIONAL'));
const reward = text('REWARDBASE', '--rewardbase');
const restart = on('AUTO_RESTART', '--autorestart.enable');
// biome-ignore format: a step a line
const signer = [text('SCSIGNER', '--scsigner $SCSIGNER --unlock'), text('SCSIGNER_PASSWD_FILE', '--password')];
// biome-ignore format: a step a line
const logs = (backups: string) => since('klaytn/v1.11.0', on('LOG_ROTATE', '--log.rotate',
  ...each(text, { LOG_MAXSIZE: '--log.maxsize', LOG_MAXBACKUP: backups, LOG_MAXAGE: '--log.maxage' }),
  on('LOG_COMPRESS', '--log.compress')));
const rotation = logs('--log.maxbackup');
// biome-ignore format: a step a line
const stores = since('klaytn/v1.6.0',
  ...until('klaytn/v1.6.0', when('is-text', 'INIT_PRIVATE_NETWORK STATIC_NODE_KNI')),
  text('DB_TYPE', '--dbtype'),
  on('DB_SINGLE', '--db.single'),
  text('DB_DYNAMO_TABLENAME', '--db.dynamo.tablename'),
  on('DB_DYNAMO_READONLY', '--db.dynamo.read-only'),
  ...each(text, { GCMODE: '--gcmode', STATE_TRIE_CACHE_LIMIT: '--state.trie-cache-limit' }),
  text('STATEDB_CACHE_TYPE', '--statedb.cache.type',
    text('STATEDB_REDIS_ENDPOINT', '--statedb.cache.redis.endpoints'),
    ...each(on, { STATEDB_REDIS_PUBLISH: '--statedb.cache.redis.publish', STATEDB_REDIS_SUBSCRIBE: '--statedb.cache.redis.subscribe' })),
  ...each(on, { VM_INTERNALTX: '--vm.internaltx', KES_NODETYPE_SERVICE_ENABLE: '--kes.nodetype.service' }));

/** Every script reads these, and passes on no flag for them. */
const daemon = [
  when('is-text', 'LOG_DIR'),
  ...since('klaytn/v1.8.0', when('is-text', 'AUTO_RESTART_NODE AUTO_RESTART_INTERVAL')),
];

// biome-ignore format: a launcher a line or two
const programs: Readonly<Record<Launcher, (from: Package) => readonly Dated[]>> = {
  kcnd: (from) => [...head, ...rpc(), publicNetwork, ...middle(from), ...peers, additional, reward, restart, ...rotation],
  kpnd: (from) => [...head, ...rpc(), publicNetwork, ...middle(from), ...peers, additional, ...rotation],
  kend: (from) => [...head, ...rpc(limits), publicNetwork, ...middle(from), mainBridge, ...peers, additional, restart,
    ...rotation, ...(from === 'tar' ? stores : [])],
  kscnd: (from) => [emit('--nodiscover'), ...head, ...rpc(), word('NETWORK_ID', '--networkid'), ...middle(from), ...signer,
    ...bridges, additional, ...(from === 'tar' ? since('klaytn/v1.8.0', reward) : []), restart, ...rotation],
  kspnd: (from) => [...head, ...rpc(), privateNetwork, ...middle(from), ...peers, ...bridges, additional, ...rotation],
  ksend: (from) => [...head, ...rpc(limits), privateNetwork, ...middle(from), ...peers, ...bridges, additional, restart,
    ...rotation],
  kbnd: (from) => [emit('--nodekey $KEY_PATH'), text('NETWORK_ID', '--networkid'), ...meters, ...(from === 'rpm'
    ? [word('DATA_DIR', '--datadir'), text('AUTHORIZED_NODES', '--authorized-nodes'), additional, ...rotation]
    : [text('AUTHORIZED_NODES', '--authorized-nodes'), additional, word('DATA_DIR', '--datadir'), ...logs('--log.maxbackups')])],
};

/** A variable that a script reads, and the releases in which it does. */
interface Read extends Period {
  readonly name: string;
  readonly launcher: Launcher;
  readonly from: Package;
}

/** What every script reads in some release. */
export function variablesRead(): readonly Read[] {
  return (Object.keys(programs) as Launcher[]).flatMap((launcher) =>
    packages.flatMap((from) =>
      namesRead([...daemon, ...programs[launcher](from)]).map((one) => ({ ...one, launcher, from })),
    ),
  );
}

function namesRead(steps: readonly Dated[], during: Period = {}): (Period & { readonly name: string })[] {
  return steps.flatMap((step) => {
    const { since = during.since, until = during.until } = step;
    const period = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    if ('test' in step)
      return [
        ...step.variables.map((name) => ({ ...period, name })),
        ...namesRead([...step.yes, ...(step.no ?? [])], period),
      ];
    const emitted = 'emit' in step ? step.emit.matchAll(/\$(\w+)/g) : [];
    return [...emitted].map(([, name = '']) => ({ ...period, name }));
  });
}

/** The steps of one launcher at a release, in the order its script takes them. */
export function launcherSteps(release: string, launcher: Launcher, from: Package): readonly Step[] {
  return stepsAt(release, programs[launcher](from));
}

function stepsAt(release: string, steps: readonly Dated[]): readonly Step[] {
  return steps
    .filter((step) => holdsAt(release, step))
    .map((step) => {
      if (!('test' in step)) return step;
      const { yes, no, ...test } = step;
      return {
        ...test,
        yes: stepsAt(release, yes),
        ...(no === undefined ? {} : { no: stepsAt(release, no) }),
      };
    });
}
