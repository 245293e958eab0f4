/** What is particular to http: heads, redirects, proxies, certificates, compression. */
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { proxyFor } from '../../src/http/agent.js';
import {
  type ConnectionOptions,
  encode,
  plainAddress,
  type RequestOptions,
} from '../../src/jsonrpc/channel.js';
import { deadline } from '../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import { HttpChannel } from '../../src/jsonrpc/http.js';
import { anyNode, read } from '../../src/node/kinds/request.js';
import { loopbackCertificate } from '../peers/certificate.js';
import { closePeers, httpPeer, tcpPeer } from '../peers/scripted.js';

afterEach(closePeers);
afterEach(() => vi.unstubAllEnvs());

async function post(
  address: string,
  options: Partial<ConnectionOptions> = {},
  requestOptions: RequestOptions = {},
): Promise<string> {
  const channel = new HttpChannel(parseEndpoint(address), { ...plainAddress, ...options });
  const end = deadline(60_000);
  try {
    return await channel.exchange(encode(1, read(anyNode.modules)), end.signal, requestOptions);
  } finally {
    channel.close();
    end.clear();
  }
}

/** Answers with the request's head, so that a test sees what really arrived. */
function mirror() {
  return httpPeer((request, response) => {
    response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  });
}

test('a foreign Host header is sent as given', async () => {
  const peer = await mirror();
  const seen = JSON.parse(await post(peer.address, {}, { host: 'foreign.example' }));
  expect(seen.headers.host).toBe('foreign.example');
});

test('extra headers and basic auth are sent, the path kept', async () => {
  let seen: unknown;
  const peer = await httpPeer(({ url, headers }, response) => {
    seen = { url, headers };
    response.end('{}');
  });
  const url = peer.address.replace('//', '//me:secret@');
  await post(`${url}/v1/rpc?key=1`, { headers: { 'x-team': 'a' } });
  expect(seen).toMatchObject({
    url: '/v1/rpc?key=1',
    headers: { 'x-team': 'a', authorization: `Basic ${Buffer.from('me:secret').toString('base64')}` },
  });
});

test('a preflight carries no credentials and no header of the user but Host, as that of a browser', async () => {
  const got: IncomingHttpHeaders[] = [];
  const peer = await httpPeer((request, response) => {
    got.push(request.headers);
    response.end();
  });
  const channel = new HttpChannel(parseEndpoint(peer.address.replace('//', '//me:secret@')), {
    ...plainAddress,
    headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-team': 'a', host: 'en.example' },
  });
  await channel.preflight('https://a.example', AbortSignal.timeout(60_000));
  channel.close();
  expect(Object.keys(got[0] ?? {}).filter((name) => /^(?:authorization|cookie|x-)/.test(name))).toEqual([]);
  expect(got[0]).toMatchObject({ host: 'en.example', origin: 'https://a.example' });
});

test('a redirect is named and not followed', async () => {
  let followed = 0;
  const other = await httpPeer((_request, response) => {
    followed += 1;
    response.end('{}');
  });
  const peer = await httpPeer((_request, response) => {
    response.writeHead(307, { location: `${other.address}/x?token=abc` }).end();
  });
  await expect(post(peer.address)).rejects.toThrow(
    /^HTTP 307: a redirect to http:\/\/127[^?]*, not followed$/,
  );
  expect(followed).toBe(0);
});

test.each([401, 407])('the status %i yields a hint where to give credentials', async (status) => {
  const peer = await httpPeer((_request, response) => {
    response.writeHead(status).end('{"error":"who are you?"}');
  });
  await expect(post(peer.address)).rejects.toThrow(
    status === 401
      ? /^HTTP 401: credentials .* --header "Authorization: …"/
      : /^HTTP 407: the proxy requires/,
  );
});

test('https to a port without TLS is an error that proposes http', async () => {
  const peer = await mirror();
  await expect(post(peer.address.replace('http:', 'https:'))).rejects.toThrow(
    /^this port does not speak TLS: use http/,
  );
});

const compressions = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const;

