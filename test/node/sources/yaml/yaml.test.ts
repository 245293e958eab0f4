/** Documents of YAML: which are read, what is said of the others, and questions to their nodes. */
import { expect, test } from 'vitest';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';
import { layerOf, readNodeYaml } from '../../../../src/node/sources/yaml/layer.js';
import { contextOf } from '../context.js';

const file = (text: string) => new LineIndex('f.yaml', text);

type Place = readonly [line: number, column: number];
type Problem = { readonly problem: string; readonly from: Place; readonly to: Place };

/** Each document's `a`, or its problem. */
function read(text: string, wanted?: (text: string) => boolean): (string | Problem)[] {
  return readYaml(file(text), wanted).map(({ root, problem }) => {
    if (problem === null) return root?.get('a')?.text?.text ?? 'nothing';
    const { line, column, endLine, endColumn } = problem.at;
    return { problem: problem.message, from: [line, column], to: [endLine, endColumn] };
  });
}

test.each<[string, string[]]>([
  ['', []],
  [' \n\n', []],
  ['\uFEFFa: 1', ['1']],
  ['a: 1\n--- # next\na: 2\n---\n', ['1', '2']],
  ['---\na: 1\n---\n\n---\r\na: 2', ['1', '2']],
  ['a: "x --- y"', ['x --- y']],
  ['a: |\n  ---\n', ['---\n']],
  ['---a: 1\na: 2', ['2']],
  ['a: 1\na: 2', ['2']],
  ['? [x]\n: 1\na: 2', ['2']],
  ['- a', ['nothing']],
])('%j', (text, expected) => expect(read(text)).toEqual(expected));

test('a document that is not YAML is a problem at its end', () => {
  expect(read('a: [')).toMatchObject([
    { problem: expect.stringMatching(/^it is not YAML: Flow/), from: [1, expect.any(Number)] },
  ]);
});

test('unwanted documents are left out', () => {
  expect(read('a: 1\n---\na: 2\n', (text) => text.includes('2'))).toEqual(['2']);
});

test('a large document is skipped and the next document is read', () => {
  const large = `b: ${'x'.repeat(1 << 20)}\n`;
  expect(read(`${large}---\na: 1\n`)).toEqual([
    { problem: 'the YAML document is larger than 1024 KiB', from: [1, 1], to: [1, 4] },
    '1',
  ]);
  expect(read(`a: ${'x'.repeat((1 << 20) - 3)}`)[0]).toMatch(/^x+$/);
});

test('at most eight MiB and two thousand documents of one file are read', () => {
  const found = read(`b: ${'x'.repeat(1 << 20)}\n---\n`.repeat(10));
  expect([found.length, found.at(-1)]).toEqual([
    9,
    { problem: 'only the first 8 YAML documents are read', from: [14, 4], to: [15, 3] },
  ]);
  const many = read('a: 1\n---\n'.repeat(2_002));
  expect([many.length, many.at(-1)]).toEqual([
    2_001,
    { problem: 'only the first 2000 YAML documents are read', from: [3998, 4], to: [3999, 3] },
  ]);
});

test('too deep nesting is reported at its document', () => {
  expect(read(`\n${'['.repeat(20_000)}`)[0]).toMatchObject({
    problem: 'the YAML is nested too deeply to read',
    from: [2, expect.any(Number)],
    to: [2, expect.any(Number)],
  });
});

test('aliases of aliases end at a limit', () => {
  const levels = Array.from({ length: 7 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at}, `.repeat(9)}]\n`);
  const [document] = readYaml(
    file(`l0: &l0 [x]\n${levels.join('')}a: *l7\nb: *none\nc: &c { <<: *c, d: 1 }\n`),
  );
  let leaves = 0;
  const walk = (node: NonNullable<typeof document>['root']): void => {
    if (node !== null && node.items.length === 0) leaves += 1;
    for (const item of node?.items ?? []) walk(item);
  };
  walk(document?.root?.get('a') ?? null);
  expect(leaves).toBeLessThan(200_000);
});

test('an unknown alias yields nothing, and a circular alias ends', () => {
  const [document] = readYaml(file('b: *none\nc: &c { <<: *c, d: 1 }\ne: &e [*e, f]\n'));
  expect(document?.root?.get('b')).toBeNull();
  expect(read('a: [&b 1, *b]\nc: *none\n')).toEqual([
    { problem: 'it is not YAML: nothing before it is called &none', from: [2, 4], to: [2, 9] },
  ]);
  expect(document?.root?.path('c', 'd')?.text?.text).toBe('1');
  expect(document?.root?.get('e')?.items.map((one) => one.text?.text)).toEqual([undefined, 'f']);
});

test('accessors give a node’s content by its type', () => {
  const [document] = readYaml(
    file('list: [1, null, b]\nmap: { x: 1 }\nnone:\ntrue: 0x10\nempty: ""\nnull: ~\n'),
  );
  const root = document?.root ?? null;
  const [list, map, none] = ['list', 'map', 'none'].map((name) => root?.get(name) ?? null);
  expect([list?.isList, list?.isMap, map?.isList, map?.isMap]).toEqual([true, false, false, true]);
  expect([list?.text, map?.text, none?.text]).toEqual([null, null, null]);
  expect(list?.items.map((one) => one.text?.text ?? null)).toEqual(['1', null, 'b']);
  expect([map?.items, map?.entries.length, list?.entries]).toEqual([[], 1, []]);
  expect([map?.value, none?.value, root?.get('true')?.value]).toEqual([undefined, null, 16]);
  expect([root?.get('true')?.text?.text, root?.get('empty')?.text?.text]).toEqual(['0x10', '']);
  expect([root?.path('map', 'x')?.value, root?.path('map', 'y', 'z'), root?.path()]).toEqual([1, null, root]);
  const empty = root?.get('empty')?.text?.span();
  expect([empty?.line, empty?.column, empty?.endColumn]).toEqual([5, 8, 10]);
  const { column, endColumn } = map?.at ?? {};
  expect([column, endColumn]).toEqual([6, 14]);
});

test('a merged map adds missing keys, the first of several wins', () => {
  const text = 'x: &x { a: 1, b: 1 }\ny: &y { b: 2, c: 2 }\nz: { <<: [*x, *y], a: 0 }\nw: { a: 0, <<: *x }\n';
  const [document] = readYaml(file(text));
  const values = (name: string) =>
    document?.root?.get(name)?.entries.map(({ key, value }) => `${key.text}=${value?.text?.text}`);
  expect(values('z')?.sort()).toEqual(['a=0', 'b=1', 'c=2']);
  expect(values('w')?.sort()).toEqual(['a=0', 'b=1']);
});

test('YAML without a blockchain node yields no launch', () => {
  const none = { launches: [], problems: [], notes: [] };
  const context = contextOf();
  expect(readNodeYaml(file('a: 1\n'), context)).toEqual(none);
  expect(readNodeYaml(file(''), context)).toEqual(none);
  expect(readNodeYaml(file('a: ['), context).launches).toHaveLength(1);
  expect(readNodeYaml(file('rpc: true'), context).launches).toHaveLength(1);
  expect(layerOf(file(''), kaia.flags.of('ken'))).toEqual({
    format: 'yaml',
    path: 'f.yaml',
    values: new Map(),
    problem: null,
  });
});
