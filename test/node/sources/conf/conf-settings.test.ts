import { describe, expect, test } from 'vitest';
import type { Listener, ListenerKind, Setting } from '../../../../src/node/facts/settings.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import type { ReadConf } from '../../../../src/node/sources/conf/text.js';
import { type ConfOptions, readConf } from '../../editables.js';

function facts(conf: string, options: ConfOptions = {}): ReadConf {
  return readConf('kend.conf', Buffer.from(`NETWORK=mainnet\nDATA_DIR=/d\n${conf}\n`), options);
}

function setting(conf: string, name: string, options?: ConfOptions): Setting {
  const found = facts(conf, options).settings.values[name];
  if (found === undefined) throw new Error(`no setting ${name}`);
  return found;
}

function listener(conf: string, kind: ListenerKind, options?: ConfOptions): Listener {
  return facts(conf, options).settings.listeners.find((one) => one.kind === kind) as Listener;
}

const on = 'RPC_ENABLE=1\nRPC_API=klay\n';

describe('where a setting comes from', () => {
  test('a variable has the place of its value', () => {
    expect(setting('RPC_ENABLE=1\nRPC_PORT="9000" # x', 'rpcport')).toEqual({
      value: 9000,
      origin: {
        kind: 'assignment',
        variable: 'RPC_PORT',
        flag: 'rpcport',
        at: { file: 'kend.conf', line: 4, column: 11, endLine: 4, endColumn: 15 },
      },
      shadowed: [{ value: 8551, origin: { kind: 'default' } }],
      indeterminate: null,
    });
  });

  test('ADDITIONAL overrides a variable, and the place is the word', () => {
    const { value, origin, shadowed } = setting(
      `${on}ADDITIONAL="--x1 --rpcapi klay,debug"`.replace('--x1', '--ws'),
      'rpcapi',
    );
    expect(value).toBe('klay,debug');
    expect(origin).toMatchObject({ kind: 'flag', at: { line: 5, column: 27, endColumn: 37 } });
    expect(shadowed).toMatchObject([{ value: 'klay', origin: { kind: 'assignment', variable: 'RPC_API' } }]);
  });

  test('the command line beats the environment, KLAYTN_ beats KAIA_, and export counts', () => {
    const env = { KAIA_RPCAPI: 'b', KLAYTN_RPCAPI: 'a' };
    expect(setting('', 'rpcapi', { env })).toMatchObject({
      value: 'a',
      origin: { variable: 'KLAYTN_RPCAPI' },
    });
    expect(setting(on, 'rpcapi', { env })).toMatchObject({ value: 'klay', shadowed: [{ value: 'a' }] });
    expect(setting('export KAIA_RPC=true', 'rpc')).toMatchObject({
      value: true,
      origin: { kind: 'environment', variable: 'KAIA_RPC', at: { line: 3 } },
    });
    expect(setting('KAIA_RPC=true', 'rpc').value).toBe(false);
    expect(setting('set -a\nKAIA_RPC=true', 'rpc').value).toBe(true);
    expect(setting('KAIA_RPC=true', 'rpc', { env: { KAIA_RPC: '0' } }).value).toBe(true);
  });

  test('an empty variable of the environment is set for texts and switches, not for numbers', () => {
    expect(setting('', 'rpcapi', { env: { KAIA_RPCAPI: '' } }).value).toBe('');
    expect(setting('', 'rpc', { env: { KLAYTN_RPC: '', KAIA_RPC: '1' } }).value).toBe(false);
    expect(setting('', 'rpcport', { env: { KAIA_RPCPORT: '' } })).toMatchObject({
      value: 8551,
      origin: { kind: 'default' },
    });
  });

  test('a launcher adds flags that no variable sets', () => {
    const conf = readConf('kscnd.conf', Buffer.from('DATA_DIR=/d'));
    expect(conf.settings.values.nodiscover).toMatchObject({ value: true, origin: { kind: 'launcher' } });
  });

  test('a YAML file may set any flag that nothing else sets', () => {
    const conf = `${on}ADDITIONAL="--conf /etc/node.yaml"`;
    expect(setting(conf, 'rpcapi').value).toBe('klay');
    expect(setting(conf, 'grpc')).toMatchObject({
      value: null,
      origin: { kind: 'yaml', path: '/etc/node.yaml' },
    });
    expect(listener(conf, 'grpc').state).toBe('unknown');
    expect(listener(conf, 'http')).toMatchObject({ state: 'on', modules: ['kaia', 'rpc'] });
  });

  test('an unknown ADDITIONAL makes every setting unknown; an unknown port only the port', () => {
    expect(setting(`${on}ADDITIONAL=$(cat x)`, 'rpcapi')).toMatchObject({
      value: null,
      shadowed: [{ value: 'klay' }],
    });
    expect(setting(`${on}RPC_PORT=$(cat x)`, 'rpcport').value).toBe(null);
    expect(setting(`${on}RPC_PORT=$(cat x)`, 'rpcapi').value).toBe('klay');
    expect(listener(`${on}RPC_ENABLE=$(cat x)`, 'http').state).toBe('unknown');
  });
});

