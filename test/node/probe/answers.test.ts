/** What odd answers over http are taken for: each fact is seen only where the answer says so. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { deadline } from '../../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../src/node/facts/live.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { probesOf } from '../../../src/node/probe/probes/index.js';
import { probeEndpoint } from '../../../src/node/probe/run.js';
import { closePeers, httpPeer } from '../../peers/scripted.js';

afterEach(closePeers);

type Reply = { status?: number; headers?: Record<string, string>; body?: string };
/** What is answered instead of the usual; `method` is empty for a request that is not JSON-RPC. */
type Odd = (request: IncomingMessage, method: string, usual: Reply) => Reply;

const results: Readonly<Record<string, unknown>> = {
  rpc_modules: { kaia: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' },
  web3_clientVersion: 'Klaytn/v2.2.1',
  net_version: '8217',
  kaia_accounts: [],
};

function plain(body: string): Reply {
  const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown };
  const known = method in results;
  const answer = Array.isArray(params) && known ? { result: results[method] } : { error: refusal(known) };
  return { body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) };
}

const refusal = (known: boolean) =>
  known ? { code: -32602, message: 'non-array args' } : { code: -32601, message: 'no' };

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

async function seenOf(odd: Odd): Promise<EndpointFacts> {
  const peer = await httpPeer((request, response, body) => {
    const method = body === '' ? '' : (JSON.parse(body) as { method: string }).method;
    send(response, odd(request, method, body === '' ? { status: 405 } : plain(body)));
  });
  const end = deadline(10_000);
  const visit = {
    source: 'argument',
    options: plainAddress,
    depth: 'safe',
    probes: probesOf(kinds),
  } as const;
  try {
    return await probeEndpoint({ ...visit, address: parseEndpoint(peer.address), signal: end.signal });
  } finally {
    end.clear();
  }
}

const foreign = (request: IncomingMessage) => !request.headers.host?.startsWith('127.');

test.each([400, 403, 404, 421])('a foreign Host answered with %i is refused', async (status) => {
  const facts = await seenOf((request, _method, usual) => (foreign(request) ? { status } : usual));
  expect(facts.foreignHost).toEqual({ state: 'seen', value: 'closed' });
});

test.each([401, 429, 500, 503])('a foreign Host answered with %i proves nothing', async (status) => {
  const facts = await seenOf((request, _method, usual) => (foreign(request) ? { status } : usual));
  expect(facts.foreignHost.state).toBe('not-seen');
});

const origin = (request: IncomingMessage) => ({
  'access-control-allow-origin': request.headers.origin ?? '',
});
test.each<[string, number, Record<string, string>, string]>([
  ['that lets content-type pass', 200, { 'access-control-allow-headers': 'X-A, Content-Type' }, 'open'],
  ['that lets all headers pass', 204, { 'access-control-allow-headers': '*' }, 'open'],
  ['that names no header', 200, {}, 'closed'],
  ['that lets another header pass', 200, { 'access-control-allow-headers': 'x-content-type' }, 'closed'],
  ['for another origin', 200, { ...allHeaders(), 'access-control-allow-origin': 'https://a.b' }, 'closed'],
  ['that is not a success', 404, allHeaders(), 'closed'],
  ['that leads elsewhere', 302, allHeaders(), 'closed'],
])('a preflight %s: %i', async (_name, status, headers, access) => {
  const facts = await seenOf((request, _method, usual) =>
    request.method === 'OPTIONS' ? { status, headers: { ...origin(request), ...headers } } : usual,
  );
  expect(facts.foreignOrigin).toEqual({ state: 'seen', value: access });
});

function allHeaders(): Record<string, string> {
  return { 'access-control-allow-headers': '*' };
}

test.each([401, 403, 407, 429])('a preflight that is refused with %i proves nothing', async (status) => {
  const facts = await seenOf((request, _method, usual) =>
    request.method === 'OPTIONS' ? { status, headers: { ...origin(request), ...allHeaders() } } : usual,
  );
  expect(facts.foreignOrigin).toMatchObject({ state: 'not-seen', code: 'not-permitted' });
});

test('a JSON-RPC error in a refusal is no answer to a foreign Host', async () => {
  const limited = { status: 429, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"slow"}}' };
  const facts = await seenOf((request, _method, usual) => (foreign(request) ? limited : usual));
  expect(facts.foreignHost).toMatchObject({ state: 'not-seen', code: 'not-permitted' });
  expect(facts.modules.state).toBe('seen');
});

test('a preflight that fails inside proves nothing', async () => {
  const facts = await seenOf((request, _method, usual) =>
    request.method === 'OPTIONS' ? { status: 500 } : usual,
  );
  expect(facts.foreignOrigin).toMatchObject({ state: 'not-seen', code: 'unreadable' });
});

const address = `0x${'ab'.repeat(20)}`;
test.each<[string, unknown, boolean]>([
  ['an address', [address], true],
  ['none', [], true],
  ['an address and a word', [address, 'root'], false],
  ['an address with a digit too many', [`${address}0`], false],
  ['an address after something else', [`x${address}`], false],
  ['a number', [1], false],
  ['an object', { 0: address }, false],
  ['more than any node has', Array.from({ length: 10_001 }, () => address), false],
])('accounts: %s', async (_name, list, believed) => {
  const facts = await seenOf((_request, method, usual) =>
    method === 'kaia_accounts' ? { body: usual.body?.replace('[]', JSON.stringify(list)) ?? '' } : usual,
  );
  if (believed) expect(facts.accounts).toEqual({ state: 'seen', value: list });
  else expect(facts.accounts).toMatchObject({ state: 'not-seen', code: 'unreadable' });
});

test.each([201, 400, 404, 500])('JSON-RPC with the status %i is an answer', async (status) => {
  const facts = await seenOf((_request, _method, usual) => ({ status, ...usual }));
  expect(facts).toMatchObject({ chain: { state: 'seen', value: '8217' }, calibrated: { state: 'seen' } });
  const page = await seenOf(() => ({ status, body: 'not here' }));
  expect(page.modules).toMatchObject({ state: 'not-seen', code: 'unreadable' });
});
