import { mkdtempSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, linesOf } from '../../src/util/lines.js';
import { seed } from '../seed.js';

fc.configureGlobal({ seed });
const path = join(mkdtempSync(join(tmpdir(), 'kaiactl-lines-')), 'file');

async function read(text: string, maxBytes = 1 << 20): Promise<Line[]> {
  writeFileSync(path, text);
  const handle = await open(path);
  try {
    const lines: Line[] = [];
    for await (const line of linesOf(handle, maxBytes)) lines.push(line);
    return lines;
  } finally {
    await handle.close();
  }
}

test('lines have their byte offsets in the file', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      const text = lines.join('\n');
      const found = await read(text);
      const last = lines.at(-1) ?? '';
      expect(found.map((one) => one.text)).toEqual(last === '' ? lines.slice(0, -1) : lines);
      const bytes = Buffer.from(text);
      for (const one of found)
        expect(bytes.toString('utf8', one.offset, one.offset + one.bytes)).toBe(one.text);
      expect(found.map((one) => one.complete)).toEqual(found.map((_, at) => at < lines.length - 1));
    }),
  );
});

test('a line that crosses the end of a chunk is whole', async () => {
  const long = `${'a'.repeat((1 << 18) - 1)}ü${'b'.repeat(10)}`;
  const found = await read(`x\n${long}\nz\n`);
  expect(found.map(({ text }) => text.length)).toEqual([1, long.length, 1]);
});

test('a line above the limit is an error and is not buffered', async () => {
  await expect(read('a'.repeat(1 << 19), 1 << 16)).rejects.toThrow('a line is longer than 64 KiB');
});
