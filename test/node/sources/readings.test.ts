/** Whole readings of small files, and of every fixture: what is read, from where, and what could not be. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, readingsOf, rewritten } from './readings.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = join(root, 'test/node/sources/readings');
// UPDATE=1 writes what is read now; look at the difference before you commit it.
const update = process.env.UPDATE === '1';

describe.each(readdirSync(folder))('%s', async (name) => {
  const path = join(folder, name);
  if (update) writeFileSync(path, await rewritten(readFileSync(path, 'utf8'), root));
  const readings = readingsOf(readFileSync(path, 'utf8'));
  test.each(readings.map((one) => [one.title, one] as const))('%s', async (_, reading) => {
    expect(await read(reading, root)).toBe(reading.expected);
  });
});

test('every fixture of a source has its reading', () => {
  const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const titles = pages.flatMap((page) => readingsOf(page).map(({ title }) => title));
  const files = readdirSync(join(root, 'fixtures'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\/(?:ok|err)$/.test(entry.parentPath))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));
  expect(files.filter((file) => !titles.includes(file))).toEqual([]);
});
