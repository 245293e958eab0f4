/** Files that a file names: which are read, and why others are not. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadOptions } from '../../../src/node/deployment/load-options.js';
import { loadNodes } from '../load.js';

const host = (text: string | Uint8Array, cwd = '/') => ({
  cwd,
  stdin: Readable.from([Buffer.from(text)]),
  signal: new AbortController().signal,
});

describe('files that a file names', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'kaiactl-sources-'));
    mkdirSync(join(root, 'node'));
    writeFileSync(join(root, 'outside.env'), 'KAIA_RPCAPI=admin\n');
    writeFileSync(join(root, 'node', 'inside.env'), 'KAIA_RPCAPI=personal\n');
    symlinkSync('loop.env', join(root, 'node', 'loop.env'));
    symlinkSync('../outside.env', join(root, 'node', 'link.env'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  async function load(name: string, text: string, options: Omit<LoadOptions, 'kinds'> = {}) {
    writeFileSync(join(root, 'node', name), text);
    const { nodes, problems } = await loadNodes(`node/${name}`, options, host('', root));
    return {
      apis: nodes.map(({ conf }) => conf.settings.values.rpcapi?.value),
      problems: problems.map(({ message }) => message),
      missing: nodes.flatMap(({ conf }) => (conf.settings.missing ?? []).map(({ reason }) => reason)),
    };
  }
  const withFile = (path: string) => `services:\n  en:\n    env_file: ${path}\n    command: ken --rpc\n`;

  test('are read in its folder', async () => {
    expect(await load('compose.yml', withFile('./inside.env'))).toEqual({
      apis: ['personal'],
      problems: [],
      missing: [],
    });
  });

  test.each(['../outside.env', 'link.env', '/etc/passwd', '../../../../../../etc/passwd'])(
    '%s lies outside and is not read, which is said',
    async (path) => {
      const { apis, missing } = await load('compose.yml', withFile(path));
      expect(apis).toEqual([null]);
      expect(missing.join()).toMatch(/^env_file: .* outside the folder \(--follow-outside reads it\)/);
    },
  );

  test('are read outside of the folder with --follow-outside', async () => {
    const found = await load('compose.yml', withFile('../outside.env'), { followOutside: true });
    expect(found).toEqual({ apis: ['admin'], problems: [], missing: [] });
  });

  test('a circular link and a missing file are reported', async () => {
    for (const path of ['loop.env', 'missing.env'])
      expect((await load('compose.yml', withFile(path))).missing).toHaveLength(1);
  });

  test('services that extend each other are read without a loop', async () => {
    writeFileSync(
      join(root, 'node', 'other.yml'),
      'services:\n  a:\n    extends: { file: compose.yml, service: en }\n',
    );
    const text =
      'services:\n  en:\n    extends: { file: other.yml, service: a }\n    command: ken --rpc --rpcapi eth\n';
    expect((await load('compose.yml', text)).apis).toEqual(['eth']);
  });

  test('the lines of a base come before the file’s own', async () => {
    writeFileSync(join(root, 'node', 'base.conf'), 'RPC_ENABLE=1\nRPC_API=admin\nNETWORK=mainnet\n');
    const text = '#!/bin/sh\necho DATA_DIR=/x >> conf/kend.conf\nkend start\n';
    expect((await load('start.sh', text, { base: 'node/base.conf' })).apis).toEqual(['admin']);
    expect((await load('start.sh', text)).apis).toEqual([null]);
  });

  test.each<[string, string]>([
    ['missing.env', 'missing.env is not read: there is no such file'],
    ['inside.env/x', 'inside.env/x is not read: it cannot be opened'],
    ['loop.env', 'loop.env is not read: it cannot be opened'],
    ['large.env', 'large.env is not read: it is larger than 8 MiB'],
    ['folder', 'folder is a folder'],
    ['../outside.env', '../outside.env is not read: it lies outside the folder (--follow-outside reads it)'],
    ['${WHO}.env', 'a file is not read: its name cannot be known'],
    ['"a\\0b"', 'a file is not read: its name cannot be known'],
    ['""', 'a file is not read: its name cannot be known'],
  ])('%s: %s', async (path, why) => {
    writeFileSync(join(root, 'node', 'large.env'), 'x'.repeat((8 << 20) + 1));
    mkdirSync(join(root, 'node', 'folder'), { recursive: true });
    const { missing } = await load('compose.yml', withFile(path));
    expect(missing).toEqual([`env_file: ${why}`]);
  });

  test('are read up to eight MiB', async () => {
    writeFileSync(join(root, 'node', 'exact.env'), 'KAIA_RPCAPI=eth\n'.padEnd(8 << 20, '#'));
    expect(await load('compose.yml', withFile('exact.env'))).toEqual({
      apis: ['eth'],
      problems: [],
      missing: [],
    });
  });

  test('are followed up to a hundred', async () => {
    const names = Array.from({ length: 102 }, (_, at) => `many-${at}.env`);
    for (const name of names) writeFileSync(join(root, 'node', name), 'KAIA_RPCAPI=eth\n');
    const text = `services:\n  en:\n    command: ken --rpc\n    env_file: [${names.join(', ')}]\n`;
    expect((await load('compose.yml', text)).missing).toEqual([
      expect.stringContaining('many-100.env is not read: only 100 files are followed'),
      expect.stringContaining('many-101.env is not read: only 100 files are followed'),
    ]);
  });

  test('are read by an absolute path with --follow-outside', async () => {
    const path = join(root, 'outside.env');
    expect(await load('compose.yml', withFile(path), { followOutside: true })).toEqual({
      apis: ['admin'],
      problems: [],
      missing: [],
    });
    expect((await load('compose.yml', withFile(join(root, 'node', 'inside.env')))).apis).toEqual([
      'personal',
    ]);
  });
});
