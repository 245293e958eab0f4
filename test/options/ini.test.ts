import { expect, test } from 'vitest';
import { sectionsOf } from '../../src/options/ini.js';

const read = (text: string) => sectionsOf('nodes.ini', text, 'Write a section.', 'Once is enough.');

const nodes =
  '[ en-1 ]\n rpc = x\nws[] = y\nws[] = z\n ; rpc = w\n\n  [en-1.b]\nrpc = x\n[en-[1:2]]\r\nrpc=x\r\n';

test.each([
  ['en-1', undefined, 'nodes.ini:1 [en-1]'],
  ['en-1', 'rpc', 'nodes.ini:2 [en-1]'],
  ['en-1', 'ws', 'nodes.ini:4 [en-1]'],
  ['en-1', 'ipc', 'nodes.ini [en-1]'],
  ['en-1.b', undefined, 'nodes.ini:7 [en-1.b]'],
  ['en-1.b', 'rpc', 'nodes.ini:8 [en-1.b]'],
  ['en-[1:2]', 'rpc', 'nodes.ini:10 [en-[1:2]]'],
])('in [%s] the last line of %s is at %s', (section, key, place) => {
  expect(
    read(nodes)
      .find(({ name }) => name === section)
      ?.placeOf(key),
  ).toBe(place);
});

test('sections keep dots and brackets in their names', () => {
  const text = '[en-1.b]\nrpc = x # comment\n[en-[1:2]] \r\n; comment\nws = "y"\nipc[] = 1\nipc[] = 2\n[e]\n';
  expect(read(text).map(({ name, values }) => [name, { ...values }])).toEqual([
    ['en-1.b', { rpc: 'x' }],
    ['en-[1:2]', { ws: 'y', ipc: ['1', '2'] }],
    ['e', {}],
  ]);
});

test.each([
  ['[a]\nrpc = x\n[b]\n[a]\n', 'nodes.ini:4: [a] appears twice'],
  ['[a]\nrpc = x\nws = y\nrpc = z\n', 'nodes.ini:4: rpc of [a] appears twice'],
  ['rpc = x\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
  ['rpc\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
  ['rpc[] = x\n[a]\n', 'nodes.ini:1: rpc is outside a section'],
])('%j is refused: %s', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('where names may repeat, sections are merged, and the last value counts', () => {
  const [merged, ...others] = sectionsOf('c.ini', '[a]\nx = 1\n[a]\nx = 2\ny = 3\n', 'hint');
  expect(others).toEqual([]);
  expect(merged?.values).toEqual({ x: '2', y: '3' });
  expect([merged?.placeOf(), merged?.placeOf('x')]).toEqual(['c.ini:3 [a]', 'c.ini:4 [a]']);
});

test('a key may stand in every section', () => {
  expect(read('[a]\nrpc = x\n; rpc = y\n[b]\nrpc = x\n')).toHaveLength(2);
});
