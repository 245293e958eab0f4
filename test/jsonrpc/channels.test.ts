/** What each channel sends, counts and reports when it breaks. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { agentFor, proxyFor } from '../../src/http/agent.js';
import { encode, plainAddress } from '../../src/jsonrpc/channel.js';
import { openChannel, RpcClient } from '../../src/jsonrpc/client.js';
import { deadline, until } from '../../src/jsonrpc/deadline.js';
import { hostPort, isEndpointText, parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import { ChannelError } from '../../src/jsonrpc/failure.js';
import { answerLimits } from '../../src/jsonrpc/guard.js';
import { HttpChannel } from '../../src/jsonrpc/http.js';
import { JsonFrames } from '../../src/jsonrpc/ipc.js';
import { handshakeProbe, wsChannel } from '../../src/jsonrpc/ws.js';
import { anyNode, read } from '../../src/node/kinds/request.js';
import { closePeers, httpPeer, ipcPeer, rawPeer, tcpPeer, wsPeer } from '../peers/scripted.js';

afterEach(closePeers);
afterEach(() => vi.unstubAllEnvs());

const question = encode(1, read(anyNode.modules));
const { signal } = new AbortController();
const channelTo = (address: string) => openChannel(parseEndpoint(address), plainAddress);
const httpTo = (address: string) => new HttpChannel(parseEndpoint(address), plainAddress);

test('an answer that repeats a header or the login is masked over http and ws', async () => {
  const said = ['tok-0123456789', Buffer.from('ops:opensesame').toString('base64'), 'opensesame'];
  const headers = { authorization: 'Bearer tok-0123456789' };
  const http = await httpPeer((_, response) => void response.end(JSON.stringify(said)));
  const ws = await wsPeer((send) => send(JSON.stringify(said)));
  for (const { address } of [http, ws]) {
    const channel = openChannel(parseEndpoint(address.replace('://', '://ops:opensesame@')), {
      ...plainAddress,
      headers,
    });
    expect(await channel.exchange(question, signal)).toBe('["…","…","…"]');
    channel.close();
  }
});

describe('http', () => {
  test('counts the bytes that a server receives', async () => {
    let received = 0;
    const peer = await rawPeer((socket) =>
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (String(chunk).endsWith('}')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      }),
    );
    const channel = httpTo(`${peer.address}/rpc?a=1`);
    for (let requests = 1; requests <= 2; requests++) {
      await channel.exchange(question, signal);
      expect(channel.sent).toEqual({ requests, bytes: received });
    }
    channel.close();
  });

  test('a preflight requests a POST of JSON and reads the response head; a GET probe reads the first bytes', async () => {
    const seen: unknown[] = [];
    const peer = await httpPeer(({ method, url, headers }, response, body) => {
      const { origin, 'access-control-request-method': asked } = headers;
      seen.push([method, url, origin, asked, headers['access-control-request-headers'], body]);
      response.writeHead(200, { 'x-a': 'b' }).write('0123456789');
    });
    const channel = httpTo(`${peer.address}/x`);
    const preflight = await channel.preflight('https://a.example', signal);
    const look = await channel.look(8, signal);
    channel.close();
    expect(preflight).toMatchObject({ status: 200, headers: { 'x-a': 'b' } });
    expect(look).toMatchObject({ status: 200, headers: { 'x-a': 'b' }, text: '01234567' });
    expect(seen).toEqual([
      ['OPTIONS', '/x', 'https://a.example', 'POST', 'content-type', ''],
      ['GET', '/x', undefined, undefined, undefined, ''],
    ]);
    expect(channel.sent.requests).toBe(2);
  });

  test.each<[number, string, Record<string, string>, string, string]>([
    [403, '<html>', {}, 'not-permitted', 'HTTP 403'],
    [403, '{}', {}, 'not-permitted', 'HTTP 403: {}'],
    [429, '{}', {}, 'not-permitted', 'HTTP 429: {}'],
    [
      404,
      '',
      {},
      'unreadable',
      'HTTP 404 without a text: no http here. Use ws:// if the port is one of WebSocket, else name the path that it serves',
    ],
    [503, ' busy\nlater', {}, 'unreadable', 'HTTP 503: busy'],
    [503, 'x'.repeat(99), {}, 'unreadable', `HTTP 503: ${'x'.repeat(80)}`],
    [
      403,
      'invalid host specified\n',
      {},
      'not-permitted',
      'HTTP 403: invalid host specified: give a name that it accepts with --header "Host: …"',
    ],
    [300, '{}', {}, 'unreadable', 'HTTP 300: a redirect, not followed'],
    [399, '{}', {}, 'unreadable', 'HTTP 399: a redirect, not followed'],
    [
      302,
      '',
      { location: 'http://me:pw@b.example/x?k=1#y' },
      'unreadable',
      'HTTP 302: a redirect to http://b.example/x, not followed',
    ],
    [
      302,
      '',
      { location: `${'/node'.repeat(40)}?k=1` },
      'unreadable',
      `HTTP 302: a redirect to ${'/node'.repeat(24)}, not followed`,
    ],
    [302, '', { location: '/v2/d41d8cd98f00' }, 'unreadable', 'HTTP 302: a redirect to /v2/…, not followed'],
  ])('status %i with %j is a failure', async (status, text, headers, code, message) => {
    const peer = await httpPeer((_request, response) => response.writeHead(status, headers).end(text));
    const channel = httpTo(peer.address);
    await expect(channel.exchange(question, signal)).rejects.toMatchObject({ code, message, status });
    channel.close();
  });

  test.each([500, 400, 200])('status %i with an object is an answer', async (status) => {
    const peer = await httpPeer((_request, response) => response.writeHead(status).end(' {"a":1}'));
    const channel = httpTo(peer.address);
    expect(await channel.exchange(question, signal)).toBe(' {"a":1}');
    channel.close();
  });

  test('an agent keeps connections, at most four, and names the host of the URL to TLS', () => {
    const agent = (url: string, more = {}) =>
      agentFor(new URL(url), { insecure: false, env: {}, ...more }) as HttpsAgent;
    expect(agent('http://a.example')).toMatchObject({ maxSockets: 4, options: { keepAlive: true } });
    expect(agent('http://a.example', { maxSockets: 9 }).maxSockets).toBe(9);
    expect(agent('http://a.example').options).not.toHaveProperty('servername');
    expect(agent('https://a.example').options).toMatchObject({
      servername: 'a.example',
      rejectUnauthorized: true,
    });
    expect(agent('wss://[::1]', { insecure: true }).options).toMatchObject({
      servername: '',
      rejectUnauthorized: false,
    });
  });
});

test.each([
  [{ HTTP_PROXY: 'socks5://me:pw@p:1' }, 'HTTP_PROXY names a socks5 proxy, which is not supported'],
  [{ X_PROXY: 'y', all_proxy: 'ftp://p' }, 'all_proxy names a ftp proxy, which is not supported'],
  [{ HTTP_PROXY: 'http://me:pw@p:99999' }, 'HTTP_PROXY does not hold a URL'],
  [{ HTTP_PROXY: 'p q' }, 'HTTP_PROXY does not hold a URL'],
])('a proxy that cannot be used is refused by its variable, without its value: %j', (env, said) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const message = `the environment variable ${said}`;
  expect(() => proxyFor(new URL('http://a.example'), env)).toThrow(
    expect.objectContaining({ message, exitCode: 2, hint: expect.stringContaining('NO_PROXY') }),
  );
});

describe('ipc', () => {
  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'kaiactl-ipc-'));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return path;
  }

  test('a path that is not a socket is rejected with its file type, and one that no socket can have', async () => {
    const at = folder();
    writeFileSync(join(at, 'file'), '');
    const fails = (path: string) => channelTo(`ipc:${path}`).exchange(question, signal);
    await expect(fails(at)).rejects.toMatchObject({ code: 'unreadable', message: 'a folder, not a socket' });
    await expect(fails(join(at, 'file'))).rejects.toThrow('a regular file, not a socket');
    await expect(fails(join(at, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(fails(`/${'x'.repeat(110)}`)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/^its path has 111 bytes, and the kernel takes 10[37] for a socket$/),
    });
  });

  test('a link to a socket is followed', async () => {
    const peer = await ipcPeer((socket) => socket.on('data', () => socket.write('{"a":1}')));
    const link = join(folder(), 'link');
    symlinkSync(peer.address.slice('ipc:'.length), link);
    const channel = channelTo(`ipc:${link}`);
    expect(await channel.exchange(question, signal)).toBe('{"a":1}');
    channel.close();
  });

  test('a value is read up to the limit of bytes and depth, also in pieces', () => {
    const text = `"${'x'.repeat(answerLimits.bytes - 4)}"`;
    const push = (value: string) => {
      const frames = new JsonFrames();
      return [value.slice(0, 9), value.slice(9)].flatMap((part) => frames.push(Buffer.from(part)));
    };
    expect(push(`[${text}]`)).toHaveLength(1);
    expect(() => push(`[ ${text}]`)).toThrow('larger than 1 MiB');
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(push(nested(answerLimits.depth))).toHaveLength(1);
    expect(() => push(nested(answerLimits.depth + 1))).toThrow('levels deep');
  });
});

describe('a lasting connection', () => {
  test('counts requests and bytes, and sends the second on the same connection', async () => {
    let connections = 0;
    const peer = await ipcPeer((socket) => {
      connections++;
      socket.on('data', () => socket.write('{}'));
    });
    const channel = channelTo(peer.address);
    for (const requests of [1, 2]) {
      await channel.exchange(question, signal);
      expect(channel.sent).toEqual({ requests, bytes: requests * Buffer.byteLength(question) });
    }
    expect([connections, channel.fault]).toEqual([1, null]);
    channel.close();
  });

  test('that failed stays failed and sends nothing more', async () => {
    const peer = await wsPeer((send) => ['{"a":1}', '{"a":2}'].forEach(send));
    const channel = channelTo(peer.address);
    await channel.exchange(question, signal);
    await expect.poll(() => channel.fault?.message).toBe('it sent an unsolicited message');
    await expect(channel.exchange(question, signal)).rejects.toBe(channel.fault);
    expect(channel.sent.requests).toBe(1);
    channel.close();
    expect(channel.fault?.message).toBe('it sent an unsolicited message');
  });

  test('rejects pending requests when either side closes it', async () => {
    const mute = await wsPeer(() => {});
    const channel = channelTo(mute.address);
    const answer = channel.exchange(question, signal);
    channel.close();
    await expect(answer).rejects.toMatchObject({ code: 'unreadable', message: 'the connection was closed' });
    const ending = await ipcPeer((socket) => socket.on('data', () => socket.end()));
    await expect(channelTo(ending.address).exchange(question, signal)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'the connection was closed',
    });
  });

  test('closes when the signal aborts, and is not opened with an aborted signal', async () => {
    let connections = 0;
    const peer = await ipcPeer(() => connections++);
    const abort = new AbortController();
    const channel = channelTo(peer.address);
    const answer = channel.exchange(question, abort.signal);
    await expect.poll(() => connections).toBe(1);
    const reason = new ChannelError('timeout', 'late');
    abort.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(channel.fault).toBe(reason);
    const late = channelTo(peer.address);
    await expect(late.exchange(question, abort.signal)).rejects.toBe(reason);
    expect([late.sent.requests, connections]).toEqual([0, 1]);
  });
});

describe('ws', () => {
  const refusing = (status: number) =>
    tcpPeer(
      createServer().on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)),
      'ws',
    );
  const ask = (address: string) => wsChannel(parseEndpoint(address), plainAddress).exchange(question, signal);

  test.each([
    [401, 'not-permitted', /^HTTP 401: credentials/],
    [407, 'not-permitted', /^HTTP 407: the proxy/],
    [403, 'not-permitted', /^the WebSocket handshake was answered with HTTP 403$/],
    [404, 'unreadable', /^the WebSocket handshake was answered with HTTP 404$/],
    [200, 'unreadable', /HTTP 200: this port speaks HTTP: use http$/],
  ])('a handshake answered with %i', async (status, code, message) => {
    const { address } = await refusing(status);
    const failed = { code, status, message: expect.stringMatching(message) };
    await expect(ask(address)).rejects.toMatchObject(failed);
    const probe = handshakeProbe(parseEndpoint(address), plainAddress, 'https://a.example', signal);
    if (status === 403) expect(await probe).toBe('closed');
    else await expect(probe).rejects.toMatchObject(failed);
  });

  test('a closed connection is reported with its close code', async () => {
    const peer = await wsPeer(() => void peer.close());
    await expect(ask(peer.address)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'the connection was closed (code 1006)',
    });
  });

  test('an invalid frame is a protocol error', async () => {
    const peer = await rawPeer((socket) => {
      socket.once('data', async (head) => {
        const key = /sec-websocket-key: (.*)\r/i.exec(String(head))?.[1];
        const { createHash } = await import('node:crypto');
        const accept = createHash('sha1')
          .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
          .digest('base64');
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        socket.write(Buffer.from([0xff, 0x00]));
      });
    }, 'ws');
    await expect(ask(peer.address)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/^WebSocket protocol error: /),
    });
  });
});

describe('deadlines', () => {
  test.each([
    [1, '1 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_250, '1.3 s'],
  ])('a deadline of %i ms is shown as %s', async (ms, shown) => {
    const late = deadline(ms);
    await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
    expect(late.signal.reason).toMatchObject({ code: 'timeout', message: `no answer within ${shown}` });
  });

  test('an aborted parent ends a deadline at once; a cleared deadline never ends', () => {
    expect(deadline(60_000, AbortSignal.abort()).signal.reason).toMatchObject({ code: 'interrupted' });
    const parent = new AbortController();
    const cleared = deadline(60_000, parent.signal);
    cleared.clear();
    parent.abort();
    expect(cleared.signal.aborted).toBe(false);
  });

  test('until stops the work when its signal aborts, and not after it is done', async () => {
    const abort = new AbortController();
    let stops = 0;
    const stop = () => {
      stops++;
    };
    expect(await until(abort.signal, (resolve) => resolve(1), stop)).toBe(1);
    await expect(until(abort.signal, (_, reject) => reject(new Error('no')), stop)).rejects.toThrow('no');
    const waiting = until(abort.signal, () => {}, stop);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(stops).toBe(1);
    let started = false;
    const start = () => {
      started = true;
    };
    await expect(until(abort.signal, start, stop)).rejects.toThrow('enough');
    expect([started, stops]).toEqual([false, 2]);
  });
});

describe('the text of an endpoint', () => {
  test.each([
    ['http://a', true],
    ['HTTPS:x', true],
    ['ws://a', true],
    ['wss:', true],
    ['ipc:x', true],
    ['IPC:/x', true],
    ['\\\\?\\pipe\\klay', true],
    ['httpx:', false],
    ['a http:', false],
    ['my\\\\.\\pipe\\x', false],
    ['ftp://a', false],
  ])('%s is an endpoint: %s', (text, is) => {
    expect(isEndpointText(text)).toBe(is);
  });

  test.each([
    ['a.example:80', true],
    ['a:1/rpc', true],
    ['[::1]:8551', true],
    ['a:123456', false],
    ['a:', false],
    ['a b:80', false],
    ['x/a:80', false],
  ])('%s is a host and a port: %s', (text, is) => {
    expect(hostPort.test(text)).toBe(is);
  });

  test.each([
    ['ftp://me:pw@a', 'ftp is not a way to reach a node'],
    ['localhost', 'localhost has no scheme'],
    ['ipc:', 'the ipc endpoint has no path'],
    ['ipc:a\0b', 'the ipc endpoint has no path'],
    ['http://me:pw@a:99999', 'http://…@a:99999 is not a URL'],
    ['http:a', 'http:a is not a URL'],
    ['http://ops:S3cret#Pass@h:1/', 'http://…@h:1/ is not a URL'],
    ['http://ops:S3cret', 'http://ops:… is not a URL'],
    ['http://ops:Passw0rd/x@h', 'http://…@h is not a URL'],
    ['http://ops:12#4@h', 'http://…@h is not a URL'],
    ['http:ops:a b"c@d#@h', 'http:…@h is not a URL'],
    ['http//ops:s3cr3tPass@127.0.0.1:19203/', 'http//…@127.0.0.1:19203/ is not a URL'],
    ['ops:s3cr3tPass@h', '…@h is not a URL'],
  ])('%j: %s', (text, message) => {
    expect(() => parseEndpoint(text)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
  });

  test('a host and a port are read as http, or as the scheme given', () => {
    expect(parseEndpoint('a.example:8551/x')).toMatchObject({
      endpoint: { url: 'http://a.example:8551/x' },
      isBare: true,
    });
    expect(parseEndpoint('me:pw@a.example:8552', 'ws').raw).toBe('ws://a.example:8552/');
  });

  test.each([
    ['http://a', null],
    ['http://me@a', 'me:'],
    ['http://:pw@a', ':pw'],
    ['http://%zz%41b%ff@a', '%zzAb%ff:'],
  ])('credentials of %s', (text, pair) => {
    const expected = pair === null ? null : `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(parseEndpoint(text).authorization).toBe(expected);
  });
});

test('a client tells whether the other side speaks JSON-RPC', async () => {
  const ids: number[] = [];
  const answers = ['{}', '', '"x"'];
  const peer = await httpPeer((_request, response, body) => {
    const { id } = JSON.parse(body);
    ids.push(id);
    response.end(
      answers.pop() ?? JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: 'm', data: 2 } }),
    );
  });
  const client = new RpcClient(channelTo(peer.address));
  for (const message of ['not a JSON-RPC response', 'the answer is empty', 'not a JSON-RPC response'])
    await expect(client.ask(read(anyNode.modules), signal)).rejects.toThrow(message);
  expect(client.answered).toBe(false);
  expect(await client.ask(read(anyNode.modules), signal)).toEqual({
    kind: 'error',
    code: 1,
    message: 'm',
    data: 2,
  });
  expect(client.answered).toBe(true);
  expect(ids.map((id) => id - (ids[0] ?? 0))).toEqual([0, 1, 2, 3]);
  client.close();
});
