import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { reportSchema } from '../../../src/node/report/schema.js';
import { run } from '../offline.js';

let folder = '';
const clean = 'RPC_ENABLE=0\nWS_ENABLE=0\nMETRICS=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';
const files: Readonly<Record<string, string | Uint8Array>> = {
  'clean.kend.conf': clean,
  'open.kend.conf': `RPC_ENABLE=1\nRPC_API="klay,personal"\nRPC_ADDR="0.0.0.0"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n`,
  'blind.kend.conf': `${clean}RPC_API=$(cat list)\nRPC_ENABLE=1\n`,
  'binary.kend.conf': new Uint8Array(4096).map((_, at) => at % 251),
  'nul.kend.conf': `${clean}X="a\u0000b"\n`,
  'latin.kend.conf': Buffer.concat([Buffer.from(clean), Buffer.from([0x23, 0x20, 0xe9, 0x0a])]),
  'cycle.kend.conf': `A=$B\nB=$A\nRPC_ENABLE=$A\n${clean}`,
  'removes.kend.conf': `${clean}RPC_PORT=$(rm -rf /nowhere/at/all)\n`,
  'long.kend.conf': `${clean}ADDITIONAL="${'x'.repeat(300_000)}"\n`,
  'confs/kend.conf': clean,
  'confs/kcnd.conf': clean.replace('kend', 'kcnd'),
  'confs/notes.txt': 'RPC_API is a variable\n',
  'empty/notes.txt': 'nothing\n',
  'two/compose.yaml': `services:\n${['x', 'y'].map((name) => `  ${name}:\n    image: kaiachain/kaia:v2.0.0\n    command: ken --rpc --rpcapi admin\n`).join('')}`,
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-lint-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, 0o644);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lint = (...words: string[]) => run(['node', 'lint', ...words], { cwd: folder });
const parse = (text: string) => JSON.parse(text) as Report;

test.each(['two', 'two/compose.yaml'])(
  'of %s, --service judges one node, whose name is known',
  async (path) => {
    const { targets } = parse((await lint(path, '--service', 'y', '--format', 'json')).out);
    expect(targets.map(({ name }) => name)).toEqual(['two/compose.yaml: y']);
    const { out, err } = await lint(path, '--service', 'y', '--diff', '--unsafe-fixes');
    expect(err).toContain('would fix 1 finding in 1 file');
    expect(out.match(/^\+ .*/gm)).toEqual(['+    command: ken --rpc --rpcapi klay,eth,net,web3']);
    expect(out).toMatch(/^ {3}y:$/m);
    expect(await lint(path, '--service', 'z')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no node is named z'),
    });
  },
);

test.each<[string, string[], number]>([
  ['a clean file', ['clean.kend.conf'], 0],
  ['a finding at the threshold', ['open.kend.conf'], 1],
  ['the same, reported only', ['--exit-zero', 'open.kend.conf'], 0],
  ['a higher threshold is met by a critical finding', ['--fail-on', 'critical', 'open.kend.conf'], 1],
  ['no threshold', ['--fail-on', 'none', 'open.kend.conf'], 0],
  ['something that cannot be known offline', ['blind.kend.conf'], 3],
  ['the same, allowed', ['--allow-blind', 'blind.kend.conf'], 0],
  ['a missing file', ['missing.conf'], 2],
  ['a missing file outranks findings', ['open.kend.conf', 'missing.conf'], 2],
  ['a missing file is not excused by reporting only', ['--exit-zero', 'missing.conf'], 2],
  ['a folder without a conf', ['empty'], 2],
  ['a folder with confs', ['confs'], 0],
  ['a binary file', ['binary.kend.conf'], 2],
  ['an unknown format', ['--format', 'yml', 'clean.kend.conf'], 2],
  ['an unknown option', ['--fial-on', 'high', 'clean.kend.conf'], 2],
  ['an unknown threshold', ['--fail-on', 'severe', 'clean.kend.conf'], 2],
  ['a report without a file', ['--report', 'json', 'clean.kend.conf'], 2],
  ['a report in an unknown format', ['--report', 'yml=x', 'clean.kend.conf'], 2],
  ['a report into a folder that does not exist', ['--report', 'json=no/such/x.json', 'clean.kend.conf'], 2],
  ['an environment that is not an assignment', ['--env', 'RPC_API', 'clean.kend.conf'], 2],
])('%s exits with the code of the contract', async (_name, words, code) => {
  expect((await lint(...words)).code).toBe(code);
});

test.each([
  [['node', 'lint', '--fial-on'], '  Did you mean --fail-on?\n'],
  [['node', 'lint', '--all'], '  kaiactl node lint --help lists the options.\n'],
  [['--quiet', 'node', 'lint'], '  Options follow the command: kaiactl node lint --quiet.\n'],
])('%j is refused with the next step', async (argv, next) => {
  const unknown = argv.find((word) => word.startsWith('--'));
  expect((await run(argv)).err).toBe(`kaiactl: unknown option '${unknown}'\n${next}`);
});

