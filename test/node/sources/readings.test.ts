/** Whole readings of small files, and of every fixture: what is read, from where, and what could not be. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, readingsOf, rewritten } from './readings.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = join(root, 'test/node/sources/readings');
// UPDATE=1 (npm run docs) writes what is read now; look at the difference before you commit it.
const update = process.env.UPDATE === '1';
const fixtures = readdirSync(join(root, 'fixtures'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\/(?:ok|err)$/.test(entry.parentPath))
  .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));

describe.each(readdirSync(folder))('%s', async (name) => {
  const path = join(folder, name);
  if (update) writeFileSync(path, await rewritten(pageOf(name) ?? readFileSync(path, 'utf8'), root));
  const readings = readingsOf(readFileSync(path, 'utf8'));
  test.each(readings.map((one) => [one.title, one] as const))('%s', async (_, reading) => {
    expect(await read(reading, root)).toBe(reading.expected);
  });
});

/** The page of a kind’s fixtures is nothing but their names; null: another page. */
function pageOf(name: string): string | null {
  const kind = /^fixtures-(.+)\.md$/.exec(name)?.[1];
  const own = fixtures.filter((path) => path.startsWith(`fixtures/${kind}/`)).sort();
  return kind === undefined
    ? null
    : [`# The fixtures of ${kind}\n`, ...own.map((path) => `## ${path}\n`)].join('\n');
}

test('every fixture of a source has its reading', () => {
  const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const titles = pages.flatMap((page) => readingsOf(page).map(({ title }) => title));
  expect(fixtures.filter((file) => !titles.includes(file))).toEqual([]);
});
