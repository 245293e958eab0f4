/** What the words and the files of erigon and rpcdaemon open at a release: listeners, modules and ports for peers. */
import { expect, test } from 'vitest';
import type { Word } from '../../../../src/node/facts/settings.js';
import { erigon } from '../../../../src/node/kinds/erigon/index.js';
import { anyRelease } from '../../../../src/node/kinds/release.js';
import type { FileLayer } from '../../../../src/node/sources/argv/layers.js';
import { settingsOfWords } from '../../../../src/node/sources/argv/node.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { layerOfFlags as tomlLayer } from '../../../../src/node/sources/toml/layer.js';
import { layerOfFlags as yamlLayer } from '../../../../src/node/sources/yaml/layer.js';

const newest = 'v3.7';

/** The settings of a command line; `?` is a word that cannot be known, '' an empty one. `file`: what --config names. */
function read(line: string, tag = newest, file: FileLayer | null = null) {
  const kind = erigon.at(`erigon/${tag}`);
  const [launcher = 'erigon', ...texts] = line.split(' ');
  const words = texts.map((text, index) => ({
    ...({ text: text === '?' ? null : text.replace("''", ''), variable: null } satisfies Partial<Word>),
    at: { file: 'x', line: 1, column: index + 1, endLine: 1, endColumn: index + 2 },
    cause: null,
    causeAt: null,
    indeterminate: text === '?' ? 'why' : null,
    maybe: null,
    written: true as const,
  }));
  return settingsOfWords({
    kind,
    launcher,
    words,
    file,
    release: anyRelease(kind),
    environment: new Map(),
    before: [],
    after: [],
    locate: () => null,
  });
}

function listening(line: string, tag?: string, file?: FileLayer | null): string {
  const on = read(line, tag, file).listeners.filter(({ state }) => state !== 'off');
  return on
    .map(({ kind, state, host, port, path }) =>
      `${kind} ${path ?? `${host}:${port}`}${state === 'unknown' ? ' ?' : ''}`.replace('null:null', '-'),
    )
    .join(', ');
}

const rest = 'authrpc localhost:8551, grpc 127.0.0.1:9090, mcp 127.0.0.1:8553';

