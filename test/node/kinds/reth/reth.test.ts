/** What the words of reth open at a release, what keeps it from starting, and the evidence of its release. */
import { expect, test } from 'vitest';
import type { Listener } from '../../../../src/node/facts/settings.js';
import type { Kind } from '../../../../src/node/kinds/kind.js';
import { opReth, reth } from '../../../../src/node/kinds/reth/index.js';
import { settingsOfWords } from '../../../../src/node/sources/argv/node.js';

/** `v1.3.0`, or `op-reth/v1.3.0`; a fork behind a blank. */
function kindAt(text: string): Kind {
  const [release = '', fork] = text.split(' ');
  const [product, tag] = release.includes('/') ? release.split('/') : ['reth', release];
  return (product === 'reth' ? reth : opReth).at(`${product}/${tag}`, fork);
}

/** Words behind `node`; `_` is an empty one. */
function startOf(words: string, release = 'v2.5.1') {
  const kind = kindAt(release);
  const none = { variable: null, at: null, cause: null, causeAt: null, indeterminate: null, maybe: null };
  const texts = `node ${words}`.trim().split(' ');
  return settingsOfWords({
    kind,
    launcher: kind.id,
    environment: new Map(),
    file: null,
    before: [],
    after: [],
    release: { value: kind.release.id, since: kind.release.id, until: kind.release.id, by: 'option' },
    words: texts.map((text) => ({ ...none, text: text === '_' ? '' : text, written: true })),
    locate: () => null,
  });
}

const places = (listeners: readonly Listener[]) =>
  listeners.flatMap(({ kind, state, host, port, path, login }) =>
    state === 'off'
      ? []
      : [
          `${kind}${state === 'on' ? '' : '?'} ${path ?? `${host}:${port}`}${login === undefined ? '' : ` ${login}`}`,
        ],
  );

const usual = 'authrpc 127.0.0.1:8551';
const socket = 'ipc /tmp/reth.ipc';

test.each([
  ['', [usual, socket]],
  ['--http', ['http 127.0.0.1:8545', usual, socket]],
  ['--http.addr 0.0.0.0 --http.api admin', [usual, socket]],
  ['--dev', ['http 127.0.0.1:8545', usual, socket]],
  ['--auto-mine --ws --ws.addr ::', ['http 127.0.0.1:8545', 'ws :::8546', usual, socket]],
  ['--http --http.addr=0.0.0.0 --http.port 80', ['http 0.0.0.0:80', usual, socket]],
  ['--disable-auth-server --auth-ipc --ipcdisable', []],
  ['--disable-engine-api', [socket]],
  ['--auth-ipc', [usual, 'engine-ipc /tmp/reth_engine_api.ipc', socket]],
  [
    '--auth-ipc --auth-ipc.path /run/e.ipc --ipcpath /run/r.ipc',
    [usual, 'engine-ipc /run/e.ipc', 'ipc /run/r.ipc'],
  ],
  ['--metrics 9001', [usual, 'metrics 127.0.0.1:9001', socket]],
  ['--metrics.prometheus 0.0.0.0:9001', [usual, 'metrics 0.0.0.0:9001', socket]],
  [
    '--http --ws --instance 3',
    ['http 127.0.0.1:8543', 'ws 127.0.0.1:8550', 'authrpc 127.0.0.1:8751', 'ipc /tmp/reth.ipc-3'],
  ],
  ['--instance 1', [usual, 'ipc /tmp/reth.ipc-1']],
  ['--http --with-unused-ports', ['http 127.0.0.1:null', 'authrpc 127.0.0.1:null', 'ipc null:null']],
  [
    `--http --ws --rpc.jwtsecret ${'0f'.repeat(32)}`,
    ['http 127.0.0.1:8545 token', 'ws 127.0.0.1:8546 token', usual, socket],
  ],
])('node %s opens %j', (words, opened) => {
  expect(places(startOf(words).listeners)).toEqual(opened);
});

test('without --instance a node has the usual socket', () => {
  expect(places(startOf('', 'v1.3.4').listeners)).toEqual([usual, socket]);
});

const modulesOf = (words: string, release?: string) =>
  startOf(words, release)
    .listeners.find(({ kind }) => kind === 'http')
    ?.modules?.join(' ');
const every = 'admin debug eth flashbots mev miner net ots reth rpc testing trace txpool web3';

