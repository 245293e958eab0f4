/** The packed program on the other versions of node that it supports; `npm run test:node` fetches them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-supported-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([22, 24])('node %i', (major) => {
  const node = join(root, `node_modules/.cache/kaiactl/node_modules/node${major}/bin/node`);
  const there = existsSync(node);
  if (!there) process.stderr.write(`SKIPPED: the program on node ${major}: run npm run test:node\n`);

  test.skipIf(!there)('lints and audits as on this version', () => {
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(folder, name), '-C', folder]);
    const cache = join(folder, `cache-${major}`);
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cache };
    const run = (...words: string[]) =>
      spawnSync(node, ['package/bin/kaiactl.js', ...words], { cwd: folder, encoding: 'utf8', env });
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(`v${major}.`);
    expect(run('--version')).toMatchObject({ stdout: expect.stringMatching(/^kaiactl \d/), stderr: '' });
    const conf = 'package/fixtures/demo/kend.conf';
    for (const words of [
      ['lint', conf],
      ['audit', '--simulate', conf],
    ]) {
      const { status, stdout, stderr } = run('node', ...words, '--quiet');
      expect([status, stderr]).toEqual([1, '']);
      expect(stdout).toContain('3 findings: 1 critical, 2 medium.');
    }
    // Compiled code is kept for this user alone; where it cannot be, no message appears and nothing is missing.
    const compiled = join(cache, 'kaiactl/compiled');
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
    const kept = readdirSync(compiled, { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).not.toEqual([]);
    rmSync(cache, { recursive: true });
    writeFileSync(cache, '');
    expect(run('node', 'lint', conf, '--quiet')).toMatchObject({ status: 1, stderr: '' });
  });
});