test.each(compressions)(
  'an answer compressed by %s is read; one that swells beyond the cap, or is cut off or damaged, is not',
  async (name, compress) => {
    const answering = (body: Buffer) =>
      httpPeer((_request, response) => {
        response.setHeader('content-encoding', name).end(body);
      });
    const whole = compress(JSON.stringify({ ok: 'x'.repeat(999) }));
    expect(await post((await answering(whole)).address)).toMatch(/^\{"ok":"x{999}"\}$/);
    const bomb = await answering(compress(Buffer.alloc(4 << 20, ' ')));
    await expect(post(bomb.address)).rejects.toThrow('larger than 1 MiB');
    const cutOff = await answering(whole.subarray(0, -4));
    await expect(post(cutOff.address)).rejects.toMatchObject({ code: 'unreadable', message: /is cut off$/ });
    const damaged = await answering(Buffer.alloc(99, 0xff));
    await expect(post(damaged.address)).rejects.toMatchObject({ code: 'unreadable', message: /is damaged$/ });
  },
);

test('a connection that is dropped within the answer is no answer', async () => {
  const peer = await httpPeer((_request, response) => {
    response.write('{"jsonrpc":');
    setImmediate(() => response.destroy());
  });
  await expect(post(peer.address)).rejects.toMatchObject({ code: 'unreachable' });
});

test('an answer that turns into another protocol is not taken for HTTP', async () => {
  const peer = await httpPeer((_request, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  });
  await expect(post(peer.address)).rejects.toMatchObject({ code: 'unreadable', message: /is not HTTP$/ });
});

test('a refusal that a proxy may have sent names the proxy', async () => {
  const proxy = await httpPeer((_request, response) => response.writeHead(403).end('Forbidden'));
  vi.stubEnv('HTTP_PROXY', proxy.address);
  await expect(post('http://node.example:8551')).rejects.toThrow(
    'HTTP 403: Forbidden (through the proxy of the environment, which may have answered itself)',
  );
  await expect(post(proxy.address)).rejects.toThrow(/^HTTP 403: Forbidden$/);
});

test('http requests use the proxy of the environment, except to loopback', async () => {
  const proxy = await httpPeer((request, response) => {
    response.end(JSON.stringify({ url: request.url }));
  });
  const env = { HTTP_PROXY: proxy.address };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(JSON.parse(await post('http://node.invalid:8551/x', { env })).url).toBe(
    'http://node.invalid:8551/x',
  );
  const direct = await mirror();
  expect(JSON.parse(await post(direct.address, { env })).url).toBe('/');
});

test.each([
  ['http://a.example', { HTTP_PROXY: 'p:3128' }, 'http://p:3128/'],
  ['https://a.example', { HTTP_PROXY: 'p:3128' }, null],
  ['wss://a.example', { https_proxy: 'http://p:1' }, 'http://p:1/'],
  ['http://a.example', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'b, .example' }, null],
  ['http://a.example', { HTTP_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['https://a.example', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128/'],
  ['wss://a.example', { ALL_PROXY: 'https://p:1' }, 'https://p:1/'],
  ['http://a.example:81', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'a.example:80' }, 'http://p:1/'],
  ['http://notexample', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'example' }, 'http://p:1/'],
  ['http://localhost:8551', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://[::1]:8551', { HTTP_PROXY: 'http://p:1' }, null],
])('%s with the environment %o', (url, env, proxy) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(proxyFor(new URL(url), env)?.href ?? null).toBe(proxy);
});

test('a self-signed certificate is rejected, unless --insecure is given', async (context) => {
  const certificate = loopbackCertificate();
  if (certificate === null) return context.skip('openssl is not installed: certificates are not tested');
  try {
    const server = createServer(certificate, (_request, response) => {
      response.end('{"ok":1}');
    });
    const peer = await tcpPeer(server, 'https');
    await expect(post(peer.address)).rejects.toThrow(
      'the certificate cannot be verified: for a private CA, set NODE_EXTRA_CA_CERTS to its file (--insecure accepts it)',
    );
    expect(await post(peer.address, { insecure: true })).toBe('{"ok":1}');
  } finally {
    certificate.remove();
  }
  return undefined;
});
