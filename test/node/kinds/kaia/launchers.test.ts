/** The launchers: the words that each script passes on, the variables it reads, and the conf that its package installs. */
import { expect, test } from 'vitest';
import { infer, launcherInName, launcherOfConf } from '../../../../src/node/kinds/kaia/infer.js';
import { launcherSteps } from '../../../../src/node/kinds/kaia/launchers.js';
import {
  binaryOf,
  isValidator,
  type Launcher,
  launcherNamed,
  launchers,
  type Package,
  packageNamed,
  roleOf,
} from '../../../../src/node/kinds/kaia/names.js';
import { packagedConf } from '../../../../src/node/kinds/kaia/packaged.js';
import type { ReleaseId } from '../../../../src/node/kinds/kaia/releases.js';
import { launchersAt } from '../../../../src/node/kinds/kaia/scripts.js';
import { isOwn, signs } from '../../../../src/node/kinds/kaia/signs.js';
import {
  isKnownVariable,
  knownVariables,
  periodOfVariable,
  readersAt,
} from '../../../../src/node/kinds/kaia/variables.js';
import type { Step } from '../../../../src/node/kinds/kind.js';

type Variables = (name: string) => string;

/** The flags that some steps pass on, what they strip, and what they refuse. */
function passed(steps: readonly Step[], textOf: Variables): string[] {
  return steps.flatMap((step) => {
    if ('emit' in step) return step.emit.split(' ').filter((word) => !/^\$(?!ADDITIONAL)/.test(word));
    if ('strip' in step) return [`strip:${step.strip}`];
    if ('refuse' in step) return [`refuse:${step.variable}`];
    const values = step.variables.map(textOf);
    const holds =
      step.test === 'is-empty'
        ? values.join('') === ''
        : values.some((value) => (step.values === undefined ? value !== '' : step.values.includes(value)));
    return passed(holds ? step.yes : (step.no ?? []), textOf);
  });
}

/** Every variable is set, except those that are given. */
function flagsOf(
  release: ReleaseId,
  launcher: Launcher,
  from: Package,
  given: Readonly<Record<string, string>>,
): string {
  return passed(launcherSteps(release, launcher, from), (name) => given[name] ?? '1').join(' ');
}

const meters = '--metrics --prometheus';
const head = `${meters} --db.no-parallel-write --multichannel`;
const http = '--rpc strip:RPC_API --rpcapi --rpcport --rpcaddr --rpccorsdomain --rpcvhosts';
const limits =
  '--rpc.concurrencylimit --rpcreadtimeout --rpcwritetimeout --rpcidletimeout --rpcexecutiontimeout';
const ws = '--ws strip:WS_API --wsapi --wsport --wsaddr --wsorigins';
const pool =
  '--txpool.exec-slots.all --txpool.nonexec-slots.all --txpool.exec-slots.account --txpool.nonexec-slots.account';
const middle = `--datadir --port --subport --srvtype --verbosity ${pool} --syncmode --maxconnections --db.leveldb.cache-size --db.pebbledb.cache-size`;
const peers = '--nodiscover --bootnodes';
const logs = '--log.rotate --log.maxsize --log.maxbackup --log.maxage --log.compress';
const mainBridge = '--mainbridge --mainbridgeport --childchainindexing';
const subBridge = '--subbridge --subbridgeport --chaintxperiod --chaintxlimit --parentchainid --anchoring';
const anchor =
  '--kas.sc.anchor --kas.sc.anchor.period --kas.sc.anchor.url --kas.sc.anchor.operator --kas.accesskey --kas.secretkey --kas.x-chain-id --kas.sc.anchor.request.timeout';
const bridges = `${mainBridge} ${subBridge} ${anchor} --sc.parentoperator.gaslimit --sc.childoperator.gaslimit --vtrecovery --vtrecoveryinterval`;
const stores =
  '--dbtype --db.single --db.dynamo.tablename --db.dynamo.read-only --gcmode --state.trie-cache-limit --statedb.cache.type --statedb.cache.redis.endpoints --statedb.cache.redis.publish --statedb.cache.redis.subscribe --vm.internaltx --kes.nodetype.service';