test.each<[line: string, expected: string, tag?: string]>([
  ['erigon', `http localhost:8545, ${rest}`],
  ['erigon', 'http localhost:8545, authrpc localhost:8551, grpc 127.0.0.1:9090', 'v3.3'],
  ['erigon --http=false --ws', rest],
  ['erigon --http.enabled=false --ws', `ws localhost:8545, ${rest}`],
  [
    'erigon --http.enabled=false',
    'http localhost:8545, authrpc localhost:8551, grpc 127.0.0.1:9090',
    'v2.48',
  ],
  ['erigon --http.addr 0.0.0.0 --http.port=7', `http 0.0.0.0:7, ${rest}`],
  ["erigon --http.addr ''", `http 0.0.0.0:8545, ${rest}`],
  ['erigon --ws', `http localhost:8545, ws localhost:8545, ${rest}`],
  // erigon asks whether the flag is set.
  ['erigon --ws=false', `http localhost:8545, ws localhost:8545, ${rest}`],
  ['erigon --ws=?', `http localhost:8545, ws localhost:8545, ${rest}`],
  ['erigon --ws --ws.port 8546', `http localhost:8545, ws localhost:8546, ${rest}`],
  ['erigon --private.api.addr=', 'http localhost:8545, authrpc localhost:8551, mcp 127.0.0.1:8553'],
  [
    'erigon --private.api.addr=:9091 --mcp.disable',
    'http localhost:8545, authrpc localhost:8551, grpc 0.0.0.0:9091',
  ],
  [
    'erigon --private.api.addr=[::]:9090 --mcp.addr=0.0.0.0 --mcp.port=1',
    'http localhost:8545, authrpc localhost:8551, grpc [::]:9090, mcp 0.0.0.0:1',
  ],
  ['erigon --http.url tcp://0.0.0.0:9', `http 0.0.0.0:9, ${rest}`],
  ['erigon --http.url unix:///run/e.sock', `${rest}, ipc /run/e.sock`],
  ['erigon --http.url odd', `http -, ${rest}`],
  ['erigon --https.enabled --https.addr 0.0.0.0', `http localhost:8545, https 0.0.0.0:8908, ${rest}`],
  ['erigon --https.url tcp://0.0.0.0:8443', `http localhost:8545, https 0.0.0.0:8443, ${rest}`],
  ['erigon --https.enabled --https.port 8443', `http localhost:8545, https localhost:8443, ${rest}`],
  ['erigon --socket.enabled', `http localhost:8545, ${rest}, ipc /var/run/erigon.sock`],
  [
    'erigon --socket.enabled --socket.url tcp://127.0.0.1:7777',
    `http localhost:8545, socket 127.0.0.1:7777, ${rest}`,
  ],
  [
    'erigon --beacon.api=beacon --beacon.api.addr 0.0.0.0',
    `http localhost:8545, ${rest.replace('mcp', 'beacon 0.0.0.0:5555, mcp')}`,
  ],
  ['erigon --metrics --pprof', `http localhost:8545, ${rest}, metrics 127.0.0.1:6061, pprof 127.0.0.1:6060`],
  [
    'erigon --authrpc.addr 0.0.0.0 --authrpc.port 1',
    `http localhost:8545, ${rest.replace('localhost:8551', '0.0.0.0:1')}`,
  ],
  ['rpcdaemon --private.api.addr=0.0.0.0:9090', 'http localhost:8545'],
  ['rpcdaemon --http.enabled=false --ws', 'ws localhost:8545'],
  ['rpcdaemon --ws=false', 'http localhost:8545'],
  ['rpcdaemon --grpc --grpc.addr=0.0.0.0', 'http localhost:8545'],
  [
    'rpcdaemon --socket.enabled --https.url=tcp://:1',
    'http localhost:8545, https 0.0.0.0:1, ipc /var/run/erigon.sock',
  ],
  [
    'erigon ?',
    `http - ?, https - ?, ws - ?, socket - ?, authrpc - ?, grpc - ?, beacon - ?, mcp - ?, metrics - ?, pprof - ?`,
  ],
])('%s opens %s', (line, expected, tag) => {
  expect(listening(line, tag)).toBe(expected);
});

test.each<[line: string, modules: string | null]>([
  ['erigon', 'erigon,eth,rpc'],
  ['rpcdaemon', 'erigon,eth,rpc'],
  ["erigon --http.api=''", 'rpc'],
  ['erigon --http.api=engine,eth', 'eth,rpc'],
  ['erigon --http.api=ETH,personal,db', 'db,rpc'],
  ['erigon --http.api=eth --http.api=debug', 'debug,rpc'],
  ['rpcdaemon --http.api=eth --http.api=debug,net', 'debug,eth,net,rpc'],
  ['erigon --http.api=admin --rpc.accessList=/a.json', 'admin,rpc'],
  ["erigon --http.api=admin --rpc.accessList=''", 'admin,rpc'],
])('%s offers %s', (line, expected) => {
  const { listeners } = read(line);
  const [http, ws] = ['http', 'ws'].map((kind) => listeners.find((one) => one.kind === kind));
  expect(http?.modules?.join(',') ?? null).toBe(expected);
  expect(ws?.modules).toEqual(http?.modules);
});

test('any and * both let every Host name in, and WebSockets take every Origin', () => {
  const [http, , ws] = read('erigon --ws --http.vhosts=any,a --http.corsdomain=b,').listeners;
  expect([http?.vhosts, http?.origins, ws?.vhosts, ws?.origins]).toEqual([['*', 'a'], ['b'], null, ['*']]);
  expect(erigon.interfaces.checks).toEqual({ host: true, wsOrigin: false });
});