describe('settings that the node refuses', () => {
  test.each([
    ['--nosuch', 'unknown-flag'],
    ['--rpcapi', 'missing-value'],
    ['--rpcport abc', 'bad-value'],
    ['--rpcport 99999999999999999999', 'bad-value'],
    ['--rpc=maybe', 'bad-value'],
    ['--rpc false', 'stray-word'],
    ['stray --rpc', 'stray-word'],
    ['-- x', 'stray-word'],
    ['---x', 'bad-syntax'],
    ['--rpcapi a --http-rpc.api b', 'conflicting-flags'],
    ['--ipcdisable --ipcpath /x', 'conflicting-flags'],
    // A switch counts even if it is given as false.
    ['--ipcdisable=false --ipcpath /x', 'conflicting-flags'],
    ['--help', 'ending-flag'],
    ['--rpcapi "klay, personal"', 'stray-word'],
  ])('%s', (flags, kind) => {
    const conf = facts(`ADDITIONAL='${flags}'`);
    expect(conf.settings.problems.filter(({ fatal }) => fatal).map((one) => one.kind)).toEqual([kind]);
    expect(conf.settings.startable).toBe(false);
  });

  test.each(['--rpcport=0x10', '--rpc=false --rpc', '-rpc', '--rpcapi a --rpcapi b', '--'])(
    'not %s',
    (flags) => {
      expect(facts(`ADDITIONAL='${flags}'`).settings.problems).toEqual([]);
    },
  );

  test('a flag of another binary and a wrong LOG_MAXBACKUP are fatal', () => {
    expect(facts('ADDITIONAL=--subbridge').settings.problems.map(({ kind }) => kind)).toEqual([
      'unknown-flag',
    ]);
    expect(facts('LOG_ROTATE=1\nLOG_MAXBACKUP=3').settings.problems.map(({ kind }) => kind)).toEqual([
      'unknown-flag',
    ]);
    expect(facts('', { env: { KAIA_RPC: 'maybe' } }).settings.problems.map(({ kind }) => kind)).toEqual([
      'bad-value',
    ]);
  });

  test('problems that do not stop the node are notes', () => {
    expect(facts('NETWORK_ID=9').settings.problems).toMatchObject([
      { kind: 'network-ignored', fatal: false },
    ]);
    expect(facts('RPC_ENABLE=1\nRPC_VHOSTS="a, b"').settings.problems).toMatchObject([
      { kind: 'dropped-setting', fatal: false, variable: 'RPC_VHOSTS', flags: ['--rpcvhosts'] },
    ]);
    expect(facts('[ -e /x ] || exit 1').settings.problems).toMatchObject([
      { kind: 'launcher-refuses', fatal: false },
    ]);
    expect(facts('exit 1').settings.startable).toBe(false);
  });
});

