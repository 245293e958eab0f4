import { expect, test } from 'vitest';
import { itemsOf, last, mergePairs } from '../../../../src/node/sources/compose/layers.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';

/** The layers of a service, from the most general on. */
const layers = (...texts: readonly string[]) =>
  texts.flatMap((text, at) => {
    const file = new LineIndex(`${at}.yml`, text);
    const node = readYaml(file)[0]?.root ?? null;
    return node === null ? [] : [{ node, file }];
  });

const variables = (...texts: readonly string[]) =>
  mergePairs(layers(...texts), 'environment').map(([name, value]) => `${name}=${value?.text ?? ''}`);

test('!reset on an entry removes what the layers before say of it, and no other entry', () => {
  expect(variables('environment: {A: 1, B: 2}', 'environment: {A: !reset null}')).toEqual(['B=2']);
  expect(variables('environment: [A=1, B=2]', 'environment:\n  A: !reset\n')).toEqual(['B=2']);
  expect(variables('environment: {A: 1}', 'environment: {A: !reset null}', 'environment: {A: 3}')).toEqual([
    'A=3',
  ]);
  expect(variables('environment: {A: 1}', 'environment: {A: !override 2}')).toEqual(['A=1', 'A=2']);
});

test.each([
  ['the value', 'build: {dockerfile: !reset null}', null],
  ['the map around it', 'build: !reset null', null],
  ['the map around it, which another replaces', 'build: !override {context: b}', null],
  ['the service', '!override\nimage: x', null],
  ['nothing', 'build: {context: b}', 'a'],
])('a value is removed with %s', (_, over, expected) => {
  expect(last(layers('build: {dockerfile: a}', over), 'build', 'dockerfile')?.node.text?.text ?? null).toBe(
    expected,
  );
});

test.each([
  ['ports: !override [3]', ['3']],
  ['ports: !reset []', []],
  ['ports: [3, !reset 4]', ['1', '2', '3']],
])('lists are joined, or replaced: %s', (over, expected) => {
  const items = itemsOf(layers('ports: [1, 2]', over), 'ports');
  expect(items.map(({ node }) => node.text?.text)).toEqual(expected);
});
