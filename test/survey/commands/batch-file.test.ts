/** The file of a batch: its lines are read again by position when their joins are sent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBatch } from '../../../src/survey/commands/batch-file.js';
import type { JoinTools } from '../../../src/survey/commands/credentials.js';

test('many joins at the same time read their lines again without much memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-batch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'joins.ndjson');
  const lineOf = (n: number) => ({ commitment: String(n), userId: `U${n}${'x'.repeat(2000)}` });
  const numbers = Array.from({ length: 400 }, (_, n) => n + 1);
  writeFileSync(path, numbers.map((n) => `${JSON.stringify(lineOf(n))}\n`).join(''), { mode: 0o600 });
  const tools = { host: { platform: process.platform } } as unknown as JoinTools;
  const batch = await openBatch({ path, ignoreColumns: false, common: {}, tools });
  const before = process.memoryUsage().arrayBuffers;
  const lines = await Promise.all(numbers.toReversed().map((n) => batch.optionsOf(String(n))));
  // A buffer for each of them would take 100 MiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  expect(lines.toReversed()).toEqual(numbers.map(lineOf));
  await batch.close();
});