test.each<[Launcher, string]>([
  [
    'kcnd',
    `${head} ${http} ${ws} --networkid ${middle} ${peers} $ADDITIONAL --rewardbase --autorestart.enable ${logs}`,
  ],
  ['kpnd', `${head} ${http} ${ws} --networkid ${middle} ${peers} $ADDITIONAL ${logs}`],
  [
    'kend',
    `${head} ${http} ${limits} ${ws} --networkid ${middle} ${mainBridge} ${peers} $ADDITIONAL --autorestart.enable ${logs} ${stores}`,
  ],
  [
    'kscnd',
    `--nodiscover ${head} ${http} ${ws} --networkid ${middle} --scsigner --unlock --password ${bridges} $ADDITIONAL --rewardbase --autorestart.enable ${logs}`,
  ],
  ['kspnd', `${head} ${http} ${ws} --networkid ${middle} ${peers} ${bridges} $ADDITIONAL ${logs}`],
  [
    'ksend',
    `${head} ${http} ${limits} ${ws} --networkid ${middle} ${peers} ${bridges} $ADDITIONAL --autorestart.enable ${logs}`,
  ],
  [
    'kbnd',
    `--nodekey --networkid ${meters} --authorized-nodes $ADDITIONAL --datadir ${logs.replace('maxbackup', 'maxbackups')}`,
  ],
])('%s of the tar package passes these flags, in this order', (launcher, flags) => {
  expect(flagsOf('kaia/v2.2.1', launcher, 'tar', {})).toBe(flags);
});

const sameOrder = (text: string) => text.split(' ').sort();

test('the rpm scripts pass --txpool.lifetime, and differ from those of the tar package in three launchers', () => {
  const differences = launchers.map((launcher) => {
    const [tar, rpm] = (['tar', 'rpm'] as const).map((from) =>
      flagsOf('kaia/v2.2.1', launcher, from, {}).split(' '),
    ) as [string[], string[]];
    return [
      ...rpm.filter((flag) => !tar.includes(flag)).map((flag) => `+${flag}`),
      ...tar.filter((flag) => !rpm.includes(flag)).map((flag) => `-${flag}`),
    ].join(' ');
  });
  const lifetime = '+--txpool.lifetime';
  expect(differences).toEqual([
    lifetime,
    lifetime,
    `${lifetime} ${stores.replace(/--/g, '---')}`,
    `${lifetime} ---rewardbase`,
    lifetime,
    lifetime,
    '+--log.maxbackup ---log.maxbackups',
  ]);
  const boot = flagsOf('kaia/v2.2.1', 'kbnd', 'rpm', {});
  expect(boot).toBe(`--nodekey --networkid ${meters} --datadir --authorized-nodes $ADDITIONAL ${logs}`);
});

test.each<[ReleaseId, Launcher, Package, gained: string, lost: string]>([
  [
    'klaytn/v1.5.3',
    'kend',
    'tar',
    `strip:RPC_API ${limits} strip:WS_API --db.pebbledb.cache-size ${logs} ${stores}`,
    '',
  ],
  [
    'klaytn/v1.6.0',
    'kend',
    'tar',
    `strip:RPC_API ${limits} strip:WS_API --db.pebbledb.cache-size ${logs}`,
    '',
  ],
  [
    'klaytn/v1.8.4',
    'kend',
    'tar',
    `strip:RPC_API ${limits} strip:WS_API --db.pebbledb.cache-size ${logs}`,
    '',
  ],
  ['klaytn/v1.9.0', 'kend', 'tar', `--db.pebbledb.cache-size ${logs}`, ''],
  ['klaytn/v1.11.0', 'kend', 'tar', '--db.pebbledb.cache-size', ''],
  ['kaia/v1.0.2', 'kend', 'tar', '', ''],
  [
    'klaytn/v1.8.3',
    'kscnd',
    'tar',
    `strip:RPC_API strip:WS_API --db.pebbledb.cache-size --kas.sc.anchor.request.timeout --sc.parentoperator.gaslimit --sc.childoperator.gaslimit --vtrecoveryinterval ${logs}`,
    '',
  ],
  ['klaytn/v1.8.4', 'kscnd', 'tar', `strip:RPC_API strip:WS_API --db.pebbledb.cache-size ${logs}`, ''],
  ['klaytn/v1.10.2', 'kbnd', 'tar', logs.replace('maxbackup', 'maxbackups'), ''],
])('since %s, %s (%s) has gained the flags “%s”', (release, launcher, from, gained, lost) => {
  const [then, now] = [release, 'kaia/v2.2.1' as const].map((one) =>
    flagsOf(one, launcher, from, {}).split(' '),
  ) as [string[], string[]];
  expect(sameOrder(now.filter((flag) => !then.includes(flag)).join(' '))).toEqual(sameOrder(gained));
  expect(then.filter((flag) => !now.includes(flag)).join(' ')).toBe(lost);
});

