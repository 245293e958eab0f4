import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleFacts } from '../../src/node/commands/example.js';
import type { Example } from '../../src/node/judge/rule.js';
import { judgeTarget } from '../../src/node/pipeline.js';
import { rules } from '../../src/node/rules/index.js';

const folder = new URL('../../src/node/rules', import.meta.url).pathname;
function found(example: Example): string[] {
  const { findings } = judgeTarget(exampleFacts(example), { failOn: 'high' });
  return [...new Set(findings.filter(({ suppressed }) => suppressed === null).map(({ rule }) => rule))];
}

test.each(rules.map((rule) => [rule.id, rule] as const))('%s: its examples are exact', (id, rule) => {
  expect(found(rule.examples.bad)).toEqual([id]);
  expect(found(rule.examples.good)).toEqual([]);
});

const pasteable = rules.flatMap((rule) => {
  const { bad } = rule.examples;
  if (!('conf' in bad)) return [];
  const { findings } = judgeTarget(exampleFacts(bad), { failOn: 'high' });
  return findings.flatMap(({ fix }) => {
    const line = /^(?:export )?[A-Z_]+=(?!…)\S.*?(?= {4}|$)/.exec(fix)?.[0];
    return line === undefined ? [] : [{ rule, bad, line }];
  });
});

test('most fixes are lines that can be pasted', () => {
  expect(pasteable.length).toBeGreaterThan(15);
});

test.each(pasteable)('$rule.id: pasting $line mends it', ({ rule, bad, line }) => {
  const names = [...line.matchAll(/(?<![\w"])([A-Z_]+)=/g)].map((match) => match[1]);
  const rest = bad.conf
    .split('\n')
    .filter((one) => !names.some((name) => new RegExp(`^(export )?${name}\\b`).test(one)));
  expect(found({ ...bad, conf: [line, ...rest].join('\n') })).not.toContain(rule.id);
});

test('id, file and export are one name, and every rule file is listed once', async () => {
  const listed = new Map(rules.map((rule) => [rule.id, rule]));
  expect(listed.size).toBe(rules.length);
  const files: string[] = [];
  for (const name of readdirSync(folder).map((file) => file.replace(/\.ts$/, ''))) {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const exported = ((await import(`../../src/node/rules/${name}.ts`)) as Record<string, unknown>)[camel];
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

test('a rule file stays short: a check per file, two where a rule judges both conf and node', () => {
  const long = rules
    .map(({ id }) => [id, readFileSync(`${folder}/${id}.ts`, 'utf8').split('\n').length] as const)
    .filter(([, lines]) => lines > 140);
  expect(long).toEqual([]);
});

test.each(rules)('$id says what it must in the house style', ({ id, title, why, fix, aliases = [] }) => {
  expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z].{10,90}\.$/);
  expect(why.length).toBeGreaterThan(80);
  expect(fix.length).toBeGreaterThan(5);
  for (const alias of aliases) expect(rules.some((rule) => rule.id === alias)).toBe(false);
});
