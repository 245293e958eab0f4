/** Memory stays as it is however many targets there are: `npm run test:many`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../seed.js';

const many = 10_000;
const few = many / 10;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-streaming-'));
});
afterAll(() => rmSync(folder, { recursive: true }), 60_000);

/** Lints so many small confs with little room for objects; the most memory it had, in MiB. */
function peakOf(count: number, format: string): number {
  const confs = join(folder, `${count}`);
  mkdirSync(confs, { recursive: true });
  for (let at = 0; at < count; at += 1)
    writeFileSync(
      join(confs, `n${at}.conf`),
      `RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_PORT=${1024 + at}\nRPC_API="klay,personal"\n`,
    );
  const [peak, hook, report] = ['peak', 'hook.mjs', 'report'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const words = ['bin/kaiactl.js', 'node', 'lint', confs, '--exit-zero', '-q', '--format', format];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--import', hook, ...words, '--report', `csv=${report}`],
    { env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  expect([status, String(stderr)]).toEqual([0, '']);
  // Two findings each, and the header.
  expect(readFileSync(report, 'utf8').match(/"finding"/g)?.length ?? 0).toBeGreaterThanOrEqual(2 * count);
  return Number(readFileSync(peak, 'utf8')) / 1024;
}

test.runIf(isLong)(
  `the lint of ${many} files takes no more memory than that of ${few}`,
  () => {
    expect(peakOf(many, 'text') - peakOf(few, 'text')).toBeLessThan(60);
  },
  300_000,
);