test.each<[ReleaseId, Launcher, network: string, passed: string]>([
  ['kaia/v2.2.1', 'kend', 'mainnet', '--mainnet'],
  ['kaia/v2.2.1', 'kend', 'cypress', '--mainnet'],
  ['kaia/v2.2.1', 'kend', 'kairos', '--kairos'],
  ['kaia/v2.2.1', 'kend', 'baobab', '--kairos'],
  ['kaia/v2.2.1', 'kend', 'testnet', 'refuse:NETWORK'],
  ['kaia/v1.0.1', 'kend', 'kairos', '--kairos'],
  ['kaia/v1.0.0', 'kend', 'kairos', 'refuse:NETWORK'],
  ['kaia/v1.0.0', 'kend', 'testnet', '--testnet'],
  ['kaia/v0.9.0', 'kcnd', 'mainnet', '--mainnet'],
  ['kaia/v0.8.0', 'kcnd', 'mainnet', 'refuse:NETWORK'],
  ['kaia/v0.8.0', 'kpnd', 'cypress', '--cypress'],
  ['klaytn/v1.5.0', 'kpnd', 'baobab', '--baobab'],
  ['kaia/v2.2.1', 'kspnd', 'mainnet', 'refuse:NETWORK_ID'],
  ['kaia/v2.2.1', 'ksend', 'mainnet', 'refuse:NETWORK_ID'],
  ['kaia/v2.2.1', 'kscnd', 'mainnet', ''],
])('at %s, %s makes of the network %s: %s', (release, launcher, NETWORK, expected) => {
  const flags = flagsOf(release, launcher, 'tar', { NETWORK, NETWORK_ID: '' }).split(' ');
  const ofNetwork = /^(?:--(?:mainnet|cypress|kairos|baobab|testnet|networkid)|refuse:.*)$/;
  expect(flags.filter((one) => ofNetwork.test(one)).join(' ')).toBe(expected);
});

test('an anchor needs its variables, and the lifetime was passed without one up to klaytn v1.8.2', () => {
  const unset = flagsOf('kaia/v2.2.1', 'kscnd', 'tar', { SC_KAS_ANCHOR_URL: '' });
  expect(unset).toContain('refuse:SC_KAS_ANCHOR_URL --kas.sc.anchor.url');
  const passes = (release: ReleaseId) =>
    flagsOf(release, 'kend', 'rpm', { TXPOOL_LIFE_TIME: '' }).includes('--txpool.lifetime');
  expect([passes('klaytn/v1.8.2'), passes('klaytn/v1.8.3')]).toEqual([true, false]);
  const recovers = (release: ReleaseId, given: Readonly<Record<string, string>>) =>
    flagsOf(release, 'ksend', 'tar', { VTRECOVERY: '', SC_VTRECOVERY: '', ...given }).includes(
      '--vtrecovery',
    );
  expect([
    recovers('klaytn/v1.8.3', { SC_VTRECOVERY: '1' }),
    recovers('klaytn/v1.8.4', { SC_VTRECOVERY: '1' }),
    recovers('klaytn/v1.8.4', { VTRECOVERY: '1' }),
    recovers('klaytn/v1.8.4', {}),
  ]).toEqual([false, true, true, false]);
});

