/** Selectors of Services and policies, with labels that a template leaves unknown. */
import { expect, test } from 'vitest';
import { byLabels, bySelector } from '../../../../src/node/sources/kubernetes/cluster.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';

const tree = (text: string) => readYaml(new LineIndex('x.yaml', text))[0]?.root ?? null;
const pod = new Map([
  ['app', 'heron'],
  ['tier', unfilled],
]);

test.each([
  ['app: heron', true],
  ['app: egret', false],
  [`app: ${unfilled}`, true],
  ['tier: node', true],
  ['{ app: egret, tier: node }', false],
])('a Service with the selector %j may select the pod: %s', (text, expected) => {
  expect(byLabels(tree(text))(pod)).toBe(expected);
});

test.each([
  ['{}', true],
  ['matchLabels: { app: heron }', true],
  [`matchLabels: { app: ${unfilled} }`, false],
  [`matchLabels: ${unfilled}`, false],
  [unfilled, false],
])('a policy with the selector %j selects the pod for certain: %s', (text, expected) => {
  expect(bySelector(tree(text))(pod)).toBe(expected);
});
