/** The simulated node answers each message as a real one does, on every transport. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { http, post, raw, shape, ws } from './ask.js';

let node: Simulation;
beforeAll(async () => {
  node = await simulateShape(shape(), { freePorts: true });
});
afterAll(() => node.close());

const ok = (result: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, result });
const no = (code: number, message: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const absent = (method: string, id: unknown = 1) =>
  no(-32601, `the method ${method} does not exist/is not available`, id);
const call = (method: string, params?: string, id = '1') =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`;
const missing = (at: number) => no(-32602, `missing value for required argument ${at}`);
const invalid = (id: unknown) => no(-32600, 'invalid request', id);
const notRun = (method: string) => no(-32000, `not simulated: ${method} would run on a node`);

/** What the node answers to one message, on every wire: the facts' table of wire behaviour, row by row. */
const table: readonly (readonly [row: string, request: string, answer: unknown])[] = [
  ['right params', call('net_version', '[]'), ok('8217')],
  ['unknown method', call('eth_nonsense', '[]'), absent('eth_nonsense')],
  ['unknown namespace', call('foo_bar', '[]'), absent('foo_bar')],
  ['no underscore', call('modules', '[]'), absent('modules')],
  ['wrong case', call('Eth_chainId', '[]'), absent('Eth_chainId')],
  ['a name of Object', call('__proto__', '[]'), absent('__proto__')],
  ['params object, existing', call('eth_getBalance', '{}'), no(-32602, 'non-array args')],
  ['params string, existing', call('eth_getBalance', '"x"'), no(-32602, 'non-array args')],
  ['params number, existing', call('eth_getBalance', '0'), no(-32602, 'non-array args')],
  ['params bool, existing', call('eth_getBalance', 'false'), no(-32602, 'non-array args')],
  ['params object, rpc_modules', call('rpc_modules', '{}'), no(-32602, 'non-array args')],
  ['params object, absent', call('eth_nonsense', '{}'), absent('eth_nonsense')],
  ['params missing, one required', call('web3_sha3'), missing(0)],
  ['params null, one required', call('web3_sha3', 'null'), missing(0)],
  ['params [], one required', call('web3_sha3', '[]'), missing(0)],
  ['second of two missing', call('eth_getBalance', '["0x0"]'), missing(1)],
  ['params missing, none required: it runs', call('net_listening'), ok(true)],
  ['params null, none required: it runs', call('net_listening', 'null'), ok(true)],
  ['only optional params: it runs', call('kaia_getCommittee', '[]'), notRun('kaia_getCommittee')],
  ['extras for a method without parameters', call('net_version', '[1,2,3]'), ok('8217')],
  ['too many', call('web3_sha3', '["0x0",1]'), no(-32602, 'too many arguments, want at most 1')],
  ['[null] is taken for anything', call('web3_sha3', '[null]'), notRun('web3_sha3')],
  ['klay is kaia', call('klay_blockNumber', '[]'), ok('0xbebc200')],
  ['klay, absent', call('klay_nonsense', '{}'), absent('klay_nonsense')],
  ['unsubscribe with an object', call('foo_unsubscribe', '{}'), no(-32602, 'non-array args')],
  ['unsubscribe without params', call('foo_unsubscribe', '[]'), missing(0)],
  [
    'unsubscribe, no string',
    call('eth_unsubscribe', '[1]'),
    no(-32602, 'invalid argument 0: json: cannot unmarshal number into Go value of type rpc.ID'),
  ],
  [
    'unsubscribe, a bool',
    call('eth_unsubscribe', '[true]'),
    no(-32602, 'invalid argument 0: json: cannot unmarshal bool into Go value of type rpc.ID'),
  ],
  [
    'unsubscribe, an array',
    call('eth_unsubscribe', '[[]]'),
    no(-32602, 'invalid argument 0: json: cannot unmarshal array into Go value of type rpc.ID'),
  ],
  ['unsubscribe, unknown', call('eth_unsubscribe', '["0x1"]'), no(-32000, 'subscription not found')],
  ['id null', call('net_version', '[]', 'null'), ok('8217', null)],
  ['id string', call('net_version', '[]', '"a<b"'), ok('8217', 'a<b')],
  ['id bool', call('net_version', '[]', 'true'), ok('8217', true)],
  ['id object', call('net_version', '[]', '{}'), invalid(null)],
  ['id array', call('net_version', '[]', '[1]'), invalid(null)],
  ['jsonrpc missing', '{"id":1,"method":"net_version"}', ok('8217')],
  ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":1,"method":"net_version"}', ok('8217')],
  ['names in another case', '{"ID":1,"Method":"net_version"}', ok('8217')],
  ['method missing', '{"jsonrpc":"2.0","id":1}', invalid(1)],
  ['method no string', '{"jsonrpc":"2.0","id":1,"method":5}', invalid(1)],
  ['method empty', '{"jsonrpc":"2.0","id":1,"method":""}', invalid(1)],
  ['{}', '{}', invalid(null)],
  ['a number', '5', invalid(null)],
  ['a response with params', '{"id":1,"result":1,"params":[]}', invalid(1)],
  ['[]', '[]', no(-32600, 'empty batch', null)],
  ['a batch of one', `[${call('net_version')}]`, [ok('8217')]],
  [
    'a batch, in order, each on its own',
    `[${call('net_version', '[]', '1')},5,{},${call('foo_bar', '[]', '2')},${call('net_listening', '[]', '3')}]`,
    [ok('8217', 1), invalid(null), invalid(null), absent('foo_bar', 2), ok(true, 3)],
  ],
  [
    'a batch with a notification',
    `[{"method":"net_version"},${call('net_version', '[]', '"b"')}]`,
    [ok('8217', 'b')],
  ],
];

