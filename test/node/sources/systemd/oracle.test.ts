/** The lines of generated units beside `systemd --user --test`, as an ordinary user. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directives } from '../../../../src/node/sources/systemd/directives.js';
import { unitWords } from '../../../../src/node/sources/systemd/unit-words.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { seed } from '../../../seed.js';
import { Random } from '../random.js';

const systemd = '/lib/systemd/systemd';
const pieces = [
  '--a',
  '"b c"',
  "'d e'",
  'f\\\\',
  'x=1',
  '  ',
  ' \\\n',
  ' \\ \n',
  ' \\\\\n',
  '\n# c\n',
  ' \\\n# c\n ',
  '\n--z',
  '\n; c\n',
  'g',
];

/** A unit of one command; its pieces may end its line, continue it, or begin another. */
function unitOf(random: Random): string {
  const length = 1 + random.below(8);
  const parts = Array.from({ length }, () => random.pick(pieces));
  return `[Service]\nExecStart=/bin/echo ${parts.join(' ')}\n`;
}

/** The commands by the name of the unit, with the quotes that systemd prints removed. */
function commandsOf(folder: string): Map<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'kaiactl-user-'));
  chmodSync(home, 0o777);
  const { stdout, stderr } = spawnSync(systemd, ['--user', '--test'], {
    env: { SYSTEMD_UNIT_PATH: folder, XDG_RUNTIME_DIR: home, HOME: home },
    uid: 65_534,
    gid: 65_534,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  rmSync(home, { recursive: true, force: true });
  const blocks = `${stdout}${stderr}`.split(/-> Unit /).slice(1);
  return new Map(
    blocks.flatMap((block): [string, string][] => {
      const [, command] = /^\s*Command Line: (.*)$/m.exec(block) ?? [];
      return command === undefined ? [] : [[block.slice(0, block.indexOf(':')), command]];
    }),
  );
}

const quoted = (word: string) =>
  /^[\w/.,=@:+-]+$/.test(word) ? word : `"${word.replaceAll(/["\\`$]/g, '\\$&')}"`;

test.skipIf(!existsSync(systemd) || process.getuid?.() !== 0)(
  'lines continue as systemd continues them',
  () => {
    const random = new Random(seed);
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-units-'));
    chmodSync(folder, 0o755);
    const units = Array.from({ length: 300 }, (_, at) => [`u${at}.service`, unitOf(random)] as const);
    for (const [name, text] of units) writeFileSync(join(folder, name), text);
    for (const name of ['basic', 'shutdown', 'sysinit'])
      writeFileSync(join(folder, `${name}.target`), '[Unit]\n');
    writeFileSync(
      join(folder, 'default.target'),
      `[Unit]\n${units.map(([name]) => `Wants=${name}\n`).join('')}`,
    );
    mkdirSync(join(folder, 'x'), { recursive: true });
    const printed = commandsOf(folder);
    rmSync(folder, { recursive: true });
    const differences = units.flatMap(([name, text]) => {
      const [start] = directives(new LineIndex(name, text)).filter((one) => one.name === 'ExecStart');
      const ours = start === undefined ? [] : unitWords(start.value).map((word) => quoted(word.text));
      const theirs = printed.get(name);
      return theirs === undefined || theirs === ours.join(' ')
        ? []
        : [{ text, theirs, ours: ours.join(' ') }];
    });
    expect(units.filter(([name]) => printed.has(name)).length).toBeGreaterThan(200);
    expect(differences.slice(0, 5)).toEqual([]);
  },
);
