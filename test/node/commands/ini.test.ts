import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findRepositorySettings, iniPlace, sectionsOf } from '../../../src/node/commands/ini.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-ini-'));
afterAll(() => rmSync(folder, { recursive: true }));

const nodes = 'a=0\n[ en-1 ]\n rpc = x\nws[] = y\nrpc = z\n[en-1.b]\nrpc = x\n[en-[1:2]]\nrpc=x';

test.each([
  ['en-1', null, 'nodes.ini:2 [en-1]'],
  ['en-1', 'rpc', 'nodes.ini:5 [en-1]'],
  ['en-1', 'ws', 'nodes.ini:4 [en-1]'],
  ['en-1', 'ipc', 'nodes.ini [en-1]'],
  ['en-1.b', 'rpc', 'nodes.ini:7 [en-1.b]'],
  ['en-[1:2]', 'rpc', 'nodes.ini:9 [en-[1:2]]'],
  ['en-3', 'rpc', 'nodes.ini [en-3]'],
  ['en-3', null, 'nodes.ini [en-3]'],
])('in [%s] the last line of %s is at %s', (section, key, place) => {
  expect(iniPlace({ file: 'nodes.ini', text: nodes }, section, key)).toBe(place);
});

test('sections keep dots and brackets in their names', () => {
  const text = '[en-1.b]\nrpc = x # comment\n[en-[1:2]] \r\n; comment\nws = "y"\nipc[] = 1\nipc[] = 2\n[e]\n';
  expect(() => sectionsOf({ file: 'nodes.ini', text })).not.toThrow();
  expect(sectionsOf({ file: 'nodes.ini', text }).map(({ name, values }) => [name, { ...values }])).toEqual([
    ['en-1.b', { rpc: 'x' }],
    ['en-[1:2]', { ws: 'y', ipc: ['1', '2'] }],
    ['e', {}],
  ]);
});

test.each([
  ['[a]\nrpc = x\n[b]\n[a]\n', 'nodes.ini:4: [a] appears twice'],
  ['[a]\nrpc = x\nws = y\nrpc = z\n', 'nodes.ini:4: rpc of [a] appears twice'],
  ['rpc = x\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
  ['rpc\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
  ['rpc[] = x\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
])('%j is refused: %s', (text, message) => {
  expect(() => sectionsOf({ file: 'nodes.ini', text })).toThrow(message);
});

test('a key may stand in every section', () => {
  expect(sectionsOf({ file: 'nodes.ini', text: '[a]\nrpc = x\n; rpc = y\n[b]\nrpc = x\n' })).toHaveLength(2);
});

describe('kaiactl.ini', () => {
  const place = (name: string, text: string | null, ...below: readonly string[]): string => {
    const root = join(folder, name);
    mkdirSync(join(root, ...below), { recursive: true });
    if (text !== null) writeFileSync(join(root, 'kaiactl.ini'), text);
    return root;
  };

  test('is that of the folder or of one above it, in the repository', async () => {
    const root = place('above', '[node]\nexclude = a , b,d\nexclude[] = c\npolicy = x, y\n', 'deep', 'er');
    const found = { file: join(root, 'kaiactl.ini'), where: `${join(root, 'kaiactl.ini')} [node]` };
    expect(await findRepositorySettings(join(root, 'deep', 'er'))).toMatchObject({
      ...found,
      values: { exclude: ['a', 'b', 'd', 'c'], policy: ['x, y'] },
    });
    mkdirSync(join(root, 'deep', '.git'));
    expect(await findRepositorySettings(join(root, 'deep', 'er'))).toBeNull();
    mkdirSync(join(root, '.git'));
    expect(await findRepositorySettings(root)).toMatchObject(found);
  });

  test('may be empty, and has no other section', async () => {
    expect((await findRepositorySettings(place('empty', '')))?.values).toEqual({});
    for (const [at, text] of ['[other]\n', 'node = 1\n', '[node]\n[x]\n'].entries())
      await expect(findRepositorySettings(place(`other-${at}`, text))).rejects.toMatchObject({
        message: expect.stringMatching(/kaiactl\.ini:\d: unknown section or key (?:other|node|x)$/),
        hint: 'kaiactl.ini has one section: [node].',
      });
  });

  test('of a folder that every user can write is skipped', async () => {
    const root = place('shared', '[node]\n', '.git');
    chmodSync(root, 0o777);
    expect(await findRepositorySettings(root)).toBeNull();
    expect(await findRepositorySettings(join(root, 'missing'))).toBeNull();
  });
});
