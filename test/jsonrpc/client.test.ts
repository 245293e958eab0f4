/** The same cases on three wires. */
import { afterEach, describe, expect, test } from 'vitest';
import { plainAddress } from '../../src/jsonrpc/channel.js';
import { type Answer, openChannel, RpcClient } from '../../src/jsonrpc/client.js';
import { deadline } from '../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import {
  anyNode,
  existenceMethod,
  existenceProbe,
  nonsenseMethod,
  read,
} from '../../src/node/kinds/request.js';
import { closePeers, type Script, scripted, wires } from '../peers/scripted.js';

afterEach(closePeers);

function idOf(text: string): number {
  return (JSON.parse(text) as { id: number }).id;
}

function answering(part: string): Script {
  return (text) => `{"jsonrpc":"2.0","id":${idOf(text)},${part}}`;
}

async function converse(
  address: string,
  count = 1,
  ms = 60_000,
): Promise<{ answers: Answer[]; failed: Error | null; requests: number }> {
  const client = new RpcClient(openChannel(parseEndpoint(address), plainAddress));
  const end = deadline(ms);
  const answers: Answer[] = [];
  let failed: Error | null = null;
  try {
    for (let n = 0; n < count; n += 1) answers.push(await client.ask(read(anyNode.modules), end.signal));
  } catch (error) {
    failed = error as Error;
  }
  const { requests } = client.sent;
  client.close();
  end.clear();
  return { answers, failed, requests };
}

describe.each(wires)('over %s', (wire) => {
  test.each<[string, string, Answer]>([
    ['a result', '"result":{"eth":"1.0"}', { kind: 'result', value: { eth: '1.0' } }],
    ['a null result', '"result":null', { kind: 'result', value: null }],
    ['brackets inside strings', '"result":"a{b\\"[\\\\"', { kind: 'result', value: 'a{b"[\\' }],
    ['characters of several bytes', '"result":"클레이 🚀"', { kind: 'result', value: '클레이 🚀' }],
    ['a null error beside a result', '"error":null,"result":1', { kind: 'result', value: 1 }],
    ['an error', '"error":{"code":-32601,"message":"no"}', { kind: 'error', code: -32601, message: 'no' }],
  ])('%s', async (_name, part, answer) => {
    const peer = await scripted(wire, answering(part));
    expect(await converse(peer.address)).toEqual({ answers: [answer], failed: null, requests: 1 });
  });

  test.each<[string, Script, RegExp]>([
    ['another id', (text) => `{"jsonrpc":"2.0","id":${idOf(text) + 1},"result":1}`, /the id of the answer/],
    [
      'the id as a string',
      (text) => `{"jsonrpc":"2.0","id":"${idOf(text)}","result":1}`,
      /the id of the answer/,
    ],
    ['no id', () => '{"jsonrpc":"2.0","result":1}', /the id of the answer/],
    ['a list', (text) => `[{"jsonrpc":"2.0","id":${idOf(text)},"result":1}]`, /is an array/],
    ['neither result nor error', answering('"x":1'), /not a JSON-RPC response/],
    ['result and error', answering('"result":1,"error":{"code":1,"message":"x"}'), /both/],
    ['an error without code', answering('"error":"boom"'), /no code/],
    ['nesting', answering(`"result":${'['.repeat(100)}${']'.repeat(100)}`), /levels deep/],
    ['values without number', answering(`"result":[${'1,'.repeat(60_000)}1]`), /more than 50,000 values/],
    ['2 MiB', answering(`"result":"${'x'.repeat(2 << 20)}"`), /larger than 1 MiB/],
    ['not JSON', () => '<html>hello</html>', /not JSON/],
  ])('refuses %s', async (_name, script, reason) => {
    const peer = await scripted(wire, script);
    const { answers, failed } = await converse(peer.address);
    expect(answers).toEqual([]);
    expect(failed).toMatchObject({
      name: 'ChannelError',
      code: 'unreadable',
      message: expect.stringMatching(reason),
    });
  });

  test('a second answer to one request closes the connection', async () => {
    const twice: Script = (text) => [1, 2].map((n) => `{"jsonrpc":"2.0","id":${idOf(text)},"result":${n}}`);
    const { failed } = await converse((await scripted(wire, twice)).address, 3);
    expect(failed?.message).toMatch(wire === 'http' ? /not JSON/ : /unsolicited|the id of the answer/);
  });

  test('one connection carries many requests', async () => {
    const peer = await scripted(wire, answering('"result":1'));
    expect(await converse(peer.address, 20)).toMatchObject({ failed: null, requests: 20 });
  });

  test('a request without an answer fails at the deadline', async () => {
    const peer = wire === 'http' ? null : await scripted(wire, () => null);
    const address =
      peer?.address ?? (await import('../peers/scripted.js').then((m) => m.httpPeer(() => {}))).address;
    const { failed } = await converse(address, 1, 80);
    expect(failed).toMatchObject({ code: 'timeout', message: 'no answer within 80 ms' });
  });

  test('the client sends only well-formed single requests', async () => {
    const texts: string[] = [];
    const peer = await scripted(wire, (text) => {
      texts.push(text);
      return `{"jsonrpc":"2.0","id":${idOf(text)},"result":1}`;
    });
    const client = new RpcClient(openChannel(parseEndpoint(peer.address), plainAddress));
    const end = deadline(60_000);
    for (const ask of [
      read(anyNode.chain),
      existenceProbe(existenceMethod('debug_preimage')),
      existenceProbe(nonsenseMethod()),
    ]) {
      await client.ask(ask, end.signal);
    }
    client.close();
    end.clear();
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: expect.any(Number), method: 'net_version', params: [] },
      { jsonrpc: '2.0', id: expect.any(Number), method: 'debug_preimage', params: {} },
      {
        jsonrpc: '2.0',
        id: expect.any(Number),
        method: expect.stringMatching(/^kaiactl_[0-9a-f]{16}$/),
        params: {},
      },
    ]);
  });
});