test('the format never changes the code', async () => {
  for (const name of ['clean.kend.conf', 'open.kend.conf', 'blind.kend.conf', 'missing.conf']) {
    expect((await lint('--format', 'json', name)).code).toBe((await lint(name)).code);
  }
});

test('a missing file alone is one line on stderr, with the name that was probably meant', async () => {
  const { code, out, err } = await lint('claen.kend.conf');
  const said = 'cannot read claen.kend.conf: there is no such file; did you mean clean.kend.conf?';
  expect([code, out, err]).toEqual([2, '', `kaiactl: ${said}\n`]);
  const { targets } = parse((await lint('claen.kend.conf', '--format', 'json')).out);
  expect(targets.map(({ undetermined }) => undetermined[0]?.reason)).toEqual([said]);
  const both = await lint('claen.kend.conf', 'open.kend.conf');
  expect(both.out).toContain('not seen cannot read claen.kend.conf: ');
});

test('a bad file is reported on stderr and the other files are linted, in the order given', async () => {
  const { code, out, err } = await lint(
    '--format',
    'json',
    'open.kend.conf',
    'missing.conf',
    'binary.kend.conf',
    'clean.kend.conf',
  );
  const report = parse(out);
  expect(code).toBe(2);
  expect(report.targets.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['open.kend.conf', 'fail'],
    ['missing.conf', 'undetermined'],
    ['binary.kend.conf', 'undetermined'],
    ['clean.kend.conf', 'pass'],
  ]);
  expect(report.exitCode).toBe(2);
  expect(err).toMatch(/^kaiactl: cannot read missing\.conf: there is no such file$/m);
  expect(err).toMatch(/^kaiactl: binary\.kend\.conf.*binary/m);
  expect(err).not.toMatch(/\bat .*\.ts:\d/);
});

test.each([
  ['nul.kend.conf', 'malformed-assignment', 6],
  ['removes.kend.conf', 'opaque-value', 6],
])('lint reads a file with %s to its end and reports the place: %s', async (name, rule, line) => {
  const report = parse((await lint('--format', 'json', name)).out);
  const places = report.targets[0]?.findings
    .filter((one) => one.rule === rule)
    .map(({ at }) => ('line' in at ? at.line : 0));
  expect(places).toEqual([line]);
});

test.each(['latin.kend.conf', 'cycle.kend.conf', 'long.kend.conf'])(
  '%s ends without a defect',
  async (name) => {
    const { code, err } = await lint('--format', 'json', name);
    expect([0, 1, 2, 3]).toContain(code);
    expect(err).not.toContain('internal error');
  },
);

test('a file named twice, or found again in its folder, is linted once', async () => {
  const { out } = await lint('--format', 'json', 'confs/kend.conf', './confs/kend.conf', 'confs');
  expect(parse(out).targets.map(({ name }) => name)).toEqual(['confs/kend.conf', 'confs/kcnd.conf']);
});

test('stdin is reported under the name that --stdin-filename gives', async () => {
  const { code, out } = await run(
    ['node', 'lint', '-', '--stdin-filename', 'kcnd.conf', '--format', 'json'],
    {
      stdin: String(files['open.kend.conf']),
    },
  );
  expect(code).toBe(1);
  expect(parse(out).targets[0]).toMatchObject({
    name: 'kcnd.conf',
    conf: { path: 'kcnd.conf', launcher: 'kcnd' },
  });
});

test('options set launcher, package and environment', async () => {
  const words = ['--format', 'json', '--launcher', 'ksend', '--package', 'rpm', '--env', 'RPC_ENABLE=1'];
  const { out } = await run(['node', 'lint', '-', ...words], {
    stdin: 'RPC_API=klay,personal\nNETWORK_ID=3000\n',
  });
  const [target] = parse(out).targets;
  expect(target?.conf).toMatchObject({ launcher: 'ksend', package: 'rpm' });
  expect(target?.findings.map(({ rule }) => rule)).toContain('privileged-module');
});

test('--report writes files beside stdout, and lines in files are not folded', async () => {
  const text = 'RPC_ENABLE=1\nRPC_ENABLE=1\nRPC_API="klay,personal"\nNETWORK="mainnet"\nDATA_DIR=/d\n';
  writeFileSync(join(folder, 'twice.kend.conf'), text);
  const { out } = await lint('--report', 'json=a.json', '--report', 'text=a.txt', 'twice.kend.conf');
  expect(parse(readFileSync(join(folder, 'a.json'), 'utf8')).targets).toHaveLength(1);
  const folded = 'times to the same\n  value; the last value';
  expect(out).toContain(folded);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain(folded.replace('\n  ', ' '));
});

