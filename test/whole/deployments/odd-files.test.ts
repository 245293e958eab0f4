/** Odd files in a folder never end its run: the others are judged, and exit code 2 is for paths that were named. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-odd-'));
const socket = createServer();
const at = (...names: readonly string[]) => join(folder, ...names);
const compose =
  'services:\n  en:\n    network_mode: host\n    command: ken --datadir /d --rpc --rpcapi eth\n';

beforeAll(async () => {
  mkdirSync(at('tree', 'loop'), { recursive: true });
  writeFileSync(at('tree', 'compose.yml'), compose);
  symlinkSync('nowhere', at('tree', 'gone.yml'));
  symlinkSync('self', at('tree', 'self'));
  symlinkSync('..', at('tree', 'loop', 'up'));
  writeFileSync(at('tree', 'large.sh'), `#!/bin/sh\nken --rpc\n${'#'.repeat(1 << 20)}\n`);
  writeFileSync(at('tree', 'zero.conf'), Buffer.alloc(4096));
  await new Promise<void>((done) => socket.listen(at('tree', 'klay.ipc'), done));
});
afterAll(() => {
  socket.close();
  rmSync(folder, { recursive: true, force: true });
});

async function lint(...argv: readonly string[]) {
  const { stdout, stderr, code } = await kaiactl(['node', 'lint', ...argv, '--format', 'json'], {
    cwd: folder,
  });
  const { targets, summary } = JSON.parse(stdout) as Report;
  return { names: targets.map(({ name, verdict }) => `${name} ${verdict}`), summary, stderr, code };
}

describe('lint', () => {
  test('judges the other files of a folder; a link to nowhere beside a node is a question', async () => {
    const { names, stderr, code } = await lint('tree');
    expect(names).toEqual(['tree/compose.yml: en pass', 'tree/large.sh pass', 'tree/gone.yml undetermined']);
    expect(stderr).toContain('tree/gone.yml: the link leads nowhere');
    expect(code).toBe(3);
  });

  test('reads a node that a long file names at its end', async () => {
    mkdirSync(at('long'));
    writeFileSync(
      at('long', 'compose.yml'),
      compose.replace('  en:', `  web:\n    image: ${'w'.repeat(200_000)}\n  en:`),
    );
    expect((await lint('long')).names).toEqual(['long/compose.yml: en pass']);
  });

  test.each([
    ['loop', '      loop: [', (at: number) => `${at}, `, ']\n'],
    ['chain', '', () => '', '    - include_tasks: site-tasks.yml\n'],
  ])(
    'says that the settings of a playbook may be others where a %s is too long',
    async (name, start, item, end) => {
      mkdirSync(at(name));
      const items = Array.from({ length: 51 }, (_, n) => item(n)).join('');
      const play = `- hosts: all\n  tasks:\n    - shell: ken --datadir /d --rpc --rpcapi eth\n${start}${items}${end}`;
      writeFileSync(at(name, 'site.yml'), play);
      writeFileSync(at(name, 'site-tasks.yml'), '- include_tasks: site-tasks.yml\n');
      const { names, code } = await lint(name);
      expect([new Set(names), code]).toEqual([new Set([`${name}/site.yml undetermined`]), 3]);
    },
  );

  test('ends with 2 for a named path that cannot be read', async () => {
    expect(await lint('tree', 'tree/gone.yml')).toMatchObject({ code: 2 });
    expect(await lint('tree/klay.ipc')).toMatchObject({ code: 2 });
    expect(await lint('tree', '--exclude', '*')).toMatchObject({ code: 2 });
  });

  test('counts what was excluded', async () => {
    const { summary } = await lint('tree', '--exclude', 'large.sh', '--exclude', 'loop/');
    expect(summary.excluded).toBe(2);
    expect((await lint('tree')).summary.excluded).toBeUndefined();
  });
});

/** Runs simulate until it prints the interfaces. */
async function simulate(...argv: readonly string[]) {
  const ended = new AbortController();
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      ended.abort();
      done();
    },
  });
  return await kaiactl(['node', 'simulate', ...argv, '--free-ports'], {
    cwd: folder,
    signal: ended.signal,
    stdout,
  });
}

describe('a folder', () => {
  test('is simulated as one of its nodes', async () => {
    expect(await simulate('tree')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('tree starts 2 nodes'),
    });
    const { code, stderr } = await simulate('tree', '--service', 'en');
    expect(stderr).toContain('simulating tree/compose.yml');
    expect(code).toBe(0);
  });

  test('is audited as its nodes', async () => {
    const argv = ['node', 'audit', 'tree', '--simulate', '--format', 'json'];
    const { targets } = JSON.parse((await kaiactl(argv, { cwd: folder })).stdout) as Report;
    expect(targets.map(({ name }) => name)).toEqual(['tree/compose.yml: en', 'tree/large.sh']);
  });
});
