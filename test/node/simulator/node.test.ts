import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { KaiactlError } from '../../../src/errors.js';
import type { SimulateOptions } from '../../../src/node/simulator/interfaces.js';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { freePort } from '../../peers/free-port.js';
import { quietAnswers } from '../../peers/shape.js';
import { http, post, raw, shape } from './ask.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: Simulation[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function start(given: Parameters<typeof shape>[0], options: SimulateOptions = {}): Promise<Simulation> {
  const one = await simulateShape(shape(given), { freePorts: true, ...options });
  opened.push(one);
  return one;
}

/** True when something accepts a connection there. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', () => done(true)).on('error', () => done(false));
  });
}

const others = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter((one) => !one.internal && one.family === 'IPv4')
  .map((one) => one.address);

describe('addresses', () => {
  test.each(['0.0.0.0', '10.9.8.7', 'localhost', '[::]', '::1'])('%s is bound on loopback', async (host) => {
    const node = await start({
      http: { host },
      ws: { host },
      metrics: { host, port: 0 },
      pprof: { host, port: 0 },
    });
    for (const url of [node.http, node.ws, node.metrics, node.pprof]) {
      expect(new URL(url ?? '').hostname).toMatch(
        host.includes(':') ? /^(\[::1\]|127\.0\.0\.1)$/ : /^127\.0\.0\.1$/,
      );
    }
    expect(await post(node.http ?? '', '{"id":1,"method":"net_version"}')).toMatchObject({ result: '8217' });
  });
  test.skipIf(others.length === 0)(
    'nothing outside reaches 0.0.0.0 (needs an address besides loopback)',
    async () => {
      const node = await start({});
      const ports = [node.http, node.ws].map((url) => Number(new URL(url ?? '').port));
      for (const host of others) {
        for (const port of ports) expect(await answers(host, port)).toBe(false);
      }
    },
  );
  test('the port of the conf is used unless free ports are requested', async () => {
    const port = await freePort();
    const node = await start({ http: { port }, ws: null, ipc: null }, { freePorts: false });
    expect(node.http).toBe(`http://127.0.0.1:${port}`);
  });
  test('a port in use is an error that names the port, and nothing stays open', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const path = join(folder, 'taken.ipc');
    const attempt = simulateShape(shape({ pprof: { host: '127.0.0.1', port } }), { ipc: path });
    await expect(attempt).rejects.toThrow(KaiactlError);
    await expect(attempt).rejects.toThrow(`cannot simulate pprof: port ${port} on 127.0.0.1 is in use`);
    expect(existsSync(path)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
  test('two interfaces on one port are refused as the node would, unless free ports are taken', async () => {
    const same = shape({
      http: { port: 8551 },
      metrics: { host: '0.0.0.0', port: 8551 },
      ws: null,
      ipc: null,
    });
    await expect(simulateShape(same)).rejects.toThrow(
      'http and metrics both use port 8551: a node cannot open the second',
    );
    opened.push(await simulateShape(same, { freePorts: true }));
  });
  test.each([
    ['http', 'ws', false, 'http and ws both use'],
    ['http', 'ws', true, 'cannot simulate http:'],
    ['http', 'metrics', true, 'http and metrics both use'],
    ['ws', 'authrpc', true, 'ws and authrpc both use'],
    ['metrics', 'pprof', false, 'metrics and pprof both use'],
  ] as const)(
    '%s and %s at one port in use, where http and ws may share one (%s): %s',
    async (one, other, mayShare, said) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const at = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
      const wire = { ...quietAnswers().wire, sharesPort: mayShare };
      const given = shape({ http: null, ws: null, ipc: null, answers: { wire }, [one]: at, [other]: at });
      await expect(simulateShape(given)).rejects.toThrow(`${said} port ${at.port}`);
      await new Promise((resolve) => server.close(resolve));
    },
  );
  test.each([true, false])(
    'two ports 0 open two free ports, where http and ws may share one: %s',
    async (mayShare) => {
      const { wire } = quietAnswers();
      const zero = shape({ ipc: null, answers: { wire: { ...wire, sharesPort: mayShare } } });
      const node = await simulateShape(zero);
      opened.push(node);
      const [http, ws] = [node.http, node.ws].map((url) => Number(new URL(url ?? '').port));
      expect(http).not.toBe(ws);
      expect([await answers('127.0.0.1', http ?? 0), await answers('127.0.0.1', ws ?? 0)]).toEqual([
        true,
        true,
      ]);
    },
  );
  test('a disabled interface stays closed', async () => {
    const node = await start({ http: null, ws: null, ipc: null });
    expect(node).toMatchObject({ http: null, ws: null, ipc: null, metrics: null, pprof: null });
  });
});

describe.skipIf(process.platform === 'win32')('the ipc socket (a unix socket)', () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const named = (name: string) => join(mkdtempSync(join(folder, 'data-')), name);

  test('is at the conf’s path, 0600, and gone afterwards', async () => {
    const path = named('klay.ipc');
    const node = await start({ ipc: { path } });
    expect([node.ipc, mode(path), node.notes]).toEqual([path, '600', []]);
    expect(JSON.parse((await raw({ path }, ['{"id":1,"method":"net_version"} '], 1)).text)).toMatchObject({
      id: 1,
    });
    await node.close();
    expect([existsSync(path), existsSync(dirname(path))]).toEqual([false, true]);
  });
  test('is in a private folder if the conf’s folder is missing, and that folder is removed at the end', async () => {
    const node = await start({ ipc: { path: join(folder, 'nowhere', 'klay.ipc') } });
    expect(mode(dirname(node.ipc ?? ''))).toBe('700');
    expect(node.notes).toEqual([
      `The ipc socket is in a private folder: ${join(folder, 'nowhere')} does not exist here.`,
    ]);
    await node.close();
    expect(existsSync(dirname(node.ipc ?? ''))).toBe(false);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
  test('asked for in a folder that is not there: made, and removed again unless something else is in it', async () => {
    const path = join(folder, 'made', 'here', 'klay.ipc');
    const node = await start({}, { ipc: path });
    expect([node.ipc, mode(path)]).toEqual([path, '600']);
    await node.close();
    expect([existsSync(join(folder, 'made')), existsSync(folder)]).toEqual([false, true]);
    const again = await start({}, { ipc: path });
    writeFileSync(join(folder, 'made', 'mine'), '');
    await again.close();
    expect([existsSync(dirname(path)), existsSync(join(folder, 'made', 'mine'))]).toEqual([false, true]);
  });
  test('never takes the place of a file: it may be a running node’s', async () => {
    const path = named('klay.ipc');
    writeFileSync(path, 'mine');
    const node = await start({ ipc: { path } });
    expect(node.ipc).not.toBe(path);
    expect(node.notes[0]).toContain('already exists');
    await expect(start({}, { ipc: path })).rejects.toThrow(`cannot simulate ipc: ${path} already exists`);
    await node.close();
    expect(existsSync(path)).toBe(true);
  });
  test.skipIf(process.getuid?.() === 0)(
    'is elsewhere when the folder cannot be written (needs a user that is not root)',
    async () => {
      const path = named('klay.ipc');
      chmodSync(dirname(path), 0o500);
      expect((await start({ ipc: { path } })).notes[0]).toContain('cannot be written');
    },
  );
  test('a path too long for a socket: elsewhere, or an error when it was asked for', async () => {
    const long = join(folder, 'x'.repeat(120));
    expect((await start({ ipc: { path: long } })).notes[0]).toContain('too long');
    await expect(start({}, { ipc: long })).rejects.toThrow('longer than 103 bytes');
  });
  test('a path asked for gets its folder, 0751', async () => {
    const path = join(folder, 'made', 'a b', 'klay.ipc');
    expect((await start({}, { ipc: path })).ipc).toBe(path);
    expect(mode(dirname(path))).toBe((0o751 & ~process.umask()).toString(8));
  });
  test('a path at which no socket can be opened is an error', async () => {
    const path = `${named('folder')}/`;
    await expect(start({}, { ipc: path })).rejects.toMatchObject({
      message: expect.stringContaining(`cannot simulate ipc at ${path}`),
      hint: 'Name another path with --ipc.',
    });
  });
  test('a value that never ends is given up', async () => {
    const node = await start({});
    const part = Buffer.alloc(1 << 20, '[');
    const flood = ['"', ...Array.from({ length: 5 }, () => part)];
    expect(await raw({ path: node.ipc ?? '' }, flood)).toEqual({ text: '', closed: true });
  });
});

describe('metrics', () => {
  test('metrics, profiler and variables share one server', async () => {
    const node = await start({ metrics: { host: '0.0.0.0', port: 0 } });
    const get = async (path: string) => http(node.metrics ?? '', { method: 'GET', path });
    const text = 'text/plain; charset=utf-8';
    for (const [path, status, type, body] of [
      ['/metrics', 200, 'text/plain; version=0.0.4; charset=utf-8', /^# HELP /],
      ['/metrics?a', 200, 'text/plain; version=0.0.4; charset=utf-8', /^# HELP /],
      ['/debug/vars', 200, 'application/json; charset=utf-8', /^{}\n$/],
      ['/debug/pprof/', 200, 'text/html; charset=utf-8', /<title>\/debug\/pprof\/<\/title>/],
      ['/debug/pprof', 301, 'text/html; charset=utf-8', /Moved Permanently/],
      ['/debug/pprof/heap?debug=1', 501, text, /^not simulated: \/debug\/pprof\/heap\n$/],
      ['/debug/pprof/nothing', 404, text, /^Unknown profile\n$/],
      ['/debug', 404, text, /^404 page not found\n$/],
    ] as const) {
      const { headers, ...answer } = await get(path);
      expect({ ...answer, type: headers['content-type'] }, path).toEqual({
        status,
        type,
        body: expect.stringMatching(body),
      });
      expect(headers['x-content-type-options'], path).toBe(status >= 400 ? 'nosniff' : undefined);
    }
    expect((await get('/debug/pprof')).headers.location).toBe('/debug/pprof/');
    expect((await get('/')).body).toBe('404 page not found\n');
  });
});

test('closing ends connections that are open, and the listeners', async () => {
  const node = await start({ metrics: { host: '127.0.0.1', port: 0 } });
  const urls = [node.http, node.ws, node.metrics].map((url) => new URL(url ?? ''));
  const ends = urls.map((url) => raw({ host: '127.0.0.1', port: Number(url.port) }, ['GET / HTTP/1.1\r\n']));
  ends.push(raw({ path: node.ipc ?? '' }, ['{']));
  const first = await raw({ path: node.ipc ?? '' }, ['{"id":1,"method":"net_version"} '], 1);
  expect(first.text).not.toBe('');
  await node.close();
  for (const end of await Promise.all(ends)) expect(end).toEqual({ text: '', closed: true });
  for (const url of urls) expect(await answers('127.0.0.1', Number(url.port))).toBe(false);
  await node.close();
});

test('the log has the interface, the method as received and the outcome', async () => {
  const seen: string[][] = [];
  const node = await start({}, { log: (...entry) => seen.push(entry) });
  await post(node.http ?? '', '[{"id":1,"method":"net_version"},{"id":2,"method":"a_b\\u001b[31m"},{}]');
  await raw({ path: node.ipc ?? '' }, ['{"id":1,"method":"debug_setHead","params":{}}'], 1);
  expect(seen).toEqual([
    ['http', 'net_version', 'ok'],
    ['http', 'a_b\u001b[31m', '-32601'],
    ['http', '', '-32600'],
    ['ipc', 'debug_setHead', '-32602'],
  ]);
});