test('switches are the variables that a script compares with 1', () => {
  const { steps, switches } = launchersAt('kaia/v2.2.1');
  const common = 'METRICS PROMETHEUS DB_NO_PARALLEL_WRITE MULTICHANNEL RPC_ENABLE WS_ENABLE';
  expect(switches('kspnd', 'tar').join(' ')).toBe(
    `${common} NO_DISCOVER SC_MAIN_BRIDGE SC_MAIN_BRIDGE_INDEXING SC_SUB_BRIDGE SC_ANCHORING SC_KAS_ANCHOR VTRECOVERY SC_VTRECOVERY LOG_ROTATE LOG_COMPRESS`,
  );
  expect(switches('kbnd', 'rpm').join(' ')).toBe('METRICS PROMETHEUS LOG_ROTATE LOG_COMPRESS');
  expect(steps('kbnd', 'rpm')[0]).toEqual({ emit: '--nodekey $KEY_PATH' });
  expect(steps('kbnd', 'rpm')).not.toEqual(steps('kbnd', 'tar'));
});

test('the variable of a flag is the first that a script makes it from: its switch, or its value', () => {
  const { variablesByFlag } = launchersAt('kaia/v2.2.1');
  const textOf = (launcher: Launcher, from: Package) =>
    [...variablesByFlag(launcher, from)].map(([flag, { name, isSwitch }]) =>
      isSwitch ? `${flag}?${name}` : `${flag}=${name}`,
    );
  expect(textOf('kbnd', 'tar').join(' ')).toBe(
    'nodekey=KEY_PATH networkid=NETWORK_ID metrics?METRICS prometheus?PROMETHEUS authorized-nodes=AUTHORIZED_NODES datadir=DATA_DIR log.rotate?LOG_ROTATE log.maxsize=LOG_MAXSIZE log.maxbackups=LOG_MAXBACKUP log.maxage=LOG_MAXAGE log.compress?LOG_COMPRESS',
  );
  const service = textOf('kscnd', 'tar');
  expect(service).not.toContain('nodiscover?NO_DISCOVER');
  expect(service).toEqual(
    expect.arrayContaining([
      'scsigner=SCSIGNER',
      'unlock=SCSIGNER',
      'password=SCSIGNER_PASSWD_FILE',
      'subbridge?SC_SUB_BRIDGE',
      'subbridgeport=SC_SUB_BRIDGE_PORT',
      'chaintxlimit=SC_TX_LIMIT',
      'vtrecovery?VTRECOVERY',
      'kas.sc.anchor?SC_KAS_ANCHOR',
      'kas.secretkey=SC_KAS_ANCHOR_SECRET_KEY',
      'networkid=NETWORK_ID',
    ]),
  );
  expect(textOf('kend', 'tar')).toEqual(
    expect.arrayContaining([
      'mainnet?NETWORK',
      'kairos?NETWORK',
      'networkid=NETWORK_ID',
      'statedb.cache.type=STATEDB_CACHE_TYPE',
    ]),
  );
});

