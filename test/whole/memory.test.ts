/** Memory stays as it is however many targets there are: `npm run test:many`. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LineWriter } from '../../src/node/report/ndjson.js';
import { fleetReport } from '../node/report/reports.js';
import { isLong } from '../seed.js';

const many = 10_000;
const few = many / 10;
/** Of a report; `npm run test:many -- 100000` asks for as many as a large fleet has. */
const targetCount = Number(process.env.KAIACTL_TEST_REPORT_TARGETS ?? 20_000);

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
      `DATA_DIR=/d\nLOG_DIR=$DATA_DIR/logs\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_PORT=${1024 + at}\nRPC_API="klay,personal"\n`,
    );
  const report = join(folder, 'report');
  const words = ['node', 'lint', confs, '--exit-zero', '-q', '--format', format, '--report', `csv=${report}`];
  const used = peak(words, ['--max-old-space-size=64']);
  // Two findings each, and the header.
  expect(readFileSync(report, 'utf8').match(/"finding"/g)?.length ?? 0).toBeGreaterThanOrEqual(2 * count);
  return used;
}

/** The most memory that a command has, in MiB. */
function peak(words: readonly string[], flags: readonly string[] = []): number {
  const [file, hook] = [join(folder, 'peak'), join(folder, 'hook.mjs')];
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`,
  );
  const all = [...flags, '--import', hook, 'bin/kaiactl.js', ...words];
  const { status, stderr } = spawnSync(process.execPath, all, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect([status, String(stderr)]).toEqual([0, '']);
  return Number(readFileSync(file, 'utf8')) / 1024;
}

test.runIf(isLong)(
  `the lint of ${many} files takes no more memory than that of ${few}`,
  () => {
    expect(peakOf(many, 'text') - peakOf(few, 'text')).toBeLessThan(60);
  },
  300_000,
);

test.runIf(isLong)(
  `reports of ${targetCount} targets are merged, converted and compared in less than 300 MiB`,
  () => {
    const nodes = fleetReport(40).targets;
    const path = (name: string): string => join(folder, name);
    for (const shard of ['1', '2', '3', '4']) {
      const writer = new LineWriter();
      for (let at = 0; at < targetCount / 4; at += 1_000) {
        const lines = Array.from({ length: 1_000 }, (_, next) =>
          writer.target({ ...nodes[(at + next) % 40]!, name: `en-${shard}-${at + next}` }),
        );
        appendFileSync(path(`${shard}.ndjson`), lines.join(''));
      }
      const { targets: _, ...head } = fleetReport(40);
      const summary = { ...head.summary, targets: targetCount / 4 };
      appendFileSync(path(`${shard}.ndjson`), writer.summary({ ...head, summary }));
    }
    const shards = ['1', '2', '3', '4'].map((shard) => path(`${shard}.ndjson`));
    const whole = path('whole.ndjson');
    const outputs = ['--report', `ndjson=${whole}`, '--report', `html=${path('page')}`, '--exit-zero', '-q'];
    expect(peak(['report', 'merge', ...shards, ...outputs])).toBeLessThan(300);
    for (const format of ['json', 'sarif', 'text'])
      expect(peak(['report', 'convert', whole, '--report', `${format}=${path(format)}`])).toBeLessThan(300);
    expect(peak(['report', 'convert', path('json'), '--format', 'csv'])).toBeLessThan(300);
    expect(peak(['report', 'diff', whole, path('json'), '--exit-zero'])).toBeLessThan(300);
    expect(peak(['report', 'diff', shards[0]!, whole, '--exit-zero'])).toBeLessThan(300);
  },
  900_000,
);
