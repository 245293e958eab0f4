/** The TOML file that a node reads: its values, their places, and what they are merged with. */
import { expect, test } from 'vitest';
import { bsc, geth } from '../../../../src/node/kinds/geth/index.js';
import type { TomlFile } from '../../../../src/node/kinds/kind.js';
import { settingsOfWords } from '../../../../src/node/sources/argv/node.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';
import { readToml } from '../../../../src/node/sources/toml/document.js';
import { layerOf } from '../../../../src/node/sources/toml/layer.js';
import { gethSettings } from '../geth.js';

const layer = (text: string, kind = geth) =>
  layerOf(new LineIndex('config.toml', text), kind.flags.of('geth'), kind.configFile as TomlFile);
const node = (...lines: string[]) => ['[Node]', ...lines].join('\n');

test.each<[string, Record<string, unknown>]>([
  [node('HTTPHost = "0.0.0.0"'), { http: true, 'http.addr': '0.0.0.0' }],
  [node('HTTPHost = ""', 'WSHost = "::"'), { ws: true, 'ws.addr': '::' }],
  [node('HTTPModules = ["eth", "admin"]', 'WSModules = []'), { 'http.api': 'eth,admin', 'ws.api': '' }],
  [node('HTTPPort = 1_0', 'HTTPBodyLimit = 5242880'), { 'http.port': 10, 'rpc.http-body-limit': 5 }],
  ['[Node]\nHTTPPort = 1\n[Eth]\nRPCEVMTimeout = 5000000000', { 'http.port': 1, 'rpc.evmtimeout': '5s' }],
  ['[Eth]\nRPCEVMTimeout = 15\nRPCTxFeeCap = 0\n', { 'rpc.evmtimeout': '15ns', 'rpc.txfeecap': 0 }],
  ['[Node.P2P]\nListenAddr = "[::]:30311"\nDiscAddr = ""\nStaticNodes = []', { port: 30_311 }],
  ['Node = { HTTPPort = 7, P2P = { MaxPeers = 3 } }', { 'http.port': 7, maxpeers: 3 }],
  ['[Metrics]\nEnabled = true\nHTTP = "1.2.3.4"', { metrics: true, 'metrics.addr': '1.2.3.4' }],
])('%s', (text, expected) => {
  const { values, problem } = layer(text);
  expect(problem).toBeNull();
  expect(Object.fromEntries([...values].map(([flag, { value }]) => [flag, value]))).toEqual(expected);
});

test('a value has its place in the file', () => {
  const { values } = layer('\n[Node]\n  HTTPModules = [\n "eth" ] # all\n');
  expect(values.get('http.api')).toMatchObject({
    key: 'Node.HTTPModules',
    at: { file: 'config.toml', line: 3, column: 17, endLine: 4, endColumn: 9 },
  });
});

test.each([
  [node('HTTPPort = "8545"'), 'it is not a number'],
  [node('HTTPPort = 1.5'), 'it is not a number'],
  [node('HTTPHost = ["::"]', 'HTTPPort = [1]'), 'it is not a number'],
  [node('HTTPModules = [1]'), 'it is not a list of texts'],
  [node('AllowUnprotectedTxs = 1'), 'it is not true or false'],
  ['[Eth]\nNetworkId = -1', 'it is out of range'],
])('%s is refused', (text, refused) => {
  expect([...layer(text).values.values()].map((one) => one.refused)).toContain(refused);
});

test.each([
  [
    node(`HTTPHost = "${unfilled.repeat(5)}"`),
    ['http.addr', 'http'],
    `${unfilled.repeat(5)} (config.toml:2) is not known`,
  ],
  [
    node('HTTPModules = ["eth,net"]'),
    ['http.api'],
    'the item “eth,net” is read as one name, with its commas and spaces',
  ],
  [node('HTTPModules = [""]'), ['http.api'], 'the item “” is read as one name, with its commas and spaces'],
  ['[Eth]\nNetworkId = {{NetworkId}}', ['networkid'], '{{NetworkId}} (config.toml:2) is not known'],
  [node(`HTTPPort = ${unfilled}`), ['http.port'], `${unfilled} (config.toml:2) is not known`],
  [node('HTTPPort = 8{{ n }}'), ['http.port'], '{{ n }} (config.toml:2) is not known'],
  [node('HTTPModules = ["eth", {{ more }}]'), ['http.api'], '{{ more }} (config.toml:2) is not known'],
  [node('HTTPModules = [', '{{ all }}', ']'), ['http.api'], '{{ all }} (config.toml:2) is not known'],
])('%s cannot be known', (text, flags, unknown) => {
  const { values } = layer(text);
  expect([...values].map(([flag, one]) => [flag, one.value, one.unknown])).toEqual(
    flags.map((flag) => [flag, null, unknown]),
  );
});