test('launchers have their confs, folders and networks', () => {
  const own = launchersAt('kaia/v2.2.1');
  expect(own.installedConfs).toContain('/etc/kscnd/conf/kscnd.conf');
  expect(own.confsInImage('kpnd')).toEqual([
    '/klaytn-docker-pkg/conf/kpnd.conf',
    '/kaia-docker-pkg/conf/kpnd.conf',
    '/etc/kpnd/conf/kpnd.conf',
  ]);
  expect(own.ownExamples.every((name) => own.isOwn(name, ''))).toBe(true);
  expect(own.ownExamples).toHaveLength(2);
  expect([own.presets('tar'), own.presets('rpm')]).toEqual([{ STOP_TIMEOUT: '10' }, {}]);
  const folder = { variable: 'DATA_DIR', flag: 'datadir' };
  expect(
    [
      ['kend', 'tar'],
      ['kend', 'rpm'],
      ['kbnd', 'tar'],
    ].map(([launcher = '', from = '']) => own.neededFolder(launcher, from)),
  ).toEqual([folder, null, null]);
  const network = { name: 'NETWORK', id: 'NETWORK_ID', flag: 'networkid' };
  expect(launchers.map(own.networkVariables)).toEqual([
    network,
    network,
    network,
    null,
    network,
    network,
    null,
  ]);
  expect(() => own.steps('kxnd', 'tar')).toThrow('kxnd is not a launcher');
  expect(() => own.steps('kend', 'deb')).toThrow('deb is not a package');
  expect(own.readBy('kend', 'tar')).toContain('DB_TYPE');
  expect(own.readBy('kend', null)).toContain('DB_TYPE');
  expect(own.readBy('kend', 'rpm')).not.toContain('DB_TYPE');
  expect(own.packagedConf('kbnd', 'tar')).toEqual({ METRICS: '1', PROMETHEUS: '1', NETWORK_ID: '' });
});

test('the names of launchers, packages and roles', () => {
  expect([launcherNamed('kend'), packageNamed('rpm'), binaryOf('kscnd')]).toEqual(['kend', 'rpm', 'kscn']);
  expect(() => launcherNamed('ken')).toThrow('ken is not a launcher');
  expect(() => packageNamed('deb')).toThrow('deb is not a package');
  expect(launchers.map(roleOf)).toEqual([
    'consensus',
    'proxy',
    'endpoint',
    'service-chain',
    'service-chain',
    'service-chain',
    'boot',
  ]);
});

test.each<
  [launcher: Launcher | null, by: string | undefined, role: string | null | undefined, expected: boolean]
>([
  ['kcnd', undefined, undefined, true],
  ['kscnd', 'name', null, true],
  ['kend', 'name', null, false],
  ['kend', 'guess', null, true],
  [null, undefined, null, true],
  ['kend', 'name', 'validator', true],
  ['kend', 'guess', 'endpoint', false],
  ['kcnd', 'name', 'endpoint', true],
  ['kend', 'guess', 'service-chain', true],
  ['kend', 'guess', 'mine', true],
  ['kend', 'guess', 'toString', true],
  ['ksend', 'name', 'service-chain', false],
])('%s, known by %s, with the role %s may be a validator: %s', (launcher, by, role, expected) => {
  expect(
    isValidator({ launcher, ...(by === undefined ? {} : { by }), ...(role === undefined ? {} : { role }) }),
  ).toBe(expected);
});

const kend = {
  RPC_ENABLE: '1',
  RPC_API: 'klay,eth,net,web3',
  RPC_PORT: '8551',
  RPC_ADDR: '0.0.0.0',
  RPC_CORSDOMAIN: '*',
  RPC_VHOSTS: '*',
  WS_ENABLE: '1',
  WS_API: 'klay,eth,net,web3',
  WS_ADDR: '0.0.0.0',
  WS_PORT: '8552',
  WS_ORIGINS: '*',
  SERVER_TYPE: 'http',
  PORT: '32323',
  METRICS: '1',
  PROMETHEUS: '1',
  NETWORK: 'mainnet',
  NETWORK_ID: '',
  RPC_CONCURRENCYLIMIT: '3000',
  RPC_READ_TIMEOUT: '30',
  RPC_WRITE_TIMEOUT: '30',
  RPC_IDLE_TIMEOUT: '120',
  RPC_EXECUTION_TIMEOUT: '30',
  SC_MAIN_BRIDGE: '0',
};

