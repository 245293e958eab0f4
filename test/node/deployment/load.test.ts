/** Files as they are found and loaded: what is read of them, and why some are not. */
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exit, type KaiactlError } from '../../../src/errors.js';
import { findConfs } from '../../../src/node/deployment/collect.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { editableOf, readConf } from '../editables.js';
import { loadCommandLineNode, loadNode as loadConf, loadNodes } from '../load.js';

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

test('nothing is executed, and the output of a command is unknown', () => {
  const conf = readConf('kend.conf', Buffer.from('RPC_API=$(rm -rf /nowhere)\nX=`id`\n'));
  expect([conf.shell.variables.RPC_API, conf.shell.variables.X]).toEqual([null, null]);
  expect(conf.shell.indeterminate).toMatchObject([
    { variable: 'RPC_API', at: { line: 1, column: 9, endColumn: 27 } },
    { variable: 'X', at: { line: 2, column: 3 } },
  ]);
});

describe('bytes that are no conf', () => {
  test('a conf that is too large or binary is rejected', () => {
    expect(() => readConf('x', new Uint8Array((1 << 20) + 1))).toThrow(/larger than 256 KiB/);
    expect(() => readConf('x', Buffer.from('\x7fELF\0\0\n'))).toThrow(/binary/);
    expect(() => readConf('x', Buffer.from(`A=1\n${'\0'.repeat(300)}`))).toThrow(/binary/);
  });

  test('odd bytes are read as bash reads them', () => {
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
  test('loads a file with its mode and its name', async () => {
    await writeFile(join(folder, 'kend.conf'), 'DATA_DIR=/d\n');
    await chmod(join(folder, 'kend.conf'), 0o640);
    const conf = await loadConf('kend.conf', {}, host());
    expect([conf.settings.source.path, conf.settings.launcher, conf.settings.source.file?.mode]).toEqual([
      'kend.conf',
      'kend',
      0o640,
    ]);
  });

  test('loads any other source with its mode and the files it names', async () => {
    await writeFile(join(folder, 'a.env'), 'KAIA_WS=true\n');
    await writeFile(join(folder, 'compose.yml'), 'services:\n  a: { command: ken --rpc }\n');
    await chmod(join(folder, 'compose.yml'), 0o604);
    const { source } = (await loadConf('compose.yml', {}, host())).settings;
    expect(source).toEqual({
      kind: 'compose',
      path: 'compose.yml',
      lines: ['services:', '  a: { command: ken --rpc }'],
      comments: [],
      multiline: [],
      file: { mode: 0o604, uid: expect.any(Number) },
    });
  });

  test('lets a file and the file of --conf be read again with another text', async () => {
    await writeFile(join(folder, 'node.yaml'), 'rpcapi: eth\n');
    const text = 'NETWORK=mainnet\nDATA_DIR=/d\nADDITIONAL="--conf node.yaml"\n';
    await writeFile(join(folder, 'kend.conf'), text);
    const reading = editableOf(await loadConf('kend.conf', {}, host()));
    const [again] = reading?.read(`${text}RPC_ENABLE=1\n`) ?? [];
    expect([reading?.text, reading?.confs.length]).toEqual([text, 1]);
    expect([again?.settings.values.rpc?.value, again?.settings.values.rpcapi?.value]).toEqual([true, 'eth']);
    expect(again?.settings.secretFiles).toEqual([]);
    const line = await loadCommandLineNode('ken --rpc', {}, host());
    expect(editableOf(line)?.read('ken --ws')[0]?.settings.values.ws?.value).toBe(true);
    const odd = await loadConf('-', { stdinFilename: 'kend.conf' }, host('NETWORK=mainnet\nRPC_API=\0\n'));
    expect(editableOf(odd)).toBeUndefined();
  });

  test('loads stdin under the name that is given', async () => {
    const conf = await loadConf('-', { stdinFilename: '/etc/kpnd/conf/kpnd.conf' }, host('. common.conf\n'));
    expect([conf.settings.launcher, conf.settings.package]).toEqual(['kpnd', 'rpm']);
  });

  test('loads stdin', async () => {
    const conf = await loadConf('-', { stdinFilename: 'kcnd.conf' }, host('PORT=1\n'));
    expect([
      conf.settings.source.path,
      conf.settings.launcher,
      conf.settings.source.file,
      conf.shell?.variables.PORT,
    ]).toEqual(['kcnd.conf', 'kcnd', null, '1']);
  });

  test('an unreadable file is reported with the reason', async () => {
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 100_000_000);
    await symlink('loop', join(folder, 'loop'));
    const why = (path: string) => loadConf(path, {}, host()).catch((error: Error) => error.message);
    expect(await why('missing')).toBe('cannot read missing: there is no such file');
    expect(await why('sub')).toBe('sub is a folder');
    expect(await why('large')).toMatch(/larger than/);
    expect(await why('loop')).toMatch(/too many symbolic links/);
    expect(await why('/dev/null')).toBe('/dev/null is not a regular file');
    expect(await why('a\x1b[2J\n')).not.toContain('\x1b');
  });

  test('stops reading endless stdin at the limit', async () => {
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

test('a folder expands to the confs below it', async () => {
  const root = join(folder, 'tree');
  await mkdir(join(root, 'b', 'conf'), { recursive: true });
  await mkdir(join(root, 'a'), { recursive: true });
  await writeFile(join(root, 'b', 'conf', 'kscnd_kairos.conf'), '');
  await writeFile(join(root, 'a', 'node.env'), '# x\nexport RPC_API=klay\n');
  await writeFile(join(root, 'a', 'notes.txt'), 'set RPC_API=klay\n');
  await writeFile(join(root, 'a', '.env'), 'PORT=3000\n');
  await writeFile(join(root, 'kend.conf.bak'), 'X=1\n');
  await writeFile(join(root, 'program'), 'RPC_API=x\n\x01\0');
  await symlink(root, join(root, 'again'));
  const found = await findConfs(kinds, ['tree', 'missing.conf', '-'], folder);
  expect(found).toEqual({
    paths: ['tree/a/node.env', 'tree/a/notes.txt', 'tree/b/conf/kscnd_kairos.conf', 'missing.conf', '-'],
    notes: [],
    ignored: ['tree/a/.env', 'tree/kend.conf.bak', 'tree/program'],
    own: [],
    signed: ['tree/a/node.env', 'tree/a/notes.txt'],
    forwarding: [],
    filtering: [],
    calling: [],
    changing: [],
    unread: [],
    byKind: new Map([['conf', ['tree/a/node.env', 'tree/a/notes.txt']]]),
    excluded: 0,
    problems: [],
  });
});

/** What was found below a folder of this file's own, its name taken off. */
async function below(name: string) {
  const { paths, notes, ignored, problems } = await findConfs(kinds, [name], folder);
  return { paths, notes, ignored, problems: problems.map(({ message }) => message) };
}

describe('a search', () => {
  test('searches 32 folders deep, reports deeper folders once, and skips installed dependencies', async () => {
    const levels = Array.from({ length: 32 }, (_, level) => String(level + 1));
    const at = join(folder, 'deep', ...levels);
    for (const name of ['33', 'b33']) await mkdir(join(at, name), { recursive: true });
    for (const name of ['node_modules', '.git']) await mkdir(join(folder, 'deep', name));
    for (const path of [
      at,
      join(at, '33'),
      join(folder, 'deep', 'node_modules'),
      join(folder, 'deep', '.git'),
    ])
      await writeFile(join(path, 'kend.conf'), 'RPC_ENABLE=1\n');
    expect(await below('deep')).toEqual({
      paths: [join('deep', ...levels, 'kend.conf')],
      notes: [],
      ignored: [],
      problems: ['folders more than 32 levels deep are not searched'],
    });
  });

  test('prints at most twenty remarks', async () => {
    await mkdir(join(folder, 'wide'));
    for (let name = 0; name < 25; name++) await symlink('nowhere', join(folder, 'wide', `link${name}`));
    expect((await below('wide')).notes).toHaveLength(20);
  });

  test('selects a file by its content, once, in the order of the names', async () => {
    const root = join(folder, 'mixed');
    await mkdir(join(root, 'sub'), { recursive: true });
    await writeFile(join(root, 'z.sh'), '#!/bin/sh\nken --rpc\n');
    await writeFile(join(root, 'README.md'), '#!/bin/sh\nken --rpc\n');
    await writeFile(join(root, 'a.yml'), 'services:\n  en: { command: ken --rpc }\n');
    await writeFile(join(root, 'db.yml'), 'services:\n  db: { image: postgres }\n');
    await writeFile(join(root, 'kcnd.conf'), '\0');
    await writeFile(join(root, 'program'), '#!/bin/sh\nken --rpc\n\x01\0');
    await writeFile(join(root, 'sub', 'late'), `${'#'.repeat(1 << 16)}\nRPC_API=x\n`);
    expect(await findConfs(kinds, ['mixed', 'mixed/z.sh', '-', '-'], folder)).toEqual({
      paths: ['mixed/a.yml', 'mixed/kcnd.conf', 'mixed/z.sh', '-'],
      notes: [],
      ignored: ['mixed/README.md', 'mixed/db.yml', 'mixed/program', 'mixed/sub/late'],
      own: [],
      signed: ['mixed/a.yml', 'mixed/db.yml', 'mixed/sub/late', 'mixed/z.sh'],
      forwarding: [],
      filtering: [],
      calling: [],
      changing: [],
      unread: [],
      byKind: new Map([
        ['compose', ['mixed/a.yml', 'mixed/db.yml']],
        ['script', ['mixed/z.sh']],
      ]),
      excluded: 0,
      problems: [],
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'notes what it cannot read; a file that often starts nodes counts',
    async () => {
      const root = join(folder, 'unreadable');
      await mkdir(root);
      for (const name of ['mem', 'compose.yml']) await symlink('/proc/self/mem', join(root, name));
      await symlink('nowhere', join(root, 'gone'));
      const why = 'it cannot be read';
      expect(await findConfs(kinds, ['unreadable'], folder, { outside: true })).toMatchObject({
        paths: ['unreadable/compose.yml'],
        ignored: ['unreadable/mem'],
        own: [],
        notes: [
          `cannot read unreadable/compose.yml: ${why}`,
          'unreadable/gone: the link leads nowhere',
          `cannot read unreadable/mem: ${why}`,
        ],
        problems: [],
      });
    },
  );

  test('follows links inside the folder, and out of it only when asked', async () => {
    const root = join(folder, 'links');
    await mkdir(join(root, 'shared'), { recursive: true });
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(root, 'shared', 'mainnet'), 'RPC_ENABLE=1\nTXPOOL_EXEC_SLOTS_ALL=1\n');
    await writeFile(join(root, 'shared', 'kairos.sh'), '#!/bin/sh\nken --rpc\n');
    await writeFile(join(folder, 'elsewhere', 'kcnd.conf'), 'RPC_ENABLE=1\n');
    await symlink('shared/mainnet', join(root, 'kend.conf'));
    await symlink('shared/kairos.sh', join(root, 'start.sh'));
    await symlink('shared', join(root, 'again'));
    await symlink('../elsewhere', join(root, 'out'));
    const note = 'links/out: the link leads out of the folder (--follow-outside follows it)';
    expect(await below('links')).toMatchObject({
      paths: ['links/shared/kairos.sh', 'links/kend.conf'],
      notes: [note],
    });
    expect(await findConfs(kinds, ['links'], folder, { outside: true })).toMatchObject({
      paths: ['links/out/kcnd.conf', 'links/shared/kairos.sh', 'links/kend.conf'],
      notes: [],
    });
  });

  test('without a path finds the confs that are installed', async () => {
    const found = await findConfs(kinds, [], folder).catch((error: KaiactlError) => error);
    if ('paths' in found) expect(found.paths.every((path) => /^\/etc\/k\w+d\/conf\//.test(path))).toBe(true);
    else
      expect([found.message, found.hint]).toEqual([
        'no conf was named, and no package installed one',
        'Name a file or a folder, or - for stdin.',
      ]);
  });
});

describe('one node of several', () => {
  const two = 'services:\n  a: { command: ken --rpc }\n  b: { command: ken --ws }\n';
  const failing = (text: string, service?: string) =>
    loadConf('-', { stdinFilename: 'compose.yml', service }, host(text)).then(
      () => null,
      ({ message, notes, hint }: KaiactlError) => ({ message, notes, hint }),
    );

  test('is named, or is the only one', async () => {
    const load = (text: string, service?: string) =>
      loadConf('-', { stdinFilename: 'compose.yml', service }, host(text));
    expect((await load(two, 'b')).settings.name).toBe('b');
    expect((await load(two.replace(/ {2}b.*\n/, ''))).settings.name).toBe('a');
    const line = await loadCommandLineNode('KAIA_WS=true ken --rpc', {}, host());
    expect([line.settings.source.path, line.settings.values.ws?.value]).toEqual(['--command-line', true]);
  });

  test('must be named and must exist', async () => {
    const hint = 'Choose one with --service NAME.';
    expect(await failing(two)).toEqual({ message: '- starts 2 nodes', notes: ['it starts: a, b'], hint });
    expect(await failing(two, 'c')).toEqual({
      message: '- starts no node c',
      notes: ['it starts: a, b'],
      hint,
    });
    expect((await failing('services:\n  a: [\n'))?.message).toMatch(/^compose\.yml:3:1: it is not YAML/);
    const broken = await failing(`${two}  c: [\n`, 'c');
    expect(broken?.message).toBe('- starts no node c');
  });

  test('may have no name', async () => {
    const unit = '[Service]\nExecStart=ken --rpc\nExecStart=ken --ws\n';
    const error = await loadConf('-', { stdinFilename: 'ken.service' }, host(unit)).catch((thrown) => thrown);
    expect(error).toMatchObject({
      message: '- starts 2 nodes',
      notes: ['it starts: without a name, without a name'],
    });
  });
});

test.each([
  ['ken --rpc "a', 'column 11', 'Close it'],
  ["ken 'a b", 'column 5', 'Close it'],
])('the command line %s has a quote that is never closed, at %s', async (text, column, hint) => {
  await expect(loadCommandLineNode(text, {}, host())).rejects.toMatchObject({
    message: expect.stringContaining(`--command-line: ${column}: `),
    hint: expect.stringContaining(hint),
  });
});

test('a unit that is named by itself has the drop-ins beside it, as systemd finds them', async () => {
  const units = join(folder, 'units');
  for (const dropIns of ['ken.service.d', 'service.d', 'geth.service.d', 'ken.service.dx'])
    await mkdir(join(units, dropIns), { recursive: true });
  await writeFile(join(units, 'ken.service'), '[Service]\nExecStart=/usr/bin/ken --rpc $A $B\n');
  const set = (name: string, text: string) =>
    writeFile(join(units, name), `[Service]\nEnvironment="${text}"\n`);
  await set('ken.service.d/a.conf', 'A=--rpcport=1');
  await set('service.d/b.conf', 'B=--wsport=2');
  await set('geth.service.d/c.conf', 'C=--rpcaddr=10.0.0.1');
  await set('ken.service.dx/d.conf', 'D=--wsaddr=10.0.0.1');
  await set('ken.service.d/e.conf.old', 'D=--wsaddr=10.0.0.2');
  const { settings } = await loadConf('units/ken.service', {}, host());
  const { rpcport, wsport } = settings.values;
  expect([rpcport?.value, wsport?.value]).toEqual([1, 2]);
  expect(settings.files?.map(({ path }) => path).filter((path) => path.includes('.d'))).toEqual([
    'units/ken.service.d/a.conf',
    'units/service.d/b.conf',
  ]);
});

describe('an unreadable file', () => {
  const failed = (path: string, from = host()) =>
    loadNodes(path, {}, from).then(
      () => null,
      ({ message, hint, exitCode, notes }: KaiactlError) => ({ message, hint, exitCode, notes }),
    );

  test('is reported with a hint', async () => {
    const usage = { exitCode: exit.usage, notes: [] };
    await mkdir(join(folder, 'a-folder'), { recursive: true });
    expect(await failed('a-folder')).toEqual({
      message: 'a-folder is a folder',
      hint: 'Name a file in it.',
      ...usage,
    });
    expect(await failed('/dev/null')).toEqual({
      message: '/dev/null is not a regular file',
      hint: 'Use - to read from a pipe on stdin.',
      ...usage,
    });
    expect((await failed('/etc/passwd/x'))?.message).toBe(
      'cannot read /etc/passwd/x: part of the path is not a folder',
    );
    expect((await failed(`${'x'.repeat(300)}`))?.message).toMatch(/^cannot read x+: .*too long/);
    await writeFile(join(folder, 'empty.conf'), '');
    expect((await failed('empty.conf'))?.message).toBe("empty.conf: not a node's settings: it is empty");
    await writeFile(join(folder, 'odd.sh'), '#!/bin/sh\nrun "ken --rpc"\n');
    expect(await failed('odd.sh')).toMatchObject({
      message: "odd.sh: not a node's settings: no node is started by this script",
    });
    expect((await failed('-'))?.message).toBe("stdin: not a node's settings: it is empty");
  });

  test('on stdin is not waited for after an interrupt, and any other failure is its own', async () => {
    const stop = new AbortController();
    const waiting = failed('-', { ...host(), stdin: new Readable({ read() {} }), signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({
      message: 'interrupted while reading stdin',
      exitCode: exit.interrupted,
    });
    const stdin = new Readable({
      read() {
        this.destroy(new Error('broken pipe'));
      },
    });
    await expect(loadNodes('-', {}, { ...host(), stdin })).rejects.toThrow('broken pipe');
  });

  test('on stdin may come as texts, in pieces', async () => {
    const stdin = Readable.from(['NETWORK=mainnet\nRPC_', 'ENABLE=1\nDATA_DIR=/d\n']);
    const conf = await loadConf('-', { stdinFilename: 'kend.conf' }, { ...host(), stdin });
    expect(conf.settings.values.rpc?.value).toBe(true);
  });

  test('is too large for a conf, or binary', async () => {
    expect(await failed('-', host(`x${' '.repeat(1 << 18)}`))).toMatchObject({
      message: '-: larger than 256 KiB, so it is not a conf',
      hint: 'Name the file that the launcher sources.',
    });
    expect((await failed('-', host(`x${' '.repeat((1 << 18) - 1)}`)))?.message).toMatch(/^stdin: not a node/);
    expect(await failed('-', host('a\0b\nc'))).toMatchObject({
      message: '-: a binary file, which bash refuses to read',
      notes: ['the first NUL byte stands at offset 1'],
    });
  });
});

describe('odd bytes', () => {
  const issues = (bytes: string | Buffer) =>
    readConf('kend.conf', Buffer.from(bytes)).shell.syntaxIssues.map(
      ({ kind, at: { line, column, endColumn }, variable, becomes, likelyMistake }) =>
        `${kind} ${line}:${column}-${endColumn} ${variable} ${likelyMistake} ${becomes}`,
    );
  const drop = (count: number) => `bash drops the ${count} NUL byte(s) and joins the text around them`;
  const part = 'the carriage return at the end of the line becomes part of the value';
  const every = 'every line ends in a carriage return, which becomes part of every value: 1 is no longer 1';

  test.each<[string, string[]]>([
    ['\nA=\0', [`nul-byte 2:3-3 null true ${drop(1)}`]],
    ['A=1\nB=\0x\0', [`nul-byte 2:3-3 null true ${drop(2)}`]],
    [`A=1\n${'\0'.repeat(256)}`, [`nul-byte 2:1-1 null true ${drop(256)}`]],
    ['A=1\nexport\tB+=2\r\n', [`carriage-return 2:12-13 B true ${part}`]],
    ['A=1\n  C=2\r', [`carriage-return 2:6-7 C true ${part}`]],
    ['A=1\n#x\r\n', [`carriage-return 2:3-4 null true ${part}`]],
    ['A=1\r\nB=1\r\n', [`carriage-return 1:4-5 A true ${every}`]],
    ['A=1\r\nB=1\r', [`carriage-return 1:4-5 A true ${every}`]],
    ['A=1\r', [`carriage-return 1:4-5 A true ${part}`]],
    ['A=1\rB\n', []],
    ['A=“\uFFFD”\n', []],
  ])('%j', (text, expected) => {
    const bytes = issues(text).filter((one) => /^(?:nul|carriage|byte|invalid)/.test(one));
    expect(bytes).toEqual(expected);
  });

  test('are reported once as invalid UTF-8 and once as carriage returns', () => {
    expect(issues(Buffer.from([0x41, 0x3d, 0x62, 0xe9, 10, 0x42, 0x3d, 0xe9, 10]))).toEqual([
      'invalid-utf8 1:4-5 null true these bytes are not UTF-8: values that hold them cannot be shown or judged',
    ]);
    expect(issues(`${'A=1\r\n'.repeat(60)}B=1\n`)).toHaveLength(1);
  });

  test('that bash rejects are a problem', () => {
    for (const text of ['\0A=1', '\0\nA=1', 'A=\0\n', `A=1\n${'\0'.repeat(257)}`])
      expect(() => readConf('x', Buffer.from(text)), JSON.stringify(text)).toThrow('a binary file');
  });
});
