/** Files that are not text as expected: each is read, or is an open question beside a node. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';
import { isLong } from '../../seed.js';

const start = 'geth --http --http.addr 0.0.0.0 --http.api eth,admin,personal\n';
const safe = 'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.api eth\n';
const asking = safe.replace('api eth', 'api ${API:-eth}').replace('--http ', '--http --http.addr 0.0.0.0 ');

/** A file that is longer than what is read of it, padded before its text. */
const behind = (text: string, line: string, mib: number) =>
  Buffer.from(line.repeat(Math.ceil((mib << 20) / line.length)) + text);
const utf16 = (text: string, mark = '\uFEFF') => Buffer.from(mark + text, 'utf16le');
const link = (to: string) => ({ to });

type File = string | Buffer | { readonly to: string };

/** The exit code, and the first reason of each open question. */
async function lint(files: Readonly<Record<string, File>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-unread-'));
  const [inside, outside] = [join(folder, 'in'), join(folder, 'out')];
  try {
    for (const path of [inside, outside]) mkdirSync(path);
    writeFileSync(join(outside, 'start.sh'), `#!/bin/sh\n${start}`);
    for (const [name, file] of Object.entries(files)) {
      mkdirSync(dirname(join(inside, name)), { recursive: true });
      if (typeof file === 'string' || Buffer.isBuffer(file)) writeFileSync(join(inside, name), file);
      else symlinkSync(file.to, join(inside, name));
    }
    const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: inside });
    const { exitCode, targets } = JSON.parse(out) as Report;
    const reasons = targets.flatMap(({ undetermined: [first] }) => first?.reason ?? []);
    return [`exit ${exitCode}`, ...reasons].join('; ');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isOut = 'exit 3; x:1:1: the link leads out of the folder. Add --follow-outside';
const leadsNowhere = (name: string) =>
  `exit 3; ${name}:1:1: the link leads nowhere. Pass a folder that has what it names`;

test.each<[string, Readonly<Record<string, File>>, string]>([
  [
    'a script behind its first MiB is read',
    { 'x.sh': behind(start, `#!/bin/sh\n#${'-'.repeat(998)}\n`, 1) },
    'exit 1',
  ],
  [
    'an environment behind its first MiB is read',
    { 'compose.yml': asking, '.env': behind('API=eth,admin\n', `#${'-'.repeat(998)}\n`, 1) },
    'exit 1',
  ],
  ['UTF-16 with a mark is read', { 'x.sh': utf16(`#!/bin/sh\n${start}`) }, 'exit 1'],
  ['UTF-16 without a mark is read', { 'x.sh': utf16(`#!/bin/sh\n${start}`, '') }, 'exit 1'],
  ['big-endian UTF-16 is read', { 'x.sh': utf16(`#!/bin/sh\n${start}`).swap16() }, 'exit 1'],
  ['UTF-16 that starts nothing is quiet', { 'x.rc': utf16('STRINGTABLE\r\n') }, 'exit 0'],
  ['a zero byte hides no start', { 'x.sh': `#!/bin/sh\n# \0\n${start}` }, 'exit 1'],
  ['a program is quiet', { x: `\x7FELF\x02\x01\0${start}` }, 'exit 0'],
  ['a link to a file outside', { x: link('../out/start.sh') }, isOut],
  ['a link to a folder outside', { x: link('../out') }, isOut],
  ['a link to a file that is gone', { '.env': link('/nowhere/.env') }, leadsNowhere('.env')],
  ['a link to itself', { 'x.sh': link('x.sh') }, leadsNowhere('x.sh')],
  ['a link to a picture is quiet', { 'x.png': link('/nowhere/x.png') }, 'exit 0'],
  ['a link to a program is quiet', { x: link(process.execPath) }, 'exit 0'],
  ['a masked unit is quiet', { 'x.service': link('/dev/null') }, 'exit 0'],
  [
    'a unit that a folder of the machine enables is quiet',
    {
      'etc/systemd/system/x.service': '[Service]\nExecStart=/usr/bin/geth --http\n',
      'etc/systemd/system/multi-user.target.wants/x.service': link('/etc/systemd/system/x.service'),
    },
    'exit 0',
  ],
])('%s', async (_, files, expected) => {
  expect(await lint({ 'compose.yml': safe, ...files })).toBe(expected);
});

// Expressions over so long a text are slow in a process that has compiled many.
test.runIf(isLong)(
  'of a text that is longer than 8 MiB, a start behind that is told, and words are quiet',
  async () => {
    const text = `#${'-'.repeat(998)}\n`;
    expect(await lint({ 'compose.yml': safe, 'x.sh': behind(start, text, 9) })).toBe(
      'exit 3; x.sh:1:1: it is larger than 8 MiB, and may start a node behind that. Pass the node’s command with --command-line',
    );
    const words = behind('', `${'word '.repeat(200)}\n`, 9);
    expect(await lint({ 'compose.yml': safe, 'x.txt': words })).toBe('exit 0');
  },
);

test('without a node, a link out of the folder is no question', async () => {
  expect(await lint({ x: link('../out') })).toBe('exit 2');
});

test('who reaches a container is not known where its ports may stand in the part that is not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-unread-'));
  const opening = safe.replace('--http.api eth', '--http.addr 0.0.0.0 --http.api eth,admin');
  writeFileSync(join(folder, 'compose.yml'), `${opening}   ports: ["8545:8545"]\n`);
  try {
    const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
    const { exitCode, targets } = JSON.parse(out) as Report;
    expect(exitCode).toBe(1);
    const [module] = targets[0]?.findings ?? [];
    expect(module).toMatchObject({ rule: 'privileged-module', severity: 'critical' });
    expect(module?.message).toMatch(
      /any address reaches it: compose\.yml:5 is not read, and may publish it\.$/,
    );
    const [http] = targets[0]?.interfaces ?? [];
    expect(http).toMatchObject({ transport: 'http', bind: ['0.0.0.0'] });
    expect(http).not.toHaveProperty('reach');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
