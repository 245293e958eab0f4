/** The documents of a YAML text. */
import { expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';

const rootsOf = (text: string) =>
  readYaml(new LineIndex('a.yaml', text)).map(({ root }) => root?.entries.map(({ key }) => key.text));

test.each([
  ['comments', '# a\n\n  # b\n---\nx: 1\n'],
  ['a directive', '%YAML 1.2\n---\nx: 1\n'],
  ['nothing', '\n---\nx: 1\n'],
  ['a byte order mark', '\uFEFF---\nx: 1\n'],
])('the first document begins after %s', (_, text) => {
  expect(rootsOf(text)).toEqual([['x']]);
});

test('a document of comments alone is none', () => {
  expect(rootsOf('x: 1\n---\n# a\n---\ny: 1\n')).toEqual([['x'], ['y']]);
});
