/** Files at the path of a socket: only a socket without a listener is removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileLock } from '../../../src/util/file-lock.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { survey } from './support.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-socket-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** `survey serve` on a new store, ended as soon as it listens. */
async function served(socket: string, store = join(folder(), 'survey.db')) {
  const { host, abort, texts, line } = fakeHost([
    'survey',
    'serve',
    '--port',
    '0',
    '--store',
    store,
    '--survey',
    survey,
    '--log',
    'off',
    '--admin-socket',
    socket,
  ]);
  const ended = main(host);
  await Promise.race([ended, line(/^http:\S+/m).then(() => abort.abort())]);
  return { code: await ended, ...texts };
}

async function listening(path: string): Promise<void> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

/** The socket of a process that was killed while it listened. */
async function stale(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A link to what `make` makes. */
const linked = (make: (path: string) => void | Promise<void>) => async (path: string) => {
  await make(`${path}.to`);
  symlinkSync(`${path}.to`, path);
};
const file = (path: string) => writeFileSync(path, 'mine');

const taken: readonly [string, (path: string) => void | Promise<void>, RegExp][] = [
  ['a file', file, /is not a socket/],
  ['a folder', (path) => void mkdirSync(path), /is not a socket/],
  ['a link to a file', linked(file), /is not a socket/],
  ['a link to nothing', linked(() => undefined), /is not a socket/],
  ['a link to a stale socket', linked(stale), /is not a socket/],
  ['a socket in use', listening, /another process listens there/],
];

describe('the admin socket', () => {
  test.each(taken)('is not put in the place of %s', async (_, make, why) => {
    const at = folder();
    const path = join(at, 'there');
    await make(path);
    const before = readdirSync(at).map((name) => [name, lstatSync(join(at, name)).ino]);
    const { code, err } = await served(path);
    expect([code, err]).toEqual([2, expect.stringMatching(why)]);
    expect(err).toContain('--admin-socket');
    expect(readdirSync(at).map((name) => [name, lstatSync(join(at, name)).ino])).toEqual(before);
  });

  test('is not put at the start of a path that is too long for a socket', async () => {
    const at = folder();
    const { code, err } = await served(join(at, 'x'.repeat(200)));
    expect([code, err]).toEqual([2, expect.stringMatching(/is longer than 10[37] bytes/)]);
    expect(err).toContain('--admin-socket');
    expect(readdirSync(at)).toEqual([]);
  });

  test('is not put in the place of the store, there yet or not', async () => {
    const path = join(folder(), 'survey.db');
    expect((await served(path, path)).code).toBe(2);
    expect((await served(`${path}.admin`, path)).code).toBe(0);
    expect((await served(path, path)).code).toBe(2);
    expect(readFileSync(path, 'latin1')).toContain(survey);
    expect((await served(`${path}.admin`, path)).code).toBe(0);
  });

  test('takes the place of the socket of a killed server, and leaves nothing behind', async () => {
    const path = join(folder(), 'admin');
    await stale(path);
    expect(lstatSync(path).isSocket()).toBe(true);
    expect((await served(path)).code).toBe(0);
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('the lock of a journal, where it is a file', () => {
  const lockOf = (path: string) => fileLock(path, 'darwin');

  /** The file that holds the lock. */
  async function place(path: string): Promise<string> {
    const before = new Set(readdirSync(tmpdir()));
    const release = await lockOf(path);
    const [name = ''] = readdirSync(tmpdir()).filter(
      (one) => /^kaiactl-.*\.lock$/.test(one) && !before.has(one),
    );
    release?.();
    return join(tmpdir(), name);
  }

  test('is released by a killed run and held by a running one', async () => {
    const path = join(folder(), 'journal');
    const lock = await place(path);
    await stale(lock);
    const release = await lockOf(path);
    expect(await lockOf(path)).toBeNull();
    release?.();
  });

  test('does not remove a file that is not a socket', async () => {
    const path = join(folder(), 'journal');
    const lock = await place(path);
    writeFileSync(lock, 'mine');
    onTestFinished(() => rmSync(lock));
    expect(await lockOf(path)).toBeNull();
    expect(readFileSync(lock, 'utf8')).toBe('mine');
  });
});

test('the socket is never open to others, whatever the mask of the process is', async () => {
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  const modes: (number | undefined)[] = [];
  const { listen } = Server.prototype;
  const path = join(folder(), 'admin');
  const bound = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
    this: Server,
    ...words: unknown[]
  ) {
    const server = Reflect.apply(listen, this, words) as Server;
    // bind(2) has made the socket.
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined) modes.push(mode & 0o077);
    return server;
  } as typeof listen);
  onTestFinished(() => bound.mockRestore());
  expect(await served(path)).toMatchObject({ code: 0 });
  expect(modes).toEqual([0]);
  expect(process.umask()).toBe(0);
});
