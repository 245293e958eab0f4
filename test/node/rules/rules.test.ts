/** Each rule by its examples, its fixes, its texts, and its row in the list. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Edit } from '../../../src/node/facts/report.js';
import type { Example } from '../../../src/node/judge/rule/rule.js';
import { rules } from '../../../src/node/rules/index.js';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';
import { expectHouseStyle } from './house-style.js';

const folder = new URL('../../../src/node/rules', import.meta.url).pathname;
/** The rules that an example breaks: all of `expected`, and of other rules those above severity info. */
function found(example: Example, expected: readonly string[]): string[] {
  const { findings } = judgeTarget(exampleFacts(example), { failOn: 'high' });
  const counting = findings.filter(
    ({ rule, severity, suppressed }) =>
      suppressed === null && (severity !== 'info' || expected.includes(rule)),
  );
  return [...new Set(counting.map(({ rule }) => rule))].sort();
}

test.each(rules.map((rule) => [rule.id, rule] as const))('%s: its examples are exact', (id, rule) => {
  const { bad, good } = rule.examples;
  const expected = [id, ...('also' in bad ? (bad.also ?? []) : [])].sort();
  expect(found(bad, expected)).toEqual(expected);
  expect(found(good, [id])).toEqual([]);
});

/** The text with the edits made, from the last place to the first. */
function edited(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return edits
    .toSorted((a, b) => b.line - a.line || b.column - a.column)
    .reduce(
      (all, one) =>
        all.slice(0, offset(one.line, one.column)) + one.text + all.slice(offset(one.endLine, one.endColumn)),
      text,
    );
}

const editable = rules.flatMap((rule) => {
  const { bad } = rule.examples;
  if ('facts' in bad) return [];
  const { findings } = judgeTarget(exampleFacts(bad), { failOn: 'high' });
  return findings.flatMap(({ rule: fixed, edits = [], safety }) =>
    edits.length === 0 ? [] : [{ rule, bad, fixed, edits, safety }],
  );
});

test('many fixes are edits', () => {
  expect(editable.length).toBeGreaterThan(12);
});

test.each(editable)(
  '$rule.id: the edits of $fixed remove its finding and add none, and $safety is true',
  ({ rule, bad, fixed: id, edits, safety }) => {
    const fixed =
      'conf' in bad
        ? { ...bad, conf: edited(bad.conf, edits) }
        : { ...bad, command: edited(bad.command, edits) };
    const others = (bad.also ?? []).filter((one) => one !== id);
    expect(found(fixed, [id]).filter((one) => ![rule.id, ...others].includes(one) || one === id)).toEqual([]);
    // Of a flag given twice the last one counts: the values are what the node is started with.
    const started = ({ conf }: ReturnType<typeof exampleFacts>) =>
      conf?.state === 'seen'
        ? Object.entries(conf.value.settings.values).map(([name, { value }]) => [name, value])
        : null;
    const unchanged =
      JSON.stringify(started(exampleFacts(fixed))) === JSON.stringify(started(exampleFacts(bad)));
    const before = exampleFacts(bad).conf;
    const starts = before?.state === 'seen' && before.value.settings.startable;
    if (safety === 'safe' || starts) expect(unchanged).toBe(safety === 'safe');
  },
);

test('id, file and export are one name, and every rule file is listed once', async () => {
  const listed = new Map(rules.map((rule) => [rule.id, rule]));
  expect(listed.size).toBe(rules.length);
  const files: string[] = [];
  for (const name of readdirSync(folder).map((file) => file.replace(/\.ts$/, ''))) {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const exported = ((await import(`../../../src/node/rules/${name}.ts`)) as Record<string, unknown>)[camel];
    if (name === 'index') continue;
    expect(isRule(exported), `${name}.ts exports the rule ${camel}`).toBe(true);
    expect(exported, `${name}.ts is in index.ts`).toBe(listed.get(name));
    expect(listed.get(name)?.id).toBe(name);
    files.push(name);
  }
  expect(files.sort()).toEqual([...listed.keys()].sort());
});

function isRule(value: unknown): value is (typeof rules)[number] {
  return typeof value === 'object' && value !== null && 'examples' in value && 'on' in value;
}

test.each(rules)('$id says what it must in the house style', (rule) => {
  expectHouseStyle(rule);
  for (const alias of rule.aliases ?? []) expect(rules.some(({ id }) => id === alias)).toBe(false);
});

test('a rule is read in a minute: its file has fewer than 85 lines', () => {
  const long = rules
    .map(({ id }) => [id, readFileSync(`${folder}/${id}.ts`, 'utf8').trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines >= 85);
  expect(long).toEqual([]);
});
