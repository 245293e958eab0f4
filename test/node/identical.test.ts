/**
 * The reports of this checkout and of another one, byte by byte: that nothing was changed but the speed.
 * `npm run test:identical -- CHECKOUT [settings]`; both are to be built.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { seed } from '../seed.js';
import { generatedFile, kindsOfFile } from './fix/generated.js';
import { generatedConf } from './fix/generated-conf.js';
import { Random } from './sources/random.js';

const other = process.env.KAIACTL_TEST_CHECKOUT;
const count = Number(process.env.KAIACTL_TEST_SETTINGS ?? 20_000);
const formats = ['json', 'csv', 'sarif'] as const;
/** One run's output stays small enough to look through. */
const atOnce = 1_000;

/** Every second one a conf, the others of each kind in turn. */
function write(folder: string, at: number): void {
  const random = new Random(seed * 1_000_003 + at);
  const kind = kindsOfFile[(at >> 1) % kindsOfFile.length];
  const place = join(folder, String(at));
  mkdirSync(place);
  if (kind === undefined || at % 2 === 0)
    writeFileSync(join(place, `${random.pick(['kend', 'kcnd', 'kscnd'])}.conf`), generatedConf(random));
  else writeFileSync(join(place, kind), generatedFile(kind, random));
}

/** A report's lines, without when it was made. */
function lines(checkout: string, folder: string, format: string): string[] {
  const words = [join(checkout, 'bin/kaiactl.js'), 'node', 'lint', '.', '--format', format, '--quiet'];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  expect(stderr + status, `${format} of ${checkout}`).toMatch(/[012]$/);
  return stdout.replace(/"(?:startedAt|finishedAt|startTimeUtc|endTimeUtc)": *"[^"]*"/g, '').split('\n');
}

test.skipIf(other === undefined)(
  `${count} settings: the reports are those of ${other}`,
  { timeout: count * 200 },
  () => {
    const hashes = new Map(formats.map((format) => [format, createHash('sha256')]));
    for (let from = 0; from < count; from += atOnce) {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-identical-'));
      try {
        for (let at = from; at < Math.min(count, from + atOnce); at += 1) write(folder, at);
        for (const format of formats) {
          const theirs = lines(resolve(other ?? ''), folder, format);
          const ours = lines(resolve('.'), folder, format);
          const first = ours.findIndex((line, index) => line !== theirs[index]);
          expect(ours[first], `${format}, line ${first + 1}, files from ${from}`).toBe(theirs[first]);
          expect(ours).toHaveLength(theirs.length);
          hashes.get(format)?.update(ours.join('\n'));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    for (const [format, hash] of hashes) process.stderr.write(`${format} sha256 ${hash.digest('hex')}\n`);
  },
);
