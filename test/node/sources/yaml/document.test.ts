/** The documents of a YAML text. */
import { expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { maskPlaceholders } from '../../../../src/node/sources/text/placeholders.js';
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

test('a document of comments only is ignored', () => {
  expect(rootsOf('x: 1\n---\n# a\n---\ny: 1\n')).toEqual([['x'], ['y']]);
});

test.each([
  ['a double-quoted text', 'a:\n  b: "x --y\n  --z\n\n  w\\\n  v"\n  c: 1\n', 'x --y --z\nwv'],
  ['a single-quoted text', "a:\n  b: 'it''s \\  \n  y'\n  c: 1\n", "it's \\ y"],
  ['an item', 'a:\n  b:\n  - &x "p\n  q"\n  c: 1\n', 'p q'],
  ['a list', 'a:\n  b: [x, # note\n  "y\n  z",\n  ]\n  c: 1\n', 'x|y z'],
  ['a text after a block', 'a:\n  d: |\n    it"s\n\n    "x\n  b: "p\nq"\n  c: 1\n', 'p q'],
])('%s continues on a line that is not indented more than its key', (_, text, expected) => {
  const [document] = readYaml(new LineIndex('a.yaml', text));
  const value = document?.root?.path('a', 'b');
  expect(document?.problem).toBeNull();
  expect(value?.text?.text ?? value?.items.map((item) => item.text?.text).join('|')).toBe(expected);
  expect(document?.root?.path('a', 'c')?.at.line).toBe(text.split('\n').length - 1);
});

test('a quote that is not closed stays an error', () => {
  const [document] = readYaml(new LineIndex('a.yaml', 'a:\n  b: "x\n  y\n  c: 1\n'));
  expect(document?.problem?.message).toContain('it is not YAML');
});

const template = 'command: >\n      {{- if .Values.a }}\n  geth\n  {{- end }}\n  --http\nimage: x\n';

test('a block scalar of a template may begin with a statement that is indented more', () => {
  const { text } = maskPlaceholders(template);
  const [document] = readYaml(new LineIndex('x.yaml', text, template));
  expect(document?.problem).toBeNull();
  expect(document?.root?.get('command')?.text?.text.match(/\S+/g)).toEqual(['geth', '--http']);
  expect(document?.root?.get('image')?.text?.text).toBe('x');
});

test('the same blanks written in a file are a syntax error', () => {
  const [document] = readYaml(new LineIndex('x.yaml', maskPlaceholders(template).text));
  expect(document?.problem?.message).toMatch(/leading empty lines/);
});