test('the packaged conf has the values of its release and package', () => {
  expect(packagedConf('kaia/v2.2.1', 'kend', 'tar')).toEqual(kend);
  expect(packagedConf('kaia/v2.2.1', 'kend', 'rpm')).toEqual({
    ...kend,
    DATA_DIR: '/var/kend/data',
    LOG_DIR: '/var/log/kend',
  });
  const {
    RPC_CONCURRENCYLIMIT: _,
    RPC_READ_TIMEOUT: __,
    RPC_WRITE_TIMEOUT: ___,
    RPC_IDLE_TIMEOUT: ____,
    RPC_EXECUTION_TIMEOUT: _____,
    ...older
  } = kend;
  const cypress = { ...older, NETWORK: 'cypress', SERVER_TYPE: 'fasthttp' };
  expect(packagedConf('klaytn/v1.8.0', 'kend', 'tar')).toEqual(cypress);
  expect(packagedConf('klaytn/v1.7.3', 'kend', 'tar')).toEqual({
    ...cypress,
    RPC_API: 'klay',
    WS_API: 'klay',
  });
  expect(packagedConf('klaytn/v1.9.0', 'kend', 'tar')).toMatchObject({ RPC_READ_TIMEOUT: '30' });
  expect(packagedConf('klaytn/v1.10.2', 'kend', 'tar')).toMatchObject({
    SERVER_TYPE: 'http',
    NETWORK: 'cypress',
  });
  expect(packagedConf('kaia/v0.9.0', 'kend', 'tar').NETWORK).toBe('mainnet');
  expect(packagedConf('kaia/v2.2.1', 'kscnd', 'rpm')).toMatchObject({
    RPC_PORT: '7551',
    WS_PORT: '7552',
    PORT: '22323',
    RPC_API: 'klay,eth,net,web3,subbridge',
    NETWORK_ID: '3000',
    RPC_ENABLE: '1',
  });
  expect(packagedConf('kaia/v2.2.1', 'kscnd', 'tar')).toMatchObject({ RPC_PORT: '8551', WS_PORT: '8552' });
  expect(packagedConf('klaytn/v1.7.0', 'kscnd', 'tar').RPC_API).toBe('klay,subbridge');
  expect(packagedConf('kaia/v2.2.1', 'kcnd', 'tar')).toMatchObject({ RPC_ENABLE: '0', WS_ENABLE: '0' });
  expect(packagedConf('kaia/v2.2.1', 'kpnd', 'tar').ADDITIONAL).toBe('--txpool.nolocals');
});

test.each<[ReleaseId, name: string, readers: readonly string[] | null]>([
  ['kaia/v2.2.1', 'REWARDBASE', ['kcnd', 'kscnd (tar)']],
  ['klaytn/v1.7.3', 'REWARDBASE', ['kcnd']],
  ['kaia/v2.2.1', 'DB_TYPE', ['kend (tar)']],
  ['klaytn/v1.5.0', 'DB_TYPE', []],
  ['kaia/v2.2.1', 'KEY_PATH', ['kbnd']],
  ['kaia/v2.2.1', 'LOG_MAXBACKUPS', []],
  ['kaia/v2.2.1', 'NO_SUCH_NAME', null],
  ['kaia/v2.2.1', 'toString', null],
])('at %s the variable %s is read by %j', (release, name, expected) => {
  const { readersByName, readBy } = readersAt(release);
  expect(readersByName(name)).toEqual(expected);
  const byLauncher = launchers.filter((launcher) => readBy(launcher, null).includes(name));
  expect(byLauncher).toEqual((expected ?? []).map((one) => one.replace(/ .*/, '')));
});

