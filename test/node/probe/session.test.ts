/** One endpoint being asked: never more than its budget, and an answer is taken for what it is. */
import { afterEach, describe, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import { anyNode, existenceProbe } from '../../../src/node/kinds/request.js';
import { probePort } from '../../../src/node/probe/ports.js';
import { emptyFacts } from '../../../src/node/probe/run.js';
import { Session } from '../../../src/node/probe/session.js';
import { closePeers, httpPeer } from '../../peers/scripted.js';
import { alwaysPresent } from '../kaia-methods.js';

afterEach(closePeers);
const signal = new AbortController().signal;

/** A session with a peer that answers every question with this, and how often it was asked. */
/** Requests that a session may send here. */
const budget = 20;

async function asking(answer: object) {
  let asked = 0;
  const peer = await httpPeer((_, response, body) => {
    asked += 1;
    const id = body === '' ? null : (JSON.parse(body) as { id: number }).id;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  const address = parseEndpoint(peer.address);
  const session = new Session(
    { address, options: plainAddress, signal, budget },
    emptyFacts(address, 'argument'),
  );
  return { session, asked: () => asked };
}

test('the request budget limits questions and preflights together', async () => {
  const { session, asked } = await asking({ result: '8217' });
  for (let at = 0; at < budget - 1; at++) await session.text(anyNode.chain);
  await session.preflight('https://a.invalid');
  await expect(session.text(anyNode.chain)).rejects.toMatchObject({ code: 'not-asked' });
  expect(() => session.preflight('https://a.invalid')).toThrow(/the limit is 20 requests/);
  expect(asked()).toBe(budget);
  expect(session.sent.requests).toBe(budget);
  session.close();
});

test.each([
  [{ result: 'x'.repeat(300) }, 'x'.repeat(256)],
  [{ result: '' }, ''],
])('an answer’s text is cut at the limit: %#', async (answer, text) => {
  const { session } = await asking(answer);
  expect(await session.text(anyNode.chain)).toBe(text);
  session.close();
});

test.each([
  [{ result: 5 }, 'unreadable'],
  [{ result: null }, 'unreadable'],
  [{ result: ['8217'] }, 'unreadable'],
  [{ error: { code: -32601, message: 'no' } }, 'rpc-error'],
])('%j is no text', async (answer, code) => {
  const { session } = await asking(answer);
  await expect(session.text(anyNode.chain)).rejects.toMatchObject({ code });
  session.close();
});

describe('whether a method exists', () => {
  const presence = async (answer: object) => {
    const { session } = await asking(answer);
    return session.presence(existenceProbe(alwaysPresent)).finally(() => session.close());
  };
  test('follows from two error codes only', async () => {
    expect(await presence({ error: { code: -32602, message: '' } })).toBe('present');
    expect(await presence({ error: { code: -32601, message: '' } })).toBe('absent');
  });
  test.each([
    [{ error: { code: -32000, message: '' } }, /error -32000/],
    [{ error: { code: -32600, message: '' } }, /error -32600/],
    [{ result: true }, /a result/],
  ])('is unknown after %j', async (answer, what) => {
    await expect(presence(answer)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(what),
    });
  });
});

test.each([
  [201, 'closed'],
  [204, 'closed'],
  [301, 'closed'],
  [404, 'closed'],
  [499, 'closed'],
  [401, 'not-permitted'],
  [429, 'not-permitted'],
  [500, 'unreadable'],
  [503, 'unreadable'],
])('a port that answers %i is %s', async (status, expected) => {
  const paths: unknown[] = [];
  const peer = await httpPeer((request, response) => {
    paths.push(request.url);
    response.writeHead(status).end();
  });
  const port = { kind: 'metrics', url: peer.address.replace(/\/$/, ''), source: 'argument' } as const;
  const { metrics, profiler } = await probePort(port, plainAddress, signal);
  const results = [metrics, profiler].map((one) => (one.state === 'seen' ? one.value : one.code));
  expect(results).toEqual([expected, expected]);
  expect(paths).toEqual(['/metrics', '/debug/pprof/']);
});

const index = '<html>\n<head>\n<title>/debug/pprof/</title>\n';

test.each([
  ['no body, as of a node’s http interface', '', '', ['closed', 'closed']],
  ['a page of another server', '<html><title>Welcome</title>', '# a page', ['closed', 'closed']],
  ['both', '# HELP go_goroutines Number of goroutines.\n', index, ['open', 'open']],
  ['the profiler alone', '404 page not found\n', index, ['closed', 'open']],
  ['metrics alone', '# TYPE up gauge\nup 1\n', '', ['open', 'closed']],
  ['the title far behind', '', `${' '.repeat(600)}${index}`, ['closed', 'closed']],
])('a port that answers 200 with %s', async (_, metricsPage, profilerPage, expected) => {
  const peer = await httpPeer(({ url }, response) => {
    response.end(url === '/metrics' ? metricsPage : profilerPage);
  });
  const port = { kind: 'metrics', url: peer.address.replace(/\/$/, ''), source: 'argument' } as const;
  const { metrics, profiler } = await probePort(port, plainAddress, signal);
  expect([metrics, profiler]).toEqual(expected.map((value) => ({ state: 'seen', value })));
});

test('a closed port is tried once', async () => {
  const port = { kind: 'metrics', url: 'http://127.0.0.1:1', source: 'argument' } as const;
  const { metrics, profiler } = await probePort(port, plainAddress, signal);
  expect(metrics).toMatchObject({ code: 'refused' });
  expect(profiler).toBe(metrics);
});
