/** Evidence is typed: what decisions ask of a finding is there, and nothing else of it is asked. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../../src/node/facts/report.js';
import { listenerKinds } from '../../../src/node/facts/settings.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { rules } from '../../../src/node/rules/index.js';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

const findings = rules.flatMap(({ examples: { bad, good } }) =>
  [bad, good].flatMap((one) => judgeTarget(exampleFacts(one), { failOn: 'high', edits: 'none' }).findings),
);
const catalogue = new Set(kinds.flatMap(({ modules }) => Object.keys(modules.catalogue)));

/** What a finding says in its subject or its severity, and its evidence does not. */
function leftOut({ rule, subject, evidence }: Finding): string[] {
  const [first = '', thing = ''] = subject.split(' ');
  const kind = listenerKinds.find((one) => one === first);
  const needs = rules.find(({ id }) => id === rule);
  return [
    ...(kind !== undefined && evidence?.interface !== kind ? ['interface'] : []),
    ...(needs?.saidBy !== undefined &&
    kind !== undefined &&
    catalogue.has(thing) &&
    evidence?.module !== thing
      ? ['module']
      : []),
  ];
}

test('a finding about an interface names it in its evidence, and its module where rules say the same of both', () => {
  const short = findings.flatMap((one) =>
    leftOut(one).map((field) => `${one.rule} ${one.subject}: ${field}`),
  );
  expect(short).toEqual([]);
  expect(findings.filter(({ evidence }) => evidence?.interface !== undefined).length).toBeGreaterThan(30);
});

test('a finding of a refused start says so in its evidence', () => {
  const refused = findings.filter(({ rule }) =>
    /^(?:conflicting-flags|refused-start|malformed-flag)$/.test(rule),
  );
  expect(refused.map(({ evidence }) => typeof evidence?.fatal)).toEqual(refused.map(() => 'boolean'));
  expect(refused.length).toBeGreaterThan(2);
});

test('no file asks other fields of evidence', () => {
  const typed = [
    'interface',
    'interfaces',
    'module',
    'reach',
    'bound',
    'fatal',
    'closes',
    'conditional',
    'port',
    'path',
    'policy',
  ];
  const folder = 'src/node';
  const read = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('kinds'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [...text.matchAll(/\bevidence\?\.(\w+)/g)].map(([, field = '']) => field);
    });
  expect([...new Set(read)].filter((field) => !typed.includes(field))).toEqual([]);
});
