import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { formats } from '../../../src/node/report/index.js';
import { run } from '../offline.js';

let top = '';
const conf = 'RPC_ENABLE=1\nRPC_API="klay,personal"\nRPC_ADDR="0.0.0.0"\nDATA_DIR=/srv/kend\n';

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'kaiactl-paths-'));
  write('one/deploy/nodes/kend.conf');
  write('one/deploy/other/kend.conf');
  git('one', 'init', '-q');
  git('one', 'add', '.');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(name: string, text = conf): void {
  mkdirSync(join(top, name, '..'), { recursive: true });
  writeFileSync(join(top, name), text);
}

function git(folder: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: join(top, folder), encoding: 'utf8' });
}

async function lint(folder: string, path: string, format: string): Promise<string> {
  const cwd = join(top, folder);
  return (await run(['node', 'lint', ...path.replaceAll('TOP', top).split(' '), '--format', format], { cwd }))
    .out;
}

/** The report without its times. */
const untimed = (report: string) => report.replace(/"\w+(?:At|Utc)":\s*"[^"]*"/g, '');

interface Artifact {
  readonly uri: string;
  readonly uriBaseId?: string;
}

/** The files of a SARIF log. */
async function artifacts(folder: string, path: string): Promise<Artifact[]> {
  const found: Artifact[] = [];
  JSON.parse(await lint(folder, path, 'sarif'), (key, value) => {
    if (key === 'artifactLocation') found.push(value);
    return value;
  });
  return found;
}

const ways: [string, string][] = [
  ['one', 'deploy'],
  ['one', './deploy'],
  ['one/deploy', '.'],
  ['one/deploy/nodes', '..'],
  ['one/deploy/nodes', '../../deploy'],
  ['one', 'TOP/one/deploy'],
  ['one/deploy/nodes', 'TOP/one/deploy'],
  ['.', 'one/deploy'],
  ['.', 'TOP/one/deploy'],
];

test.each(ways)('SARIF of %s by %s names the files that git has', async (folder, path) => {
  const tracked = git('one', 'ls-files').trim().split('\n');
  const all = await artifacts(folder, path);
  expect(new Set(all.map(({ uri }) => uri))).toEqual(new Set(tracked));
  expect(all.every(({ uriBaseId }) => uriBaseId === '%SRCROOT%')).toBe(true);
});

// SARIF has each way above; of the others, each has two.
test.each(Object.keys(formats).map((format, at) => [format, at] as const))(
  '%s is the same from everywhere',
  async (format, at) => {
    const expected = untimed(await lint('one', 'deploy', format));
    expect(expected).toContain('deploy/nodes/kend.conf');
    for (const [folder, path] of ways.filter((_, n) => n > 0 && n % 4 === at % 4))
      expect(untimed(await lint(folder, path, format)), path).toBe(expected);
  },
);

test.each([
  ['one', 'TOP/apart/kend.conf', 'file://TOP/apart/kend.conf'],
  ['one/deploy', '../../apart/kend.conf', 'file://TOP/apart/kend.conf'],
  ['apart', 'TOP/apart/kend.conf', 'file://TOP/apart/kend.conf'],
  ['apart', 'kend.conf', 'kend.conf'],
  ['one/deploy', 'nodes TOP/apart/kend.conf', 'deploy/nodes/kend.conf file://TOP/apart/kend.conf'],
  ['.', 'one/deploy/nodes two/deploy', 'one/deploy/nodes/kend.conf two/deploy/kend.conf'],
  ['apart', 'TOP/two', 'deploy/kend.conf'],
])('SARIF of %s by %s, outside a checkout or in several: %s', async (folder, path, expected) => {
  write('apart/kend.conf');
  write('two/deploy/kend.conf');
  git('two', 'init', '-q');
  const uris = new Set((await artifacts(folder, path)).map(({ uri }) => uri));
  expect([...uris].join(' ').replaceAll(top, 'TOP')).toBe(expected);
});

test('lines that a report quotes and what a fix writes keep their words', async () => {
  write('one/deploy/nodes/kend.conf', `${conf}# kend.conf\nRPC_API="klay,debug" # see kend.conf\n`);
  const { targets } = JSON.parse(await lint('one/deploy/nodes', 'kend.conf', 'json')) as Report;
  const sources = targets.flatMap(({ findings }) => findings.map(({ source }) => source));
  expect(sources).toContain('RPC_API="klay,debug" # see kend.conf');
});

test('options name files from the working folder, and count as from the root', async () => {
  const cwd = join(top, 'one/deploy');
  const lint = (...words: string[]) => run(['node', 'lint', ...words], { cwd });
  await lint('.', '--write-baseline', 'accepted.json', '--report', 'json=report.json');
  const accepted = readFileSync(join(cwd, 'accepted.json'), 'utf8');
  expect(accepted).not.toContain('deploy/');
  expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toContain('"deploy/nodes/kend.conf"');
  write('one/deploy/kaiactl.ini', '[node]\nbaseline = accepted.json\n');
  expect((await lint('nodes')).code).toBe(0);
  expect((await run(['node', 'lint', 'one/deploy'], { cwd: top })).code).toBe(0);
  expect((await lint('nodes/kend.conf', '--exclude', 'nodes/*', '--skip-foreign')).code).toBe(0);
});

test('a kaiactl.ini of the working folder counts for stdin', async () => {
  const lint = (folder: string) => run(['node', 'lint', '-'], { cwd: join(top, folder), stdin: conf });
  write('one/deploy/kaiactl.ini', '[node]\nfail-on = none\n');
  expect((await lint('one/deploy')).code).toBe(0);
  expect((await lint('one')).code).toBe(1);
});

test('a missing file of the working folder is not that of the root', async () => {
  write('one/kend.conf');
  const { code, err } = await run(['node', 'lint', 'kend.conf'], { cwd: join(top, 'one/deploy') });
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('deploy/kend.conf') });
});

test('fixes are written where the file is, and a patch applies in the working folder', async () => {
  const cwd = join(top, 'one/deploy/nodes');
  const { out } = await run(['node', 'lint', 'kend.conf', '--diff', '--unsafe-fixes'], { cwd });
  execFileSync('git', ['apply', '-'], { cwd, input: out });
  const patched = readFileSync(join(cwd, 'kend.conf'), 'utf8');
  write('one/deploy/nodes/kend.conf');
  await run(['node', 'lint', 'kend.conf', '--fix', '--unsafe-fixes'], { cwd });
  expect(readFileSync(join(cwd, 'kend.conf'), 'utf8')).toBe(patched);
  expect(patched).not.toContain('personal');
});