describe('offered modules', () => {
  test.each([
    ['RPC_ENABLE=1', ['eth', 'kaia', 'net', 'rpc', 'web3'], true],
    ['RPC_ENABLE=1\nRPC_API=klay,debug,miner,Admin,eth', ['debug', 'eth', 'kaia', 'rpc'], false],
    ['RPC_ENABLE=1\nRPC_API="*"', ['rpc'], false],
    ['RPC_ENABLE=1\nRPC_API=subbridge,bootnode,auction', ['rpc'], false],
    ['ADDITIONAL="--rpc --rpcapi="', ['rpc'], false],
    ['ADDITIONAL="--rpc"\nRPC_API=debug', ['eth', 'kaia', 'net', 'rpc', 'web3'], true],
  ])('%j', (conf, modules, builtInList) => {
    expect(listener(conf, 'http')).toMatchObject({ state: 'on', modules, builtInList });
  });

  test('an empty address turns http off', () => {
    expect(listener(`${on}ADDITIONAL=--rpcaddr=`, 'http')).toMatchObject({ state: 'off' });
    expect(listener(on, 'http')).toMatchObject({
      state: 'on',
      host: '127.0.0.1',
      port: 8551,
      origins: [],
      vhosts: ['localhost'],
    });
  });

  test('modules that come with a flag or a launcher', () => {
    const service = (conf: string) =>
      readConf('kscnd.conf', Buffer.from(`DATA_DIR=/d\nRPC_ENABLE=1\nRPC_API=subbridge,auction\n${conf}`));
    const modules = (conf: string) => service(conf).settings.listeners[0]?.modules;
    expect(modules('')).toEqual(['auction', 'rpc']);
    expect(
      modules(
        'SC_SUB_BRIDGE=1\nSC_SUB_BRIDGE_PORT=1\nSC_ANCHORING_PERIOD=1\nSC_TX_LIMIT=1\nSC_PARENT_CHAIN_ID=1',
      ),
    ).toEqual(['auction', 'rpc', 'subbridge']);
    expect(modules('ADDITIONAL=--auction.disable')).toEqual(['rpc']);
  });

  test('metrics need both words in their exact spelling', () => {
    const state = (conf: string) => listener(conf, 'metrics').state;
    expect(state('METRICS=1\nPROMETHEUS=1')).toBe('on');
    expect(state('PROMETHEUS=1')).toBe('off');
    expect(state('ADDITIONAL="-metrics --prometheus"')).toBe('on');
    expect(state('ADDITIONAL="--metrics --prometheus --prometheus=false"')).toBe('on');
    expect(state('ADDITIONAL="--metrics=true --prometheus"')).toBe('off');
    for (const alias of kaia.flags.of('ken').byName.get('prometheus')?.aliases ?? [])
      expect([alias, state(`METRICS=1\nADDITIONAL=--${alias}`)]).toEqual([alias, 'off']);
    expect(listener('ADDITIONAL="--metrics=true --prometheus"', 'metrics').reason).toBe(
      'the node looks for --metrics and --prometheus written exactly so',
    );
    expect(state('METRICS=$(x)\nPROMETHEUS=1')).toBe('unknown');
    expect(listener('METRICS=1\nPROMETHEUS=1', 'metrics')).toMatchObject({ host: '0.0.0.0', port: 61001 });
  });

  test('the ipc socket is in the data folder', () => {
    expect(listener('', 'ipc')).toMatchObject({ state: 'on', path: '/d/klay.ipc' });
    expect(listener('ADDITIONAL="--ipcpath x.ipc"', 'ipc').path).toBe('/d/x.ipc');
    expect(listener('ADDITIONAL="--ipcpath /run/x.ipc"', 'ipc').path).toBe('/run/x.ipc');
    expect(listener('ADDITIONAL=--ipcdisable', 'ipc').state).toBe('off');
    expect(listener('ADDITIONAL=--datadir=', 'ipc').path).toBeNull();
    expect(listener('ADDITIONAL=--ipcpath=', 'ipc').path).toBe('/d/klay.ipc');
  });

  test('gRPC, pprof and the main bridge are offered by their flags', () => {
    expect(listener('ADDITIONAL=--grpc', 'grpc')).toMatchObject({
      state: 'on',
      host: '127.0.0.1',
      port: 8553,
      listed: null,
    });
    expect(listener('ADDITIONAL=--grpc', 'grpc').modules).not.toContain('personal');
    expect(listener('ADDITIONAL="--pprof --pprofaddr 0.0.0.0"', 'pprof')).toMatchObject({
      state: 'on',
      host: '0.0.0.0',
      port: 6060,
    });
    expect(listener('SC_MAIN_BRIDGE=1\nSC_MAIN_BRIDGE_PORT=50505', 'mainbridge')).toMatchObject({
      state: 'on',
      host: '0.0.0.0',
      port: 50505,
    });
  });
});

test('a switch has the value that the launcher gives it', () => {
  const { switches } = facts('RPC_ENABLE=true\nWS_ENABLE=0x1\nMETRICS=$(x)').shell;
  expect(switches).toMatchObject({ RPC_ENABLE: false, WS_ENABLE: true, METRICS: null, PROMETHEUS: false });
});

