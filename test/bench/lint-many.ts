/** Many distinct confs at once, against shellcheck where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, median, type Tell, time } from './bench.js';

const count = 2000;
/** shellcheck takes a while: it gets the first of the same files. */
const sample = 40;
const rounds = 3;

export const lintMany: Bench = {
  name: 'lint-many',
  async run(tell) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
    try {
      await measure(folder, writeConfs(folder), tell);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function writeConfs(folder: string): string[] {
  const text = readFileSync('fixtures/demo/kend.conf', 'utf8');
  return Array.from({ length: count }, (_, at) => {
    const path = join(folder, `node-${String(at).padStart(4, '0')}.conf`);
    writeFileSync(path, `${text}\nRPC_PORT=${10_000 + at}\nADDITIONAL="--identity node-${at}"\n`);
    return path;
  });
}

async function measure(folder: string, paths: readonly string[], tell: Tell): Promise<void> {
  const options = { stdio: 'ignore', maxBuffer: 1 << 28 } as const;
  const lint = () =>
    spawnSync(process.execPath, ['bin/kaiactl.js', 'node', 'lint', folder, '--format', 'json'], options);
  const check = () => spawnSync('shellcheck', ['-s', 'bash', ...paths.slice(0, sample)], options);
  const compared = check().error === undefined;
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(count / (await time(lint)));
    if (compared) theirs.push(sample / (await time(check)));
  }
  const rate = median(ours) * 1000;
  const other = median(theirs) * 1000;
  tell({
    what: `\`kaiactl node lint\` of ${count} confs`,
    value: `${rate.toFixed(0)} files/s`,
    ...(compared
      ? {
          instead: `shellcheck: ${other.toFixed(0)} files/s`,
          ratio: `${(rate / other).toFixed(0)} × the rate`,
        }
      : { instead: 'shellcheck, which is not installed' }),
  });
}
