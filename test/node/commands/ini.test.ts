import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findRepositorySettings } from '../../../src/node/commands/ini.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-ini-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
        message: expect.stringMatching(
          /kaiactl\.ini:\d: (?:unknown section (?:other|x)|node is outside a section)$/,
        ),
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
