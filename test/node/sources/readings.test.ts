/** Whole readings of templates, and whether every fixture has a reading in the folder of its source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtures, readingsOf, testReadings } from './readings.js';

const folder = import.meta.dirname;

await testReadings(folder);

test('every fixture of a source has its reading', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const titles = pages.flatMap((name) =>
    readingsOf(readFileSync(join(folder, name), 'utf8')).map(({ title }) => title),
  );
  expect(fixtures.filter((file) => !titles.includes(file))).toEqual([]);
});
