import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConf } from '../../../src/node/sources/conf/conf.js';
import { findConfs } from '../../../src/node/sources/find.js';
import { loadNode as loadConf } from '../../../src/node/sources/load.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaiactl-conf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const host = (stdin = '') => ({
  cwd: folder,
  stdin: Readable.from([Buffer.from(stdin)]),
  signal: new AbortController().signal,
});

function variables(conf: string): Readonly<Record<string, string | null>> {
  return readConf('kend.conf', Buffer.from(conf)).shell.variables;
}

describe('nothing a conf says takes long or much', () => {
  const deep = 5000;
  test.each([
    ['doubling', `A=xxxxxxxxxxxxxxxx\n${'A=$A$A\n'.repeat(60)}`, 'A', null],
    ['names in a circle', 'A=B\nB=A\nC=$((A))\n', 'C', null],
    ['nested groups', `${'{ '.repeat(deep)}A=1${'; }'.repeat(deep)}\n`, 'A', undefined],
    ['nested subshells', `${'('.repeat(deep)}A=1${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested expansions', `A=${'${B:-'.repeat(deep)}x${'}'.repeat(deep)}\n`, 'A', undefined],
    ['nested substitutions', `A=${'$('.repeat(deep)}x${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested arithmetic', `A=$((${'('.repeat(deep)}1${')'.repeat(deep)}))\n`, 'A', undefined],
    ['a long expression', `A=$((${'1+'.repeat(200_000)}1))\n`, 'A', null],
    ['long signs', `A=$((${'-'.repeat(100_000)}1))\n`, 'A', null],
    ['nested loops', `${'while x; do '.repeat(60)}A=1${'; done'.repeat(60)}\n`, 'A', null],
    ['a long pattern', `A=${'a'.repeat(4000)}\n[[ $A == ${'*a'.repeat(40)}b ]] && B=1\n`, 'B', undefined],
    ['a pattern of half-matches', `A=${'a'.repeat(4000)}\n[[ $A == *a*a*b ]] && B=1\n`, 'B', undefined],
    [
      'a long pattern against a long text',
      `A=${'a'.repeat(60_000)}\n${`[[ $A == *${'a'.repeat(30_000)}b ]] && B=1\n`.repeat(9)}B=2\n`,
      'B',
      undefined,
    ],
    [
      'a large number',
      'A=$((99999999999999999999999999999 ** 99999999999999))\n',
      'A',
      '1517942002086313983',
    ],
    ['many unclosed quotes', `${"'".repeat(99_999)}\n`, 'A', undefined],
    ['a long line', `A=${'x'.repeat(900_000)}\n`, 'A', null],
    ['many lines', 'A=1 B=$A C="$B"\n'.repeat(40_000), 'C', '1'],
    ['empty lines', '\n'.repeat(1_000_000), 'A', undefined],
    ['many exports', 'export A=1 B=2\n'.repeat(60_000), 'A', '1'],
    ['many names', Array.from({ length: 50_000 }, (_, at) => `export V${at}=1\n`).join(''), 'A', undefined],
    [
      'many conditions',
      Array.from({ length: 30_000 }, (_, at) => `x && V${at}=1\n`).join(''),
      'A',
      undefined,
    ],
    ['many evals', Array.from({ length: 30_000 }, (_, at) => `V${at}=1;eval x\n`).join(''), 'A', undefined],
    ['many braces', `export A=${'${B:-{'.repeat(100)}${','.repeat(100_000)}\n`, 'A', undefined],
    ['many words', `ADDITIONAL="${'--x\\\\y '.repeat(8_000)}"\n`.repeat(12), 'X', undefined],
    ['substitutions in an expansion', `A=\${B:-${'$(x) '.repeat(100_000)}}\n`, 'A', null],
    ['many tildes and colons', `A=${':~'.repeat(200_000)}\n`, 'A', null],
  ])('%s', { timeout: 10_000 }, (_what, conf, name, value) => {
    const found = variables(conf)[name];
    if (value === undefined) expect(found ?? null).toBe(null);
    else expect(found).toBe(value);
  });

  test.each([
    ['brackets', '['.repeat(900_000)],
    ['a number without a unit', `ADDITIONAL="--rpc.evmtimeout=${'0'.repeat(60_000)}!"`],
    ['a number with a blemish', `ADDITIONAL="--rpc.ethtxfeecap=${'1'.repeat(60_000)}!"`],
    ['slashes', `DATA_DIR="${'/'.repeat(60_000)}x"`],
    [
      'a flag within itself',
      `ADDITIONAL="--password=${'\\'.repeat(60_000)} --nodekeyhex ${'\\'.repeat(60_000)}"`,
    ],
  ])('%s', { timeout: 5_000 }, (_what, text) => {
    expect(readConf('kend.conf', Buffer.from(`${text}\n`)).settings.source.lines).not.toEqual([]);
  });

  test.each([
    ['parentheses', `${'('.repeat(500)}1${')'.repeat(500)}`],
    ['signs', `${'-'.repeat(5000)}1`],
    ['choices', `${'1?'.repeat(5000)}1${':1'.repeat(5000)}`],
    ['right-hand sides', `${'A='.repeat(5000)}1`],
    ['powers', `${'1**'.repeat(5000)}1`],
    ['a circle of names', '1+(A)" A="1+(RPC_ENABLE)'],
  ])('a switch of nested %s is indeterminate', (_what, value) => {
    const conf = readConf('kend.conf', Buffer.from(`export RPC_ENABLE="${value}"\n`));
    expect(conf.shell.switches.RPC_ENABLE).toBeNull();
    expect(conf.settings.listeners.find(({ kind }) => kind === 'http')?.state).toBe('unknown');
  });

  test('nothing is executed, and what a command would give is unknown', () => {
    const conf = readConf('kend.conf', Buffer.from('RPC_API=$(rm -rf /nowhere)\nX=`id`\n'));
    expect([conf.shell.variables.RPC_API, conf.shell.variables.X]).toEqual([null, null]);
    expect(conf.shell.indeterminate).toMatchObject([
      { variable: 'RPC_API', at: { line: 1, column: 9, endColumn: 27 } },
      { variable: 'X', at: { line: 2, column: 3 } },
    ]);
  });
});

describe('bytes that are no conf', () => {
  test('too large, binary', () => {
    expect(() => readConf('x', new Uint8Array((1 << 20) + 1))).toThrow(/larger than 1024 KiB/);
    expect(() => readConf('x', Buffer.from('\x7fELF\0\0\n'))).toThrow(/binary/);
    expect(() => readConf('x', Buffer.from(`A=1\n${'\0'.repeat(300)}`))).toThrow(/binary/);
  });

  test('odd, but read as bash reads them', () => {
    const kinds = (text: string | Buffer) =>
      readConf('kend.conf', Buffer.from(text)).shell.syntaxIssues.map(({ kind }) => kind);
    expect(kinds('X=1\nA\0B=2\n')).toEqual(['nul-byte']);
    expect(variables('X=1\nA\0B=2\n').AB).toBe('2');
    expect(kinds(Buffer.from([0x41, 0x3d, 0xe9, 10]))).toEqual(['invalid-utf8']);
    expect(variables(Buffer.from([0x41, 0x3d, 0xe9, 10]).toString('latin1')).A).toBe('é');
    expect(kinds('\uFEFFA=1\nB=2\n')).toEqual(['byte-order-mark', 'command']);
    expect(kinds('A=1\r\nB=2\r\n')).toEqual(['carriage-return']);
    expect(kinds('A=1\nB=2\r\n')).toEqual(['carriage-return']);
  });
});

describe('loading', () => {
  test('a file, its mode and its name', async () => {
    await writeFile(join(folder, 'kend.conf'), 'DATA_DIR=/d\n');
    await chmod(join(folder, 'kend.conf'), 0o640);
    const conf = await loadConf('kend.conf', {}, host());
    expect([conf.settings.source.path, conf.settings.launcher, conf.settings.source.file?.mode]).toEqual([
      'kend.conf',
      'kend',
      0o640,
    ]);
  });

  test('stdin', async () => {
    const conf = await loadConf('-', { stdinFilename: 'kcnd.conf' }, host('PORT=1\n'));
    expect([
      conf.settings.source.path,
      conf.settings.launcher,
      conf.settings.source.file,
      conf.shell?.variables.PORT,
    ]).toEqual(['kcnd.conf', 'kcnd', null, '1']);
  });

  test('what cannot be read says why', async () => {
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 100_000_000);
    await symlink('loop', join(folder, 'loop'));
    const why = (path: string) => loadConf(path, {}, host()).catch((error: Error) => error.message);
    expect(await why('none.conf')).toBe('cannot read none.conf: there is no such file');
    expect(await why('sub')).toBe('sub is a folder');
    expect(await why('large')).toMatch(/larger than/);
    expect(await why('loop')).toMatch(/too many symbolic links/);
    expect(await why('/dev/null')).toBe('/dev/null is not a regular file');
    expect(await why('a\x1b[2J\n')).not.toContain('\x1b');
  });

  test('endless stdin is left after the limit', async () => {
    const endless = {
      cwd: folder,
      signal: new AbortController().signal,
      stdin: Readable.from(endlessBytes()),
    };
    await expect(loadConf('-', {}, endless)).rejects.toThrow(/larger than/);
  });
});

function* endlessBytes(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1 << 16, 0x61);
}

test('a folder stands for the confs below it', async () => {
  const root = join(folder, 'tree');
  await mkdir(join(root, 'b', 'conf'), { recursive: true });
  await mkdir(join(root, 'a'), { recursive: true });
  await writeFile(join(root, 'b', 'conf', 'kscnd_kairos.conf'), '');
  await writeFile(join(root, 'a', 'node.env'), '# x\nexport RPC_API=klay\n');
  await writeFile(join(root, 'a', 'notes.txt'), 'set RPC_API=klay\n');
  await writeFile(join(root, 'a', '.env'), 'PORT=3000\n');
  await writeFile(join(root, 'kend.conf.bak'), 'X=1\n');
  await writeFile(join(root, 'program'), 'RPC_API=x\n\0');
  await symlink(root, join(root, 'again'));
  const found = await findConfs(['tree', 'missing.conf', '-'], folder);
  expect(found).toEqual({
    paths: ['tree/a/node.env', 'tree/a/notes.txt', 'tree/b/conf/kscnd_kairos.conf', 'missing.conf', '-'],
    notes: [],
    passedOver: ['tree/a/.env', 'tree/again', 'tree/kend.conf.bak', 'tree/program'],
    problems: [],
  });
});
