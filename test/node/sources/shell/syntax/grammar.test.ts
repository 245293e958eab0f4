/** The reader parses what bash parses: idioms, the fixtures, and the scripts of this machine. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readShell } from '../../../../../src/node/sources/shell/shell.js';
import { everyNth } from '../../../../seed.js';
import { readConf } from '../../../editables.js';
import { hasBash, source } from '../../oracle.js';
import { differences, read } from '../recorded.js';
import { type Comparison, compare, refusal, shellFiles } from './grammar.js';

const bash = hasBash();
if (!bash) process.stderr.write('SKIPPED: no bash 5 or later here, so no script is compared with it\n');

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-grammar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run test:bash` compares more. */
const isLong = process.env.KAIACTL_TEST_BASH_CONFS !== undefined;
const all = readFileSync(new URL('./idioms.txt', import.meta.url), 'utf8').split(/^%%\n/m);
const idioms = isLong ? all : everyNth(4, all);
const project = fileURLToPath(new URL('../../../../../', import.meta.url));

function told(what: string, { both, none, tooLong, onlyBash, onlyWe }: Comparison): void {
  process.stdout.write(
    `${what}: both parse ${both}, neither ${none}, only bash ${onlyBash.length}, only kaiactl ${onlyWe.length}, ${tooLong} too long\n`,
  );
}

describe.skipIf(!bash)('bash and the reader parse the same', () => {
  test(`${idioms.length} idioms`, () => {
    expect(all.length).toBeGreaterThan(150);
    const files = idioms.map((text, at) => {
      const file = join(folder, `${at}.sh`);
      writeFileSync(file, text);
      return file;
    });
    const found = compare(files);
    told('idioms', found);
    const textOf = (file: string) => idioms[Number(/(\d+)\.sh/.exec(file)?.[1])];
    expect([found.onlyBash.map(textOf), found.onlyWe.map(textOf)]).toEqual([[], []]);
  });

  test('scripts and confs of the fixtures', () => {
    const folders = ['fixtures', 'deploy', '.ci'].map((name) => join(project, name));
    const found = compare(shellFiles(folders, /\.(?:sh|bash|conf)$/, 1_000));
    told('fixtures', found);
    expect([found.onlyBash, found.onlyWe]).toEqual([[], []]);
    expect(found.both).toBeGreaterThan(50);
  });

  test.runIf(isLong)('a thousand scripts of this machine', () => {
    const folders = ['/etc', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/share/bash-completion', '/usr/local'];
    const there = [...folders, join(project, 'node_modules')].filter((path) => existsSync(path));
    const found = compare(shellFiles(there, /\.(?:sh|bash)$|\/bash-completion\/completions\//, 1_000));
    told('machine', found);
    expect([found.onlyBash, found.onlyWe]).toEqual([[], []]);
    expect(found.both).toBeGreaterThan(500);
  });

  test('every idiom, and a setting above and below it, has the value that bash assigns', () => {
    const texts = idioms.flatMap((text) => [
      `RPC_API="klay,personal"\n${text}\nRPC_PORT=1\n`,
      `${text}\nRPC_API="klay,personal"\n`,
    ]);
    const found = source(
      texts.map((text) => Buffer.from(text)),
      'C',
    );
    const ours = texts.map(read);
    const wrong = ours.map((one, at) => [texts[at], ...differences(one, found[at] ?? null)]);
    expect(wrong.filter(({ length }) => length > 1)).toEqual([]);
    const known = ours.filter(({ values }) => values?.RPC_API === 'klay,personal').length;
    expect(known / texts.length).toBeGreaterThan(0.8);
  });
});

const deep = `${'$('.repeat(210)}${')'.repeat(210)}`;

describe('a construct that is not parsed', () => {
  const text = `RPC_PORT=1\nX="$$(echo "a")"\nRPC_API="klay,personal"\n`;
  const surroundings = { variables: {}, exported: [] };

  test('makes the lines below it unknown and keeps the lines above it', () => {
    const { shell } = readShell(text, surroundings);
    expect(shell.look('RPC_PORT')).toBe('1');
    expect(shell.look('RPC_API')).toMatchObject({ unknown: expect.stringContaining('(line 2)') });
    expect(shell.journal.syntaxIssues.map(({ kind }) => kind)).toEqual(['unsupported-syntax']);
  });

  test('changes only the variables that it names, where it is assumed to', () => {
    const questions: (string | undefined)[] = [];
    const decide = ({ when }: { readonly when?: string }) => questions.push(when) > 0;
    const { shell } = readShell(text, { ...surroundings, decide });
    expect([shell.look('RPC_API'), shell.look('RPC_PORT')]).toEqual(['klay,personal', '1']);
    expect(shell.look('X')).toMatchObject({ unknown: expect.stringContaining('does not evaluate') });
    expect(questions).toEqual(['line 2 changes only the variables that it names']);
  });

  test.each([
    ['on several lines', 'X="$$(echo "a"\nif true; then\nfi\n)"'],
    ['of many levels', `X=${deep}`],
    ['without an end', `X="${deep}`],
  ])('%s does not end the file', (_, construct) => {
    const { shell } = readShell(`${construct}\nRPC_API=klay\n`, { ...surroundings, decide: () => true });
    expect(shell.look('RPC_API')).toBe('klay');
    expect(refusal(construct)).not.toBeNull();
  });

  test('makes every variable unknown where it may run a builtin that sets any', () => {
    const { shell } = readShell('RPC_PORT=1\nX="$$(eval "a")"\n', surroundings);
    expect(shell.look('RPC_PORT')).toMatchObject({ unknown: expect.any(String) });
  });

  test('leaves a conf undetermined, and a critical below it is found', () => {
    const conf = readConf('kend.conf', Buffer.from(`RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\n${text}`));
    expect(conf.settings.values.rpcapi?.indeterminate).toContain('line 4');
    expect(conf.alternatives?.map(({ when, conf: { shell } }) => [when, shell?.variables.RPC_API])).toEqual([
      ['line 4 changes only the variables that it names', 'klay,personal'],
    ]);
  });
});

test('an extended pattern without shopt leaves the lines below it open; with shopt they count', () => {
  const pattern = 'case $1 in @(a|b)) X=1 ;; esac\nRPC_API=klay\n';
  const apiOf = (text: string) => readShell(text, { variables: {}, exported: [] }).shell.look('RPC_API');
  expect(apiOf(pattern)).toMatchObject({ unknown: expect.stringContaining('extglob') });
  expect(apiOf(`shopt -s extglob\n${pattern}`)).toBe('klay');
  expect(apiOf(`shopt -s extglob\nshopt -u extglob\n${pattern}`)).toMatchObject({
    unknown: expect.any(String),
  });
  expect(apiOf(`(shopt -s extglob)\n${pattern}`)).toMatchObject({ unknown: expect.any(String) });
  expect(apiOf(`grep -q x y && shopt -s extglob\n${pattern}`)).toMatchObject({ unknown: expect.any(String) });
});
