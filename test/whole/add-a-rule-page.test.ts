/** The rule of docs/internals/add-a-rule.md is one: it compiles, and its examples are as they have to be. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import type { Rule } from '../../src/node/judge/rule/rule.js';
import { exampleFacts } from '../node/editables.js';
import { judgeTarget } from '../node/pipeline.js';
import { expectHouseStyle } from '../node/rules/house-style.js';

const root = new URL('../..', import.meta.url).pathname;
const cache = join(root, 'node_modules/.cache/kaiactl');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'rule-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(root, 'docs/internals/add-a-rule.md'), 'utf8');
const [, block = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
const code = block.replaceAll(/^ {3}/gm, '').trimEnd().concat('\n');
writeFileSync(join(folder, 'odd-port.ts'), code.replaceAll("'../", `'${root}src/node/`));

test('the rule of the page compiles', () => {
  const config = { extends: join(root, 'tsconfig.json'), include: ['odd-port.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  expect(spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout).toBe('');
});

test('the rule of the page is formatted, its imports sorted', () => {
  const biome = join(root, 'node_modules/.bin/biome');
  const check = spawnSync(biome, ['check', '--write', '--stdin-file-path=src/node/rules/odd-port.ts'], {
    cwd: root,
    input: code,
    encoding: 'utf8',
  });
  expect(check.stdout).toBe(code);
});

test('the rule of the page follows the house style, reports its bad example, fixes it and passes its good example', async () => {
  const file = join(folder, 'odd-port.mjs');
  await build({ input: join(folder, 'odd-port.ts'), platform: 'node', output: { file }, logLevel: 'silent' });
  const { oddPort } = (await import(file)) as { oddPort: Rule };
  const judged = (example: Rule['examples']['bad']) =>
    judgeTarget(exampleFacts(example), { failOn: 'high', rules: [oddPort] }).findings;
  expectHouseStyle(oddPort);
  const { bad, good } = oddPort.examples;
  expect(judged(bad)).toMatchObject([
    { rule: 'odd-port', fix: 'Set RPC_PORT to 8551.', edits: [{ line: 3, text: '8551' }] },
  ]);
  expect(judged(good)).toEqual([]);
});