/** Messages nothing is said to. */
const silent: readonly (readonly [row: string, request: string])[] = [
  ['a notification', '{"jsonrpc":"2.0","method":"net_version","params":[]}'],
  ['a notification of something unknown', '{"jsonrpc":"2.0","method":"foo_bar"}'],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":null}'],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
  ['a batch of notifications', '[{"method":"net_version"},{"method":"foo_bar"}]'],
];

describe.each(table)('%s', (_row, request, answer) => {
  test('http', async () => {
    expect(await post(node.http ?? '', request)).toEqual(answer);
  });
  test('ws', async () => {
    const { messages } = await ws(node.ws ?? '', [request], 1);
    expect(messages.map((one) => JSON.parse(one) as unknown)).toEqual([answer]);
  });
  test('ipc', async () => {
    const { text } = await raw({ path: node.ipc ?? '' }, [request, ' '], 1);
    expect(JSON.parse(text)).toEqual(answer);
  });
});

describe.each(silent)('%s gets no answer', (_row, request) => {
  const next = call('net_version');
  test('http: 200 and nothing', async () => {
    const answer = await http(node.http ?? '', { body: request });
    expect([answer.status, answer.body]).toEqual([200, '']);
  });
  test('ws: the next message is answered first', async () => {
    const { messages } = await ws(node.ws ?? '', [request, next], 1);
    expect(messages).toEqual([`${JSON.stringify(ok('8217'))}\n`]);
  });
  test('ipc: the next message is answered first', async () => {
    expect((await raw({ path: node.ipc ?? '' }, [request, next], 1)).text).toBe(
      `${JSON.stringify(ok('8217'))}\n`,
    );
  });
});