const rows: readonly (readonly [name: string, text: string, Readonly<Record<string, unknown>>])[] = [
  ['flat', 'datadir: /srv/e\nhttp: true\n', { datadir: '/srv/e', http: true }],
  ['a list', 'http.api : ["eth","debug"]\n', { 'http.api': 'eth,debug' }],
  ['a list of lines', 'staticpeers:\n  - enode://a\n  - enode://b\n', { staticpeers: 'enode://a,enode://b' }],
  ['nested', 'sentinel:\n  staticpeers:\n    - a\n    - b\n', { 'sentinel.staticpeers': 'a,b' }],
  ['a number in quotes', 'http.port: "7"\nrpc.batch.limit: 9\n', { 'http.port': 7, 'rpc.batch.limit': 9 }],
];
const tomlRows: typeof rows = [
  ['a list', 'staticpeers = ["enode://a", "enode://b"]\n', { staticpeers: 'enode://a,enode://b' }],
  ['a text', 'staticpeers = "enode://a,enode://b"\n', { staticpeers: 'enode://a,enode://b' }],
  ['a dotted key', 'sentinel.staticpeers = ["a", "b"]\n', { 'sentinel.staticpeers': 'a,b' }],
  ['a quoted key', '"http.api" = ["eth","debug"]\nhttp = true\n', { 'http.api': 'eth,debug', http: true }],
  ['a table', '[sentinel]\nstaticpeers = ["a", "b"]\n', { 'sentinel.staticpeers': 'a,b' }],
];
const flags = erigon.flags.of('erigon');

test.each([
  ...rows.map((row) => ['erigon.yaml', ...row] as const),
  ...tomlRows.map((row) => ['erigon.toml', ...row] as const),
])('%s: %s', (path, _name, text, expected) => {
  const layerOf = path.endsWith('.toml') ? tomlLayer : yamlLayer;
  const { values, problem, unknownKeys } = layerOf(new LineIndex(path, text), flags, erigon.dialect);
  expect([problem, unknownKeys]).toEqual([null, []]);
  expect(Object.fromEntries([...values].map(([flag, { value }]) => [flag, value]))).toEqual(expected);
});

test('a flag on the command line counts over the file, where ws: false turns WebSockets on too', () => {
  const text = 'private.api.addr: 0.0.0.0:9090\nws: false\nhttp.api: [admin]\nhttp.adr: x\nhttp.port: a\n';
  const file = yamlLayer(new LineIndex('e.yml', text), flags, erigon.dialect);
  const line = 'erigon --config e.yml --private.api.addr=10.0.0.1:1';
  const { listeners, problems, values } = read(line, newest, file);
  expect(listeners.flatMap(({ kind, state, host }) => (state === 'on' ? `${kind} ${host}` : []))).toEqual([
    'http localhost',
    'ws localhost',
    'authrpc localhost',
    'grpc 10.0.0.1',
    'mcp 127.0.0.1',
  ]);
  expect(values['http.api']).toMatchObject({ value: 'admin', origin: { kind: 'yaml', path: 'e.yml' } });
  expect(problems.map(({ kind, flags: names, at }) => [kind, names, at?.line])).toEqual([
    ['bad-value', ['http.port'], 5],
    ['unknown-flag', ['http.adr'], 4],
  ]);
});

test('a file that is not read leaves open what no flag decides; rpcdaemon reads none', () => {
  expect(listening('erigon --config e.yaml --http.addr=0.0.0.0 --private.api.addr=')).toContain(
    'http 0.0.0.0:null ?',
  );
  expect(read('rpcdaemon --config e.yaml').problems.map(({ kind }) => kind)).toEqual(['unknown-flag']);
});

test.each<[line: string, ports: string]>([
  [
    'erigon',
    'tcp 30303, udp 30303, tcp 42069, udp 42069, udp 4000, tcp 4001, tcp 30304, tcp 30305, tcp 30306, tcp 30307',
  ],
  [
    'erigon --port 1 --p2p.allowed-ports 2 --p2p.allowed-ports=3 --externalcl --nodiscover',
    'tcp 1, tcp 42069, udp 42069, tcp 2, tcp 3',
  ],
  ['erigon --p2p.allowed-ports= --no-downloader --externalcl', 'tcp 30303, udp 30303'],
  ['rpcdaemon', ''],
])('%s opens the ports for peers %s', (line, expected) => {
  const [launcher = ''] = line.split(' ');
  const ports = erigon.peerPorts(launcher, read(line).values).filter(({ isOpen }) => isOpen);
  expect(ports.map(({ protocol, port }) => `${protocol} ${port}`).join(', ')).toBe(expected);
});
