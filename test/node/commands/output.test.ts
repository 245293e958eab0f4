/** However many targets there are, memory stays as it is, and so does a reader who is slow or gone. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import { deliver } from '../../../src/node/commands/output.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { reportOf, targetOf } from '../report/reports.js';

/** Files of the large run: 10,000 in `npm run test:many`. */
const many = process.env.KAIACTL_TEST_LONG === undefined ? 100 : 10_000;
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

test(`the lint of ${many} files takes no more memory than that of ${few}`, () => {
  expect(peakOf(many, 'text') - peakOf(few, 'text')).toBeLessThan(60);
}, 300_000);

/** A report whose targets are counted as they are read. */
function counted(count: number) {
  const target = targetOf((what) => what);
  const read = { targets: 0 };
  const targets = {
    *[Symbol.iterator]() {
      for (let at = 0; at < count; at += 1) {
        read.targets += 1;
        yield target;
      }
    },
  };
  return { read, report: { ...reportOf([target]), targets } };
}

const options = { format: 'csv', color: 'never' as const, verbose: false };
const hostOf = (stdout: Writable): Host =>
  ({ stdout, stderr: stdout, env: {}, cwd: '/', argv: [], signal: new AbortController().signal }) as never;

test('a slow reader is waited for: nothing is made that it has not asked for', async () => {
  const { read, report } = counted(50_000);
  let taken: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        taken = done;
        resolve();
      },
    });
    void deliver(report, options, hostOf(slow));
  });
  await first;
  for (let turns = 0; turns < 100; turns += 1) await turn();
  const before = read.targets;
  expect(before).toBeLessThan(1_000);
  taken();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(read.targets).toBeGreaterThan(before);
  expect(read.targets).toBeLessThan(2_000);
});

test('a reader that goes away ends the writing, and is no error', async () => {
  const { read, report } = counted(50_000);
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
  });
  gone.on('error', () => {});
  await deliver(report, options, hostOf(gone));
  expect(read.targets).toBeLessThan(1_000);
});

test.each(Object.keys(formats))('%s: comes in pieces, none of which holds many targets', async (format) => {
  const { report } = counted(2_000);
  const render = await formats[format]!(false);
  let longest = 0;
  for await (const piece of render(report, { columns: 80, verbose: false, kinds }))
    longest = Math.max(longest, piece.length);
  // The page's style and script are one piece; a target has some thousand characters.
  expect(longest).toBeLessThan(400_000);
});
