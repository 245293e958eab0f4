/**
 * Every hostile node ends the same way: at its deadline or before, within memory, undetermined with the reason, exit 3, valid JSON,
 * nothing raw on a terminal, and a well-behaved node audited beside it as if nothing were.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { behaviours } from '../peers/hostile.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';
import { closePeers } from '../peers/scripted.js';
import { withNode } from '../peers/shape.js';
import { shareOf } from '../seed.js';

afterEach(closePeers);

/** Longer than any machine takes for what ends by itself: only silence comes to its deadline. */
const patientMs = 60_000;
const stalls = (reason: RegExp) => reason.test('no answer within');
const memoryClass = 64 << 20;

/** Everything a terminal would act on. */
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

async function audit(deadlineMs: number, ...words: string[]) {
  const argv = ['node', 'audit', '--timeout', `${deadlineMs}ms`, '--fail-on', 'critical', ...words];
  const before = process.memoryUsage().rss;
  const outcome = await kaiactl(argv);
  return { ...outcome, grown: process.memoryUsage().rss - before };
}

test('at least thirty behaviours are tested', () => {
  expect(behaviours.length).toBeGreaterThanOrEqual(30);
});

test.each(shareOf(2, behaviours))('$name', async ({ start, reason }) => {
  const peer = await start();
  const deadlineMs = stalls(reason) ? 300 : patientMs;
  const { code, stdout, stderr, grown } = await audit(deadlineMs, peer.address, '--format', 'json');
  const [target] = expectValid(stdout).targets;
  expect(code).toBe(3);
  expect(target?.verdict).toBe('undetermined');
  expect(target?.undetermined.map((one) => one.reason).join('\n')).toMatch(reason);
  expect(stdout + stderr).not.toMatch(raw);
  expect(grown).toBeLessThan(memoryClass);
});

test.each(behaviours.filter(({ name }) => /escapes|bidi|noise|no JSON/.test(name)))(
  'as text: $name',
  async ({ start }) => {
    const { stdout, stderr } = await audit(patientMs, (await start()).address);
    expect(stdout + stderr).not.toMatch(raw);
  },
);

test('many hostile nodes do not affect a good node', async () => {
  const peers = await Promise.all(
    behaviours.filter(({ reason }, at) => at % 4 === 0 && !stalls(reason)).map(({ start }) => start()),
  );
  await withNode(
    (shape) => shape,
    async ({ http, ws, ipc }) => {
      const words = [http!, ...peers.map(({ address }) => address), ws!, `ipc:${ipc}`, '--format', 'json'];
      const { code, stdout, stderr } = await kaiactl([
        'node',
        'audit',
        '--quiet',
        '--timeout',
        `${patientMs}ms`,
        '--fail-on',
        'critical',
        ...words,
      ]);
      const { targets } = expectValid(stdout);
      expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
      expect(targets.map(({ verdict }) => verdict)).toEqual([
        'pass',
        ...peers.map(() => 'undetermined'),
        'pass',
        'pass',
      ]);
    },
  );
});

test('a path that is a regular file, a folder or missing is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-odd-'));
  try {
    writeFileSync(join(folder, 'file'), 'x');
    for (const [path, reason] of [
      [join(folder, 'file'), 'a regular file, not a socket'],
      [folder, 'a folder, not a socket'],
      [join(folder, 'none'), 'no such file'],
      [join(folder, 'x'.repeat(200)), /^its path has \d+ bytes, and the kernel takes/],
    ] as const) {
      const { code, stdout } = await audit(patientMs, `ipc:${path}`, '--format', 'json');
      const [target] = expectValid(stdout).targets;
      expect(code).toBe(3);
      expect(target?.undetermined[0]?.reason).toMatch(reason);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