test.each([
  ['kend.conf', '', 'kend', 'tar'],
  ['kscnd_kairos.conf', '', 'kscnd', 'tar'],
  ['/etc/kcnd/conf/kcnd.conf', '', 'kcnd', 'rpm'],
  ['/opt/kpnd-linux-amd64/conf/kpnd.conf', 'DATA_DIR=/var/kpnd/data', 'kpnd', 'tar'],
  ['x', '# Configuration file for the ksend\n', 'ksend', 'tar'],
  ['x', 'DATA_DIR=/var/kspnd/data\n', 'kspnd', 'rpm'],
  ['x', 'SCSIGNER=\n', 'kscnd', 'tar'],
  ['-', '', 'kend', 'tar'],
])('%s %j is of %s (%s)', (path, conf, launcher, from) => {
  const found = readConf(path, Buffer.from(conf));
  expect([found.settings.launcher, found.settings.package]).toEqual([launcher, from]);
});

test('STOP_TIMEOUT has the launcher’s default until a conf sets it', () => {
  const variables = (text: string) => ({ ...readConf('x', Buffer.from(text)).shell.variables });
  expect(variables('A=1\n')).toEqual({ A: '1' });
  expect(variables('STOP_TIMEOUT=10\n')).toEqual({ STOP_TIMEOUT: '10' });
  expect(variables('STOP_TIMEOUT=5\n')).toEqual({ STOP_TIMEOUT: '5' });
  expect(variables('A=$STOP_TIMEOUT\n')).toEqual({ A: '10' });
});

test('every listener is listed, on or off, with the settings that decide it', () => {
  const listeners = readConf('kcnd.conf', Buffer.from('NETWORK=mainnet\nDATA_DIR=/d\n')).settings.listeners;
  const off = { reason: null, state: 'off', path: null, listed: null, origins: null, vhosts: null };
  const local = { host: '127.0.0.1', builtInList: false };
  const open = ['eth', 'kaia', 'net', 'rpc', 'web3'];
  const most = ['admin', 'debug', 'eth', 'governance', 'istanbul', 'kaia', 'net', 'rpc', 'txpool', 'web3'];
  expect(listeners).toEqual([
    {
      ...off,
      ...local,
      kind: 'http',
      decidedBy: ['rpc', 'rpcaddr', 'rpcport', 'rpcapi'],
      port: 8551,
      modules: open,
      builtInList: true,
      origins: [],
      vhosts: ['localhost'],
    },
    {
      ...off,
      ...local,
      kind: 'ws',
      decidedBy: ['ws', 'wsaddr', 'wsport', 'wsapi'],
      port: 8552,
      modules: open,
      builtInList: true,
      origins: [],
    },
    {
      ...off,
      ...local,
      kind: 'grpc',
      decidedBy: ['grpc', 'grpcaddr', 'grpcport'],
      port: 8553,
      modules: most,
    },
    {
      ...off,
      kind: 'metrics',
      decidedBy: ['metrics', 'prometheus', 'prometheusport'],
      host: '0.0.0.0',
      port: 61001,
      modules: null,
      builtInList: false,
    },
    {
      ...off,
      ...local,
      kind: 'pprof',
      decidedBy: ['pprof', 'pprofaddr', 'pprofport'],
      port: 6060,
      modules: null,
    },
    {
      ...off,
      kind: 'mainbridge',
      reason: 'this binary has no --mainbridge',
      decidedBy: [],
      host: '0.0.0.0',
      port: null,
      modules: ['kaia'],
      builtInList: false,
    },
    {
      ...off,
      kind: 'ipc',
      state: 'on',
      path: '/d/klay.ipc',
      decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
      host: null,
      port: null,
      modules: [
        'admin',
        'auction',
        'debug',
        'eth',
        'governance',
        'istanbul',
        'kaia',
        'net',
        'personal',
        'rpc',
        'txpool',
        'web3',
      ],
      builtInList: false,
    },
  ]);
});

test.each([
  ['[ -z "$API" ] && API=eth', 'eth'],
  ['[[ -n "${API:-}" ]] || API=eth', 'eth'],
  ['if [ -z "$API" ]; then API=eth; fi', 'eth'],
  ['test ! -n "$API" && export API=eth', 'eth'],
  ['[ -n "$API" ] && API=eth', null],
  ['[ -z "$API" ] && OTHER=1', ''],
  ['[ "$API" = x ] && API=eth', null],
])('%s sets a default: %j', (line, value) => {
  expect(facts(`RPC_ENABLE=1\n${line}\nRPC_API="$API"`).shell.variables.RPC_API ?? null).toBe(value);
});