describe('broken JSON', () => {
  test.each(['{', '{"a"', '{]', 'x', '{"id":1,"method":"net_version"', '\u00ef'])(
    'http answers %j with 200 and "parse error"',
    async (body) => {
      expect(await post(node.http ?? '', body)).toEqual(no(-32700, 'parse error', null));
    },
  );
  const broken = ['{]', 'x', '{"a" 1}', '[1 2]', 'tru!', '"\n"', '"\\x"', '1.a '];
  const error = no(-32700, 'parse error', null);
  test.each(broken)('ws and ipc answer %j with an error, then close', async (text) => {
    const answer = `${JSON.stringify(error)}\n`;
    const overWs = await ws(node.ws ?? '', [text], 2);
    expect([overWs.messages, overWs.code]).toEqual([[answer], 1006]);
    expect(await raw({ path: node.ipc ?? '' }, [text])).toEqual({ text: answer, closed: true });
  });
  test('ws reads nothing behind it', async () => {
    const { messages } = await ws(node.ws ?? '', ['x', call('net_version')], 2);
    expect(messages.map((one) => JSON.parse(one) as unknown)).toEqual([error]);
  });
  test('ws closes without an answer when a message is cut off', async () => {
    expect(await ws(node.ws ?? '', ['{"id":1', call('net_version')], 1)).toEqual({
      status: 101,
      messages: [],
      code: 1006,
    });
  });
  test('ten thousand levels are parsed, one more is rejected', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(await post(node.http ?? '', nested(10_000))).toEqual([invalid(null)]);
    expect(await post(node.http ?? '', nested(10_001))).toEqual(no(-32700, 'parse error', null));
    const { text } = await raw({ path: node.ipc ?? '' }, [nested(10_001)]);
    expect(JSON.parse(text)).toEqual(error);
  });
});

test.each([
  ['net_version', '{}', ok('8217')],
  ['rpc_modules', '"x"', ok({ eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' })],
  ['web3_sha3', '{}', no(-32602, 'non-array args')],
  ['web3_sha3', '[]', missing(0)],
  ['eth_nonsense', '{}', absent('eth_nonsense')],
])('before the unsafe-debug switch, %s with the params %s gets %j', async (method, params, answer) => {
  const older = await simulateShape(
    shape({ ws: null, ipc: null, answers: { wire: { takesObjects: true } } }),
    {
      freePorts: true,
    },
  );
  expect(await post(older.http ?? '', call(method, params))).toEqual(answer);
  await older.close();
});

describe('a failure of the simulator', () => {
  const crash = () => {
    throw new Error('a defect');
  };
  test('in a method is the node’s error for a crash', async () => {
    const failing = shape({ ws: null, ipc: null, answers: { results: { net_version: crash } } });
    const crashing = await simulateShape(failing, { freePorts: true });
    expect(await post(crashing.http ?? '', call('net_version'))).toEqual(
      no(-32000, 'method handler crashed'),
    );
    await crashing.close();
  });
  test('in the log ends the connection, on every wire', async () => {
    const failing = await simulateShape(shape(), { freePorts: true, log: crash });
    const request = call('net_version');
    await expect(post(failing.http ?? '', request)).rejects.toThrow('socket hang up');
    const overWs = await ws(failing.ws ?? '', [request, request], 1);
    expect([overWs.messages, overWs.code]).toEqual([[], 1006]);
    expect(await raw({ path: failing.ipc ?? '' }, [request, ' '])).toEqual({ text: '', closed: true });
    await failing.close();
  });
});

test('ipc answers on after an answer that fills the socket', async () => {
  const batch = `[${Array.from({ length: 5000 }, () => call('rpc_modules')).join()}]`;
  const { text } = await raw({ path: node.ipc ?? '' }, [batch, call('net_version')], 2);
  expect(text.length).toBeGreaterThan(500_000);
  expect(text.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(ok('8217')));
});

describe('two objects at once', () => {
  const two = `${call('net_version', '[]', '1')}\n${call('net_listening', '[]', '2')}`;
  test('http handles the first only', async () => {
    expect(await post(node.http ?? '', two)).toEqual(ok('8217', 1));
  });
  test('http does not mind what follows', async () => {
    expect(await post(node.http ?? '', `${call('net_version')}garbage`)).toEqual(ok('8217', 1));
  });
  test('ipc handles both, split at every byte', async () => {
    const bytes = Buffer.from(two);
    for (let at = 0; at <= bytes.length; at += 7) {
      const { text } = await raw({ path: node.ipc ?? '' }, [bytes.subarray(0, at), bytes.subarray(at)], 2);
      expect(text).toBe(`${JSON.stringify(ok('8217', 1))}\n${JSON.stringify(ok(true, 2))}\n`);
    }
  });
});
