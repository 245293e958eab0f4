/** Settings of other nodes and of applications: they share names with Kaia's, and no word is said of them, no byte changed. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/run.js';

const fixtures = new URL('../../fixtures/foreign', import.meta.url).pathname;
const names = readdirSync(fixtures);
/** Files with a word that opens an interface: they are named, and never read as a conf. */
const signed = new Set(['.env', 'celo.env', 'cronos.toml', 'optimism.env.template']);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-foreign-'));
  cpSync(fixtures, folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function contents(): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test.each(names)('%s named alone is not a node’s settings', async (name) => {
  const before = contents();
  for (const how of [[], ['--diff', '--unsafe-fixes'], ['--fix'], ['--fix', '--unsafe-fixes']]) {
    const { code, out, err } = await run(['node', 'lint', name, ...how], { cwd: folder });
    if (!signed.has(name)) expect(err).toContain(`${name}: not a node's settings`);
    expect([code, out.includes('@@')]).toEqual([signed.has(name) ? 3 : 2, false]);
  }
  expect(contents()).toEqual(before);
});

test.each(names)('%s named with --skip-foreign is skipped, or not if it has a sign', async (name) => {
  const { code, out, err } = await run(['node', 'lint', '--skip-foreign', name], { cwd: folder });
  const skipped = `kaiactl: skipped ${name}: not a node's settings`;
  expect([code, err.includes(skipped)]).toEqual(signed.has(name) ? [3, false] : [0, true]);
  if (!signed.has(name))
    expect([out, err.trimEnd().split('\n').length]).toEqual(['No findings: no node was judged.\n', 1]);
});

test('--skip-foreign skips neither a node, nor a conf by its name, nor a file that cannot be read', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kaiactl-skip-'));
  writeFileSync(join(place, 'compose.yaml'), 'services:\n  web:\n    image: nginx\n');
  writeFileSync(join(place, 'run.sh'), 'ken --datadir /d --rpc --rpcaddr 0.0.0.0 --rpcapi personal\n');
  writeFileSync(join(place, 'kend.conf'), '');
  const lint = async (...files: string[]) => {
    const { code, err } = await run(['node', 'lint', '--skip-foreign', ...files], { cwd: place });
    return [code, /skipped (\S+):/.exec(err)?.[1] ?? null];
  };
  try {
    expect(await lint('compose.yaml')).toEqual([0, 'compose.yaml']);
    expect(await lint('compose.yaml', 'run.sh')).toEqual([1, 'compose.yaml']);
    expect(await lint('kend.conf')).toEqual([2, null]);
    expect(await lint('none.yaml')).toEqual([2, null]);
    const { code } = await run(['node', 'lint', 'compose.yaml'], { cwd: place });
    expect(code).toBe(2);
  } finally {
    rmSync(place, { recursive: true });
  }
});

test('foreign files in a folder are ignored, counted and left unchanged', async () => {
  const conf = 'RPC_ENABLE=1\nRPC_API="klay,admin"\nNETWORK="mainnet"\nDATA_DIR=/d\n';
  const before = contents();
  writeFileSync(join(folder, 'kend.conf'), conf);
  try {
    const { out, err } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
    const { targets } = JSON.parse(out) as { targets: { name: string }[] };
    expect(targets.map(({ name }) => name)).toEqual(['kend.conf', ...signed]);
    expect(err).toContain('other files: ');
    await run(['node', 'lint', '.', '--fix', '--unsafe-fixes'], { cwd: folder });
    expect(readFileSync(join(folder, 'kend.conf'), 'utf8')).not.toBe(conf);
    expect(contents()).toEqual(before);
  } finally {
    rmSync(join(folder, 'kend.conf'));
  }
});

test('a foreign file is a conf when the user names a launcher', async () => {
  const argv = ['node', 'lint', 'celo.env', '--launcher', 'kend', '--format', 'json'];
  const { out } = await run(argv, { cwd: folder });
  const { targets } = JSON.parse(out) as { targets: { conf: object }[] };
  expect(targets[0]?.conf).toMatchObject({ launcher: 'kend', by: 'option', packageBy: 'guess' });
});
