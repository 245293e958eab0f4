/** What the engine API answers to a request without a token. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { seen } from '../../../src/node/facts/seen.js';
import { probeEngine } from '../../../src/node/probe/ports.js';

const never = new AbortController().signal;

/** A server that answers every request so; `got`: what it was sent. */
async function answering(status: number, body: string) {
  const got: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body: text });
      response.writeHead(status).end(body.replace('ID', String(JSON.parse(text).id)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

const result = (value: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 'ID', result: value }).replace('"ID"', 'ID');

test.each([
  [401, 'missing token', { refusal: 401 }],
  [403, 'missing token', { refusal: 403 }],
  [200, result({ engine: '1.0' }), { refusal: null, modules: { engine: '1.0' } }],
  [200, '{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}', { refusal: null, modules: null }],
])('HTTP %i with %s', async (status, body, answer) => {
  const { url } = await answering(status, body);
  expect(await probeEngine(url, plainAddress, never)).toEqual({ answer: seen(answer), requests: 1 });
});

test('an answer that is neither JSON-RPC nor a refusal shows nothing', async () => {
  const { url } = await answering(404, 'not found');
  const { answer } = await probeEngine(url, plainAddress, never);
  expect(answer).toMatchObject({ state: 'not-seen', code: 'unreadable' });
});

test('one request is sent, without the headers of the user', async () => {
  const { url, got } = await answering(401, '');
  await probeEngine(url, { ...plainAddress, headers: { authorization: 'Bearer x', cookie: 'a=b' } }, never);
  expect(got.map(({ body }) => JSON.parse(body))).toMatchObject([{ method: 'rpc_modules', params: [] }]);
  expect(got[0]?.headers).not.toHaveProperty('authorization');
  expect(got[0]?.headers).not.toHaveProperty('cookie');
});
