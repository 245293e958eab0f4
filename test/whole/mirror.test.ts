/** Tests lie where their sources do, so that a reader finds them without a search. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, folder).length + 1));

const sources = filesOf('src');
const places = new Set(sources.flatMap((path) => [path.replace(/\.ts$/, ''), dirname(path)]));

test('every test file mirrors a source or a folder of sources, or lies in test/whole/', () => {
  const lost = filesOf('test')
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('whole/'))
    .filter((path) => !places.has(path.replace(/\.test\.ts$/, '')) && !places.has(dirname(path)))
    .map(
      (path) =>
        `test/${path}: src/${dirname(path)} has no sources. Move the test to test/<folder>/ for src/<folder>, or to test/whole/.`,
    );
  expect(lost).toEqual([]);
});

test('a test that is not named after a source says in its first line what it covers', () => {
  const named = new Set(sources.map((path) => path.replace(/\.ts$/, '.test.ts')));
  const silent = filesOf('test')
    .filter((path) => path.endsWith('.test.ts') && !named.has(path))
    .filter((path) => !readFileSync(join(root, 'test', path), 'utf8').startsWith('/**'))
    .map((path) => `test/${path}: begin it with a comment, /** What it covers. */`);
  expect(silent).toEqual([]);
});
