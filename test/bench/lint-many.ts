/**
 * Many confs at once, equal ones, ones that all differ, and long ones, against shellcheck where it is installed; in
 * processor time, which others on the machine disturb little. KAIACTL_TEST_CONFS: a folder with the confs to copy, such as those of a package.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Tell } from './bench.js';
import { peakMegabytes } from './load.js';
import { compared, nodes } from './processes.js';

const rounds = 2;
const source = process.env.KAIACTL_TEST_CONFS ?? 'fixtures/demo';
const confs = readdirSync(source).filter((name) => name.endsWith('.conf'));

export const lintMany: Bench = {
  name: 'lint-many',
  async run(tell) {
    const more = Array.from({ length: 800 }, (_, at) => `NOTE_${at}="value ${at}"\n`).join('');
    // shellcheck takes a while: it gets the first of the same files, as many as the third number.
    for (const [count, what, sample, changed] of [
      [150, 'confs that all differ', 60, varied],
      [600, 'confs', 60, (text) => text],
      [600, 'confs that all differ', 60, varied],
      [60, 'long confs', 6, (text) => `${text}\n${more}`],
    ] as const satisfies readonly (readonly [number, string, number, Change])[]) {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
      try {
        await measure(
          `${count} ${what}`,
          folder,
          { paths: writeConfs(folder, count, changed), sample },
          tell,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  },
};

/** The text of one of the copies. */
type Change = (text: string, at: number) => string;

/** Other ports, another folder and another first line: equal parts of two confs are shared less than equal confs. */
function varied(text: string, at: number): string {
  return text
    .replace(/^(\w*PORT)="?(\d+)"?/gm, (_, name, port) => `${name}=${Number(port) + at}`)
    .replace(/^(DATA_DIR)=.*$/m, `$1=/srv/node-${at}/data`)
    .replace(/^#/, `# node-${at}:`);
}

/** Copies of the confs in turn, each in a folder. */
function writeConfs(folder: string, count: number, changed: Change): string[] {
  return Array.from({ length: count }, (_, at) => {
    const name = confs[at % confs.length] as string;
    const path = join(folder, String(at).padStart(4, '0'), name);
    mkdirSync(join(path, '..'));
    writeFileSync(path, changed(readFileSync(join(source, name), 'utf8'), at));
    return path;
  });
}

async function measure(
  what: string,
  folder: string,
  { paths, sample }: { readonly paths: readonly string[]; readonly sample: number },
  tell: Tell,
): Promise<void> {
  const lint = ['bin/kaiactl.js', 'node', 'lint', folder, '--format', 'json'];
  const check = ['shellcheck', '-s', 'bash', ...paths.slice(0, sample)];
  const isCompared = isInstalled('shellcheck');
  // Only the first is compared on each Node: the others take long.
  const used = paths.length === 150 ? nodes : nodes.slice(0, 1);
  const ours = Object.fromEntries(used.map(({ name, program }) => [name, [program, ...lint]]));
  const commands: Record<string, readonly string[]> = isCompared ? { ...ours, shellcheck: check } : ours;
  const took: Record<string, number> = await compared(rounds, folder, commands);
  const other = (1000 * sample) / (took.shellcheck ?? Number.NaN);
  for (const { name } of used) {
    const rate = (1000 * paths.length) / (took[name] ?? Number.NaN);
    tell({
      what: `\`kaiactl node lint\` of ${what} as JSON, ${name}`,
      value: `${rate.toFixed(0)} files per second of processor`,
      ...(isCompared
        ? {
            instead: `shellcheck: ${other.toFixed(1)} files`,
            ratio: `${(rate / other).toFixed(2)} × the rate`,
          }
        : { instead: 'shellcheck, which is not installed' }),
    });
  }
  const peak = await peakOf([process.execPath, ...lint]);
  tell({ what: `its peak memory, ${nodes[0]?.name}`, value: `${peak.toFixed(0)} MB` });
}

function isInstalled(program: string): boolean {
  return execFileSync('sh', ['-c', `command -v ${program} || :`], { encoding: 'utf8' }) !== '';
}

async function peakOf([program = '', ...words]: readonly string[]): Promise<number> {
  const child = spawn(program, words, { stdio: 'ignore' });
  let peak = 0;
  const poll = setInterval(() => {
    peak = Math.max(peak, peakMegabytes(child.pid ?? 0) ?? 0);
  }, 20);
  await once(child, 'exit');
  clearInterval(poll);
  return peak;
}
