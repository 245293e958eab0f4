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

const ofController = new Map([
  ['job-name', `backup-${unfilled}`],
  ['apps.kubernetes.io/pod-index', unfilled],
]);

test.each([
  ['apps.kubernetes.io/pod-index: "0"', true],
  ['job-name: backup-28', true],
  ['job-name: backup', false],
  ['job-name: restore-28', false],
  ['batch.kubernetes.io/job-name: backup-28', false],
])('a Service with the selector %j may select a pod by labels of its controller: %s', (text, expected) => {
  expect(byLabels(tree(text))(ofController)).toBe(expected);
});

test.each([
  ['matchLabels: { apps.kubernetes.io/pod-index: "0" }', false],
  ['matchExpressions: [{ key: apps.kubernetes.io/pod-index, operator: NotIn, values: ["1"] }]', false],
  ['matchExpressions: [{ key: job-name, operator: In, values: [backup-1] }]', false],
  ['matchExpressions: [{ key: job-name, operator: Exists }]', true],
])('a policy with the selector %j selects every pod of the controller: %s', (text, expected) => {
  expect(bySelector(tree(text))(ofController)).toBe(expected);
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