test.each([
  ['', 'eth net web3'],
  ['--http.api=', ''],
  ['--http.api _', ''],
  ['--http.api all', every],
  ['--http.api ALL,eth', every],
  ['--http.api none,admin', ''],
  ['--http.api None', ''],
  ['--http.api eth', 'eth'],
  ['--http.api eth,admin', 'admin eth'],
  ['--http.api eth,admin,eth', 'admin eth'],
  ['--http.api eth,all', 'eth'],
  ['--http.api eth,none', 'eth'],
  ['--http.api eth,,admin', 'admin eth'],
  ['--http.api rpc', 'rpc'],
])('http of %s offers “%s”', (words, modules) => {
  expect(modulesOf(`--http ${words}`)).toBe(modules);
});

test.each([
  ['v1.0.0', 'admin debug eth net ots reth rpc trace txpool web3'],
  ['v1.1.1', 'admin debug eth flashbots net ots reth rpc trace txpool web3'],
  ['v1.3.0', 'admin debug eth flashbots mev miner net ots reth rpc trace txpool web3'],
  ['v1.10.0', every],
])('every module of %s is %s', (release, modules) => {
  expect(modulesOf('--http --http.api all', release)).toBe(modules);
  expect(
    startOf('', release)
      .listeners.find(({ kind }) => kind === 'ipc')
      ?.modules?.join(' '),
  ).toBe(modules);
});

const ends = 'the node does not start';
const among = 'lists * among other origins: the node does not start';

test.each<[release: string, words: string, problems: readonly string[]]>([
  [
    'v2.5.1',
    '--http.api eth,personal',
    [`--http.api lists personal, which is no module of this release: ${ends}`],
  ],
  ['v2.5.1', '--ws.api Eth', [`--ws.api lists Eth, which is no module of this release: ${ends}`]],
  ['v2.5.1', '--http.api eth,all,', []],
  ['v1.7.0', '--http.api eth,', [`--http.api lists an entry without a name: ${ends}`]],
  ['v1.7.0', '--http.api eth,all', [`--http.api lists all, which is no module of this release: ${ends}`]],
  ['v1.7.0', '--http.api all,x', []],
  ['v1.7.0', '--http.api testing', [`--http.api lists testing, which is no module of this release: ${ends}`]],
  ['v2.5.1 bera-reth', '--http.api bera', []],
  ['v2.5.1', '--http --http.corsdomain *', []],
  ['v2.5.1', '--http --http.corsdomain a,*', [`--http.corsdomain ${among}`]],
  ['v2.5.1', '--http.corsdomain a,*', []],
  ['v2.5.1', '--ws --ws.corsdomain a,*', [`--ws.origins ${among}`]],
  ['v2.5.1', '--http --ws --ws.port 8545', []],
  [
    'v2.5.1',
    '--http --ws --ws.port 8545 --ws.api eth',
    [`http and ws share port 8545, and their module lists differ: ${ends}`],
  ],
  ['v2.5.1', '--http --ws --ws.port 8545 --ws.api web3,net,eth', []],
  ['v2.5.1', '--http --ws --ws.port 8545 --ws.api eth --ws.addr ::', []],
  [
    'v2.5.1',
    '--http --ws --ws.port 8545 --ws.origins a --http.corsdomain b',
    [`http and ws share port 8545, and --ws.origins is not --http.corsdomain: ${ends}`],
  ],
  ['v2.5.1', '--http --ws --ws.port 8545 --ws.origins a', []],
  [
    'v2.5.1',
    '--rpc.gascap 0 --instance 201',
    [`--rpc.gascap 0 is out of range: ${ends}`, `--instance 201 is out of range: ${ends}`],
  ],
  ['v2.5.1', '--rpc.gascap max --rpc.max-connections 0', []],
  ['v2.5.1', '--rpc.jwtsecret /run/jwt.hex', [`--rpc.jwtsecret is not 32 bytes in hexadecimal: ${ends}`]],
  [
    'v2.5.1',
    '--instance 2 --with-unused-ports',
    [`--with-unused-ports and --instance exclude each other: ${ends}`],
  ],
])('%s with %s has the problems %j', (release, words, problems) => {
  expect(
    startOf(words, release)
      .problems.map(({ message }) => message)
      .sort(),
  ).toEqual([...problems].sort());
});

test.each([
  ['node', true],
  ['node --http', true],
  ['--http node', true],
  ['-vvv node', true],
  ['--http', true],
  ['', false],
  ['--version', false],
  ['node --help', false],
  ['db stats', false],
  ['--datadir node init', false],
  ['p2p bootnode', false],
  ['\u0000', true],
])('“%s” starts a node: %s', (words, starts) => {
  expect(reth.startsNode(words === '' ? [] : words.split(' '))).toBe(starts);
});