test('every report matches the published schema', async () => {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const valid = ajv.compile(reportSchema(kinds));
  const { out } = await lint(
    '--format',
    'json',
    'open.kend.conf',
    'blind.kend.conf',
    'missing.conf',
    'confs',
  );
  valid(parse(out));
  expect(valid.errors).toBeNull();
});

test('colour follows --no-color, NO_COLOR, FORCE_COLOR and the terminal', async () => {
  const words = ['node', 'lint', 'open.kend.conf'];
  const colours = /\u001b\[/;
  expect((await run(words, { cwd: folder })).out).not.toMatch(colours);
  expect((await run(words, { cwd: folder, terminal: true })).out).toMatch(colours);
  expect((await run(words, { cwd: folder, env: { FORCE_COLOR: '1' } })).out).toMatch(colours);
  expect((await run(words, { cwd: folder, terminal: true, env: { NO_COLOR: '1' } })).out).not.toMatch(
    colours,
  );
  expect((await run([...words, '--no-color'], { cwd: folder, terminal: true })).out).not.toMatch(colours);
});

test('options are read from the environment', async () => {
  const { code } = await run(['node', 'lint', 'open.kend.conf'], {
    cwd: folder,
    env: { KAIACTL_FAIL_ON: 'none' },
  });
  expect(code).toBe(0);
});

test('an interrupted run reports what is known and exits with 130', async () => {
  const words = ['node', 'lint', 'confs', '--format', 'json'];
  const { code, out } = await run(words, { cwd: folder, signal: AbortSignal.abort('SIGINT') });
  expect(code).toBe(130);
  expect(parse(out)).toMatchObject({ targets: [], exitCode: 130 });
});

test('the header names the program and agrees with the findings that only the container reaches it', async () => {
  const stdin =
    'services:\n  en:\n    image: kaiachain/kaia:v2.2.1\n    command: ken --rpc --rpcapi eth,personal\n';
  const { out } = await run(['node', 'lint', '-', '-v'], { stdin });
  const [header = '', finding = ''] = out.replace(/\s*\n {2,}/g, ' ').split('\n\n');
  expect(header).toContain(' · ken · kaia v2.2.1 · http on 127.0.0.1: its container alone reaches it');
  expect(finding).toContain('its container alone reaches it (127.0.0.1).');
  const { targets } = parse((await run(['node', 'lint', '-', '--format', 'json'], { stdin })).out);
  expect(targets[0]?.interfaces[0]).toMatchObject({ reach: 'loopback', containerOnly: true });
});

test('the text report of one file is complete', async () => {
  expect((await lint('open.kend.conf')).out).toMatchInlineSnapshot(`
    "open.kend.conf · kend (tar) · kaia v0.9.0 to v2.2.1 · http on 0.0.0.0: any
      address reaches it

    critical privileged-module    http offers personal: whoever calls it can import,
                     unlock and use the node’s keys, and guess passwords; any
                     address reaches it (0.0.0.0 is every interface).
             open.kend.conf:2:15   RPC_API="klay,personal"
                                                 ^^^^^^^^
             fix     List only klay in RPC_API.
                     RPC_API="klay"
             with    3:11 public-bind

    2 findings: 1 critical, 1 medium. Fails at high (--fail-on).
    kaiactl node explain privileged-module · --verbose shows each finding whole
    "
  `);
});

test.each([
  ['an empty file', '', /kend\.conf: not a node's settings: it is empty/],
  ['YAML', 'rpc:\n  enable: true\n', /not a node's settings: it is YAML\n/],
])('%s is not clean: exit 2 if it was named, 3 in a folder', async (_what, text, said) => {
  const cwd = mkdtempSync(join(folder, 'not-'));
  writeFileSync(join(cwd, 'kend.conf'), text);
  writeFileSync(join(cwd, 'notes.md'), '# notes\n');
  for (const words of [['kend.conf'], ['.'], ['-', '--stdin-filename', 'kend.conf']]) {
    const { code, out, err } = await run(['node', 'lint', ...words], { cwd, stdin: text });
    const inFolder = words[0] === '.';
    expect(code).toBe(inFolder ? 3 : 2);
    expect(inFolder ? out : err).toMatch(inFolder ? /not a node's settings: it is/ : said);
    expect(err.includes('1 other file: ')).toBe(words[0] === '.');
  }
  expect((await run(['node', 'lint', '.', '-v'], { cwd })).err).toContain('notes.md');
});

test('a command line with an open quote is an error that names its column', async () => {
  const { code, out, err } = await run([
    'node',
    'lint',
    '--command-line',
    'ken --rpc --rpcapi "eth,personal',
  ]);
  expect(code).toBe(2);
  expect(err).toContain('--command-line: column 20: no matching "');
  expect(out).toBe('not read: --command-line: column 20: no matching "\n');
});

test('a client that is not judged is named on a command line as in a script', async () => {
  const { code, out, err } = await run(['node', 'lint', '--command-line', 'besu --rpc-http-host=0.0.0.0']);
  expect(code).toBe(3);
  expect(out).toContain('--command-line:1:1 undetermined unjudged-node besu');
  expect(err).toBe('');
});

test('the hint about foreign files is printed once', async () => {
  const lint = ['node', 'lint', 'confs/notes.txt', 'empty/notes.txt'];
  const { err, out } = await run([...lint, '--verbose'], { cwd: folder });
  expect(err.match(/not a node's settings/g)).toHaveLength(2);
  expect(err.match(/A conf is recognised by/g)).toHaveLength(1);
  expect(out).toBe('');
});

test('the report names the release as which a node of a newer release is judged', async () => {
  const words = ['node', 'lint', 'clean.kend.conf', '--node-version', 'v9.9.9'];
  expect((await run(words, { cwd: folder })).out).toMatch(/kaia v9\.9\.9 \(judged as kaia v\d+\.\d+\.\d+\)/);
  const known = [...words.slice(0, -1), 'v2.2.1'];
  expect((await run(known, { cwd: folder })).out).not.toContain('judged as');
});

test('settings prints a command line that a shell reads back', async () => {
  const stdin = `${clean}RPC_ENABLE=1\nRPC_VHOSTS="*"\nADDITIONAL="--identity it's"\n`;
  const { out } = await run(['node', 'settings', '-', '--stdin-filename', 'kend.conf'], { stdin });
  const [line = ''] = /^ken [\s\S]*/m.exec(out) ?? [];
  const { status, stdout } = spawnSync('sh', ['-c', `ken() { printf '%s\\n' "$@"; }\n${line}`], {
    encoding: 'utf8',
  });
  const asked = ['node', 'settings', '-', '--stdin-filename', 'kend.conf', '--format', 'json'];
  const { argv } = JSON.parse((await run(asked, { stdin })).out);
  expect([status, stdout.trimEnd().split('\n')]).toEqual([0, argv]);
  expect(argv).toContain('*');
});

describe('what lint says beside the report', () => {
  const place = (name: string, texts: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(texts)) {
      mkdirSync(join(folder, name, file, '..'), { recursive: true });
      writeFileSync(join(folder, name, file), text);
    }
    return name;
  };

  test('with --verbose the files of a target, and those that are a part of it', async () => {
    const compose = 'services:\n  en:\n    image: kaiachain/kaia\n    command: ken --rpc --rpcapi eth\n';
    const override = 'services:\n  en:\n    command: ken --rpc --rpcapi eth,net\n';
    place('parts', { 'compose.yaml': compose, 'compose.override.yaml': override });
    const { err } = await lint('parts', '-v');
    expect(err).toMatch(/^kaiactl: parts\/compose\.override\.yaml is part of parts\/compose\.yaml$/m);
    expect(err).toMatch(
      /^kaiactl: parts\/compose\.yaml: en: read from parts\/compose\.yaml \(\S.*\), parts\/compose\.override\.yaml \(\S.*\)$/m,
    );
    const quiet = await lint('parts');
    expect(quiet.err).toBe('');
    expect((await lint('clean.kend.conf', '-v')).err).not.toContain('read from');
  });

  test('a sign of a folder that no target accounts for is a target, and none of its own files is', async () => {
    place('signs', {
      'ken.service': '[Service]\nExecStart=/usr/bin/ken --datadir /d\n',
      'run.py': "os.system('ken --rpc')\n",
    });
    const { targets } = parse((await lint('signs', '--format', 'json')).out);
    expect(
      targets.map(({ name, undetermined }) => [
        name,
        undetermined.filter(({ rule }) => rule === 'unfollowed-start').length,
      ]),
    ).toEqual([
      ['signs/ken.service', 0],
      ['signs/run.py', 1],
    ]);
  });

  test('--assume-reach counts for each target', async () => {
    const reach = async (...words: string[]) => {
      const { targets } = parse((await lint('open.kend.conf', 'confs', '--format', 'json', ...words)).out);
      return targets.map(
        ({ interfaces }) => interfaces.find(({ transport }) => transport === 'http')?.reachBy,
      );
    };
    expect(await reach('--assume-reach', 'http=private')).toEqual(['assumed', undefined, undefined]);
    expect(await reach()).toEqual(['settings', undefined, undefined]);
  });

  test('on Windows that modes of files are not looked at, unless --quiet is given', async () => {
    const on = (...words: string[]) =>
      run(['node', 'lint', 'clean.kend.conf', ...words], { cwd: folder, platform: 'win32' });
    expect((await on()).err).toMatch(/^kaiactl: \S[^\n]*\n$/);
    expect((await on('--quiet')).err).toBe('');
  });
});