test.each([
  [node('HTTPhost = "0.0.0.0"'), 'the node has no setting Node.HTTPhost, only Node.HTTPHost'],
  [node('GraphQLHost = "::"'), 'the node has no setting Node.GraphQLHost'],
  ['[Node.P2P]\nPrivateKey = "x"', 'the node has no setting Node.P2P.PrivateKey'],
  ['[Node', 'it is not TOML'],
  [`a = ${'['.repeat(20_000)}`, 'the TOML is nested too deeply to read'],
  [`a = "${'x'.repeat(1 << 20)}"`, 'the TOML is larger than 1024 KiB'],
])('%.40s: %s', (text, message) => {
  expect(layer(text).problem?.message).toContain(message);
});

test('bsc’s own fields, sections and fields of [Eth] are accepted', () => {
  const text = `${node('DirectBroadcast = false')}\n[Node.LogConfig]\nLevel = "info"\n[Eth.Miner.Mev]\nEnabled = true`;
  expect(layer(text, bsc).problem).toBeNull();
});

test('the node reads no dotted keys', () => {
  const { problem } = readToml(new LineIndex('f', '[Node]\nA = 1\nHTTPTimeouts.ReadTimeout = 1\n'));
  expect([problem?.message, problem?.at.line]).toEqual(['the node’s reader of TOML has no dotted keys', 3]);
});

test('what a template fills in leaves the rest readable', () => {
  const text = ['[Node]', '# {{ n }}', 'HTTPPort = @PORT@', "HTTPHost = '::' # it's {{ n }}"];
  const { values, problem } = layer(text.join('\n'));
  expect([problem, values.get('http.addr')?.value]).toEqual([null, '::']);
});

test('a broken text has a problem where it breaks, and no values', () => {
  const { entries, problem } = readToml(new LineIndex('f', '[Node]\nHTTPPort = ]\n'));
  expect(entries).toEqual([]);
  expect(problem?.at.line).toBe(2);
});

/** What geth v1.17.8 does: `geth … dumpconfig`. */
test.each<[string, string, string[], readonly unknown[]]>([
  ['HTTPHost = "1.2.3.4"', '', [], [true, '1.2.3.4']],
  ['HTTPHost = "1.2.3.4"', '', ['--http.addr', '::'], [true, '1.2.3.4']],
  ['HTTPHost = "1.2.3.4"', '', ['--http=false'], [true, '1.2.3.4']],
  ['HTTPHost = "1.2.3.4"', '', ['--http', '--http.addr', '::'], [true, '::']],
  ['HTTPHost = "1.2.3.4"', '', ['--http'], [true, '1.2.3.4']],
  ['HTTPHost = "1.2.3.4"', 'GETH_HTTP=true GETH_HTTP_ADDR=::', [], [true, '::']],
  ['HTTPHost = "1.2.3.4"', 'GETH_HTTP_ADDR=::', [], [true, '1.2.3.4']],
  ['HTTPHost = ""', '', ['--http'], [true, '127.0.0.1']],
  ['HTTPHost = ""', '', ['--http.addr', '::'], [false, '::']],
])('%s, “%s” and %j', (toml, environment, words, expected) => {
  const { values } = settingsOfWords(gethSettings(node(toml), environment, words));
  expect([values.http?.value ?? false, values['http.addr']?.value]).toEqual(expected);
});

test('a flag overrides a list of the file, which is kept as what it overrides', () => {
  const { values } = settingsOfWords(
    gethSettings(node('HTTPModules = ["admin"]'), '', ['--http.api', 'eth']),
  );
  expect(values['http.api']).toMatchObject({ value: 'eth', origin: { kind: 'flag' } });
  expect(values['http.api']?.shadowed[0]).toMatchObject({
    value: 'admin',
    origin: { kind: 'toml', key: 'Node.HTTPModules', path: 'config.toml' },
  });
});

/** What geth v1.9.25, v1.10.8 and v1.13.15 do. */
test.each([
  ['v1.9.25', '[Metrics]', 'the node has no setting Metrics'],
  ['v1.10.8', '[Metrics]', null],
  ['v1.13.15', '[Eth.Ethash]', 'the node has no setting Eth.Ethash'],
  ['v1.13.15', '[Node.P2P]', null],
  ['v1.10.8', '[Eth]\nStateScheme = "hash"', 'the node has no setting Eth.StateScheme'],
  ['v1.13.15', '[Eth]\nStateScheme = "hash"', null],
  ['v1.9.25', '[Eth.Miner]\nNotifyFull = true', 'the node has no setting Eth.Miner.NotifyFull'],
  ['v1.10.8', '[Eth.Miner]\nNotifyFull = true', null],
  ['v1.10.8', 'datadir = "/x"', 'the node has no setting datadir'],
])('geth %s starts with %s unless it lacks it', (tag, toml, problem) => {
  const kind = geth.at(`geth/${tag}`);
  const { problems } = settingsOfWords(gethSettings(toml, '', [], kind));
  expect(problems.map(({ message }) => message)).toEqual(
    problem === null ? [] : [`the node cannot read config.toml: ${problem}`],
  );
});
