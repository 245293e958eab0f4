/** Where a process lives, and where its paths lie as seen from here. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { pathInside, surroundingsOf } from '../../../../src/node/probe/local/namespace.js';
import { ownerOf, processOf } from '../../../../src/node/probe/local/process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-ns-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a path inside a root', () => {
  test.each([
    ['/data/klay.ipc', 'data/klay.ipc'],
    ['/data/../data//klay.ipc', 'data/klay.ipc'],
    ['/link/klay.ipc', 'data/klay.ipc'],
    ['/data/up/klay.ipc', 'data/klay.ipc'],
    ['/out/data/klay.ipc', 'data/klay.ipc'],
    ['/gone/klay.ipc', null],
    ['/loop', null],
  ])('%s', (path, expected) => {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'data'), { recursive: true });
    writeFileSync(join(root, 'data', 'klay.ipc'), '');
    symlinkSync('/data', join(root, 'link'));
    symlinkSync('../data', join(root, 'data', 'up'));
    symlinkSync('../..', join(root, 'out'));
    symlinkSync('loop', join(root, 'loop'));
    expect(pathInside(root, path)).toBe(expected === null ? null : join(root, expected));
  });

  test('follows forty links and no more', () => {
    for (let at = 0; at < 41; at++) symlinkSync(`l${at + 1}`, join(folder, `l${at}`));
    writeFileSync(join(folder, 'l41'), '');
    expect(pathInside(folder, '/l1')).toBe(join(folder, 'l41'));
    expect(pathInside(folder, '/l0')).toBeNull();
  });

  test('is unchanged if the root is this machine’s', () => {
    expect(pathInside('', '/no/such/../path')).toBe('/no/such/../path');
  });
});

describe('a process', () => {
  const id = 'ab'.repeat(32);
  function made(pid: string, links: Readonly<Record<string, string>>, group?: string): string {
    const its = join(folder, pid);
    mkdirSync(join(its, 'ns'), { recursive: true });
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(its, name));
    if (group !== undefined) writeFileSync(join(its, 'cgroup'), group);
    return its;
  }
  const ours = { 'ns/net': 'net:[1]', 'ns/mnt': 'mnt:[1]', root: '/' };

  test.each([
    ['like us', ours, 'same', false],
    ['in a network of its own', { ...ours, 'ns/net': 'net:[2]' }, 'other', false],
    ['with files of its own', { ...ours, 'ns/mnt': 'mnt:[2]' }, 'same', true],
    ['with a root of its own', { ...ours, root: '/var/jail' }, 'same', true],
    ['that shows nothing', {}, 'same', false],
  ])('%s', (_, links, network, elsewhere) => {
    made('self', ours);
    const its = made('7', links, `0::/system.slice/docker-${id}.scope\n`);
    expect(surroundingsOf(its, folder)).toEqual({
      network,
      root: elsewhere ? join(its, 'root') : '',
      container: elsewhere ? 'abababababab' : null,
    });
  });

  test('whose namespaces cannot be read counts as one of this machine', () => {
    const its = made('7', { ...ours, 'ns/net': 'net:[2]' });
    expect(surroundingsOf(its, folder).network).toBe('same');
  });

  test('in a container that names no id', () => {
    made('self', ours);
    const its = made('7', { ...ours, root: '/var/jail' }, '0::/user.slice\n');
    expect(surroundingsOf(its, folder).container).toBeNull();
    expect(surroundingsOf(made('8', { ...ours, root: '/j' }), folder).container).toBeNull();
  });

  test('owns the ports it listens on, in our network', () => {
    made('self', ours);
    writeFileSync(join(made('7', ours), 'cmdline'), 'ken\0--rpc\0');
    const found = processOf(7, { proc: folder, platform: 'linux', kinds });
    if (found.state !== 'seen') throw new Error('not found');
    expect(processOf(7, { proc: folder, platform: 'darwin', kinds })).toMatchObject({
      code: 'not-applicable',
    });
    expect(processOf(8, { proc: folder, platform: 'linux', kinds })).toMatchObject({ code: 'not-found' });
    const bound = (port: number) =>
      seen([
        { address: '::', port },
        { address: '::', port: 1 },
      ]);
    const nodes = [
      { ...found.value, pid: 1, network: 'other' as const, sockets: bound(8551) },
      { ...found.value, pid: 2 },
      { ...found.value, pid: 3, sockets: bound(8551) },
    ];
    const url = (port: number) => `http://127.0.0.1:${port}`;
    expect(ownerOf([url(8551)], seen(nodes))?.pid).toBe(3);
    expect(ownerOf([url(9), url(8551)], seen(nodes))?.pid).toBe(3);
    expect(ownerOf([url(9)], seen(nodes))).toBeNull();
    expect(ownerOf([url(8551)], found.value.sockets as never)).toBeNull();
  });
});