test.each([
  ['ghcr.io/paradigmxyz/reth:v1.10.2', 'reth/v1.10.2', null],
  ['ghcr.io/paradigmxyz/reth:v1.3', 'reth/v1.3.0..v1.3.12', null],
  ['ghcr.io/paradigmxyz/reth:latest', null, null],
  ['ghcr.io/paradigmxyz/reth:v9.0.0', 'reth/v9.0.0', null],
  ['ghcr.io/paradigmxyz/op-reth:v1.3.12', null, 'op-reth/v1.3.12'],
  ['us-docker.pkg.dev/oplabs-tools-artifacts/images/op-reth:v1.11.3', null, 'op-reth/v1.11.3'],
  ['ghcr.io/berachain/bera-reth:v1.0.0', 'bera-reth', null],
  ['ghcr.io/base/node-reth:v0.3', null, 'node-reth'],
  ['ethereum/client-go:v1.16.4', null, null],
])('the image %s is of %s or %s', (image, own, other) => {
  const [found, ofOther] = [reth, opReth].map(({ evidence }) => {
    const range = evidence.ofImage(image);
    if (range === null) return null;
    return range.fork ?? range.value ?? `${range.since}..${range.until.split('/')[1]}`;
  });
  expect([found, ofOther]).toEqual([own, other]);
});

test.each([
  ['reth/v2.5.1-0a1b2c3d/x86_64-unknown-linux-gnu', 'reth', 'reth/v2.5.1'],
  ['bera-reth/v1.3.0/x86_64-unknown-linux-gnu', 'reth', null],
  ['op-reth/v1.3.12-0a1b2c3d/x86_64-unknown-linux-gnu', 'op-reth', 'op-reth/v1.3.12'],
  ['base-reth/v0.3.0-0a1b2c3d/x86_64-unknown-linux-gnu', 'op-reth', null],
  ['Geth/v1.17.8-stable/linux-amd64/go1.24.2', undefined, null],
])('the answer %s is that of %s', (client, id, release) => {
  const kind = [reth, opReth].find(({ identity }) => identity.client.test(client));
  expect([kind?.id, kind?.evidence.ofClient(client)?.value ?? null]).toEqual([id, release]);
});

test.each([
  [
    'https://github.com/paradigmxyz/reth/releases/download/v1.3.12/reth-v1.3.12-x86_64-unknown-linux-gnu.tar.gz',
    'reth/v1.3.12',
  ],
  ['/tmp/reth-v1.8.2-aarch64-unknown-linux-gnu.tar.gz', 'reth/v1.8.2'],
  ['/usr/local/bin/reth', undefined],
])('the package %s is %s', (path, release) => {
  expect(reth.evidence.ofPackage(path)?.value).toBe(release);
});

test('the ports for peers follow the instance, and a development chain has none', () => {
  const portsOf = (words: string) =>
    reth
      .peerPorts('reth', startOf(words).values)
      .map(({ protocol, port, isOpen }) => `${protocol} ${port} ${isOpen}`);
  expect(portsOf('')).toEqual(['tcp 30303 true', 'udp 30303 true', 'udp 9200 false']);
  expect(portsOf('--instance 2 --enable-discv5-discovery')).toEqual([
    'tcp 30304 true',
    'udp 30304 true',
    'udp 9201 true',
  ]);
  expect(portsOf('-d --port 4')).toEqual(['tcp 4 true', 'udp 30303 false', 'udp 9200 false']);
  expect(portsOf('--dev').every((one) => one.endsWith('false'))).toBe(true);
});

test('nothing is sent to it that could run a method', () => {
  for (const { probes } of [reth, opReth]) {
    expect(probes).toMatchObject({ refusesNamedParameters: false, namespaces: [], otherHalf: null });
    expect(probes.parameterMethods.filter((one) => /^(?:admin|testing|miner|engine)_/.test(one))).toEqual([]);
  }
});

test('parts of its releases begin where a flag or a module of the settings changed', () => {
  const parts = (...names: string[]) =>
    reth
      .parts('reth/v1.0.0', 'reth/v2.5.1', new Map(names.map((name) => [name, ''])))
      .map(({ since }) => since);
  expect(parts()).toEqual(['reth/v1.0.0']);
  expect(parts('testing')).toEqual(['reth/v1.0.0', 'reth/v1.10.0', 'reth/v2.4.0']);
  expect(parts('http.api')).toEqual(['reth/v1.0.0', 'reth/v1.8.0']);
  expect(parts('ipc.permissions')).toEqual(['reth/v1.0.0', 'reth/v1.7.0']);
});

test.each(['-vvv', '-v -v', '-v --verbosity -v'])(
  'the occurrences of “%s” add up, and none overrides another',
  (words) => {
    const { values } = startOf(words);
    expect(values.verbosity?.shadowed).toEqual([]);
  },
);