test('variables are sorted by name, and known from their first to their last release', () => {
  const { readBy } = readersAt('kaia/v2.2.1');
  expect(readBy('kbnd', 'tar')).toEqual([
    'ADDITIONAL',
    'AUTHORIZED_NODES',
    'AUTO_RESTART_INTERVAL',
    'AUTO_RESTART_NODE',
    'DATA_DIR',
    'KEY_PATH',
    'LOG_COMPRESS',
    'LOG_DIR',
    'LOG_MAXAGE',
    'LOG_MAXBACKUP',
    'LOG_MAXSIZE',
    'LOG_ROTATE',
    'METRICS',
    'NETWORK_ID',
    'PROMETHEUS',
  ]);
  expect([readBy('kscnd', 'tar'), readBy('kscnd', 'rpm')].map((all) => all.includes('REWARDBASE'))).toEqual([
    true,
    false,
  ]);
  expect(
    ['REWARDBASE', 'PDBCACHESIZE', 'SC_KAS_ANCHOR', 'VTRECOVERY', 'RPC_API', 'MAIN_BRIDGE'].map(
      periodOfVariable,
    ),
  ).toEqual([{}, { since: 'kaia/v1.0.2' }, { since: 'klaytn/v1.5.2' }, {}, {}, null]);
  expect(['RPC_API', 'SC_BRIDGE', 'RPCAPI', 'toString'].map(isKnownVariable)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(knownVariables()).toContain('AUTO_RESTART_NODE');
  expect(knownVariables()).not.toContain('SC_BRIDGE');
});

test.each<[path: string, conf: string | null, name: string | null]>([
  ['kend.conf', 'kend', 'kend'],
  ['/etc/kcnd/conf/kcnd_kairos.conf', 'kcnd', 'kcnd'],
  ['C:\\kaia\\ksend.conf', 'ksend', 'ksend'],
  ['public.kend.conf', null, 'kend'],
  ['my-kpnd.conf', null, 'kpnd'],
  ['kend.conf.j2', null, 'kend'],
  ['kend_kairos.conf.j2', null, 'kend'],
  ['kend', null, 'kend'],
  ['kend.yml', null, 'kend'],
  ['kend/x.conf', null, null],
  ['xkend.conf', null, null],
  ['kend.confx', null, 'kend'],
  ['kend_mainnet.conf', null, null],
  ['kendx.conf', null, null],
  ['kxnd.conf', null, null],
])('the conf %s is read by %s, and its name names %s', (path, conf, name) => {
  expect([launcherOfConf(path), launcherInName(path)]).toEqual([conf, name]);
});

test.each<[path: string, text: string, launcher: string, from: string]>([
  ['kpnd.conf', 'REWARDBASE=1', 'kpnd by name', 'tar by guess'],
  ['/etc/kcnd/conf/kend.conf', '', 'kend by name', 'rpm by path'],
  ['etc/kcnd/conf/node.conf', '', 'kcnd by path', 'rpm by path'],
  ['/xetc/kcnd/conf/node.conf', '', 'kcnd by path', 'tar by guess'],
  ['/opt/kscnd-v1.8.1-linux-amd64/conf/node.conf', '', 'kscnd by path', 'tar by path'],
  ['kscnd-v1.8.1/conf/node.conf', '', 'kend by guess', 'tar by path'],
  ['/srv/xkscnd-v1.8.1/conf/node.conf', '', 'kend by guess', 'tar by guess'],
  ['/srv/kpnd/node.conf', '', 'kpnd by path', 'tar by guess'],
  ['/srv/kpnd/a/b/node.conf', '', 'kend by guess', 'tar by guess'],
  ['/srv/kpndx/node.conf', '', 'kend by guess', 'tar by guess'],
  ['a.conf', '# settings of the kcnd node\n', 'kcnd by guess', 'tar by guess'],
  ['a.conf', 'X=1 # settings of the kcnd node\n', 'kend by guess', 'tar by guess'],
  ['a.conf', '# settings\nof the kcnd node\n', 'kend by guess', 'tar by guess'],
  ['a.conf', '# settings of the kcndx node\n', 'kend by guess', 'tar by guess'],
  ['a.conf', 'DATA_DIR=/var/kspnd/data\n', 'kspnd by guess', 'rpm by guess'],
  ['a.conf', 'X=1\n\texport LOG_DIR="/var/log/kspnd"\n', 'kspnd by guess', 'rpm by guess'],
  ['a.conf', "DATA_DIR='/var/kspnd/data'\n", 'kspnd by guess', 'rpm by guess'],
  ['a.conf', 'MY_DATA_DIR=/var/kspnd/data\n', 'kend by guess', 'tar by guess'],
  ['a.conf', 'DATA_DIR=/mnt/var/kspnd/data\n', 'kend by guess', 'tar by guess'],
  ['a.conf', 'KEY_PATH=/k\nAUTHORIZED_NODES=x\n', 'kbnd by guess', 'tar by guess'],
  ['a.conf', '  export SCSIGNER=/k\nSCSIGNER_PASSWD_FILE+=x\n', 'kscnd by guess', 'tar by guess'],
  ['a.conf', 'RPC_API=klay\n', 'kend by guess', 'tar by guess'],
  ['a.conf', 'REWARDBASE=1\nREWARDBASE=2\nDB_TYPE=x\nGCMODE=x\n', 'kend by guess', 'tar by guess'],
  ['a.conf', '', 'kend by guess', 'tar by guess'],
])('%s with the text %j is a conf of %s, of the package %s', (path, text, launcher, from) => {
  const found = infer(path, text);
  expect([`${found.launcher} by ${found.by}`, `${found.package} by ${found.packageBy}`]).toEqual([
    launcher,
    from,
  ]);
});

test('a comment names the launcher of a conf within its first 2,000 characters', () => {
  const text = (length: number) => `${'x'.repeat(length)}\n# kcnd\n`;
  expect([infer('a.conf', text(1000)).launcher, infer('a.conf', text(2000)).launcher]).toEqual([
    'kcnd',
    'kend',
  ]);
});

test.each([
  ['ADDITIONAL', '--rpc', true],
  ['SC_SUB_BRIDGE', '1', true],
  ['RPC_ENABLE', '1', false],
  ['RPC_API', 'eth,net', false],
  ['RPC_API', 'eth,net,klay', true],
  ['RPC_API', '"kaia"', true],
  ['RPC_API', "'my-module,kaia,eth'", true],
  ['RPC_API', 'kaiascan', false],
  ['RPC_API', 'eth kaia', false],
  ['WS_API', 'kaia', true],
  ['WS_API', 'kaia:8551', false],
  ['RPC_ADDR', 'kaia', false],
])('the assignment %s=%s is of Kaia alone: %s', (variable, value, expected) => {
  expect(isOwn(variable, value)).toBe(expected);
});

test.each<
  [
    sign: 'name' | 'image' | 'variable' | 'flag' | 'besideFlag' | 'otherProgram',
    text: string,
    expected: boolean,
  ]
>([
  ['name', 'exec ken --rpc', true],
  ['name', '/usr/bin/kscnd start', true],
  ['name', 'X=1\nkpn', true],
  ['name', 'KEN', true],
  ['name', 'my Klaytn node', true],
  ['name', 'homi\tsetup local', true],
  ['name', 'homisetup', false],
  ['name', 'token', false],
  ['name', 'x.ken', false],
  ['name', 'x-ken', false],
  ['name', 'ken@x', false],
  ['name', 'kens', false],
  ['name', 'ken-1', true],
  ['image', 'registry/KAIA:v1', true],
  ['image', 'geth', false],
  ['variable', 'KAIA_RPC', true],
  ['variable', 'KLAYTN_RPC', true],
  ['variable', 'MY_KAIA_RPC', false],
  ['variable', 'KAIA_', false],
  ['variable', 'KAIA', false],
  ['flag', '--rpcapi', true],
  ['flag', '--wsorigins', true],
  ['flag', '--ws-rpc.addr', true],
  ['flag', '--http-rpc.1', false],
  ['flag', '--rpcport', false],
  ['flag', 'rpcapi', false],
  ['besideFlag', '--rpcapi=klay', true],
  ['besideFlag', 'eth,kaia', true],
  ['besideFlag', 'governance', true],
  ['besideFlag', 'klayx', false],
  ['besideFlag', 'xklay', false],
  ['besideFlag', '--baobab', true],
  ['besideFlag', '--baobabs', false],
  ['besideFlag', '--http-rpc.port', true],
  ['otherProgram', 'exec geth', true],
  ['otherProgram', 'together', false],
])('%s matches %j: %s', (sign, text, expected) => {
  expect(signs[sign]?.test(text)).toBe(expected);
});
