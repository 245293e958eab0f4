/**
 * Folders as people keep them: what each target is read from, what is said of it, and that every sentence names values,
 * places, releases and flags that exist.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { oncePerKey } from '../../../src/util/once-per.js';
import { lintIn } from './lint-in.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;

interface Expected {
  readonly exitCode: number;
  readonly targets: Readonly<Record<string, ExpectedTarget>>;
}

/** `findings`: "rule severity", of those at or above medium. */
interface ExpectedTarget {
  readonly verdict: string;
  readonly files?: readonly string[];
  readonly findings: readonly string[];
  /** "rule severity of target" */
  readonly shared?: readonly string[];
  /** The rules and codes of open questions. */
  readonly undetermined?: readonly string[];
}

function said({ targets, exitCode }: Report): Expected {
  const heavy = new Set(['critical', 'high', 'medium']);
  const entries = targets.map(({ name, verdict, files, findings, shared = [], undetermined }) => {
    const found = findings.filter(({ severity }) => heavy.has(severity));
    const open = [...new Set(undetermined.map(({ rule, code }) => `${rule} ${code}`))].sort();
    const elsewhere = shared.filter(({ severity }) => heavy.has(severity));
    return [
      name,
      {
        verdict,
        ...(files === undefined ? {} : { files }),
        findings: [...new Set(found.map(({ rule, severity }) => `${rule} ${severity}`))].sort(),
        ...(elsewhere.length === 0
          ? {}
          : {
              shared: elsewhere
                .map(({ rule, severity, target }) => `${rule} ${severity} of ${target}`)
                .sort(),
            }),
        ...(open.length === 0 ? {} : { undetermined: open }),
      },
    ] as const;
  });
  return { exitCode, targets: Object.fromEntries(entries) };
}

const names = readdirSync(root);
const reportOf = oncePerKey((name: string) => lintIn(join(root, name)));

test.each(names)('%s', async (name) => {
  const report = await reportOf(name);
  expect(JSON.stringify(report), 'placeholders of the readers').not.toMatch(/[\uFDD0-\uFDEF]/);
  const expected: Expected = JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8'));
  expect(said(report)).toEqual(expected);
});

interface Sentence {
  readonly folder: string;
  readonly rule: string;
  readonly text: string;
  readonly isAdvice: boolean;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

let sentences: readonly Sentence[] = [];
let places: readonly Place[] = [];

beforeAll(async () => {
  const all: (Report['targets'][number] & { readonly folder: string })[] = [];
  for (const folder of names)
    all.push(...(await reportOf(folder)).targets.map((target) => ({ ...target, folder })));
  sentences = all.flatMap(({ folder, findings, undetermined }) => [
    ...findings.flatMap(({ rule, message, fix }) => [
      { folder, rule, text: message, isAdvice: false },
      { folder, rule, text: fix, isAdvice: true },
    ]),
    ...undetermined.map(({ rule, reason }) => ({ folder, rule, text: reason, isAdvice: false })),
  ]);
  places = all.flatMap(({ folder, findings }) =>
    findings.flatMap(({ at, related = [] }) =>
      [at, ...related.map((one) => one.at)].flatMap((one) =>
        'file' in one ? [{ file: join(folder, one.file), line: one.line }] : [],
      ),
    ),
  );
});

function lineAt({ file, line }: Place): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n')[line - 1] : undefined;
}

/** A value that is not known, and its place: `${X} (run.sh:3)`. An ellipsis stands for a part that is left out. */
const unknown = /(\$\{[^}]*\}|\$\w+|\{\{[^}]*\}\}|\$\([^()]*\)) \(([^():\s]+):(\d+)\)/g;

function wrongNames({ folder, rule, text }: Sentence): string[] {
  return [...text.matchAll(unknown)].flatMap(([all, name = '', file = '', line = '']) => {
    const there = lineAt({ file: join(folder, file), line: Number(line) });
    const parts = name.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return there !== undefined && new RegExp(parts.join('.*')).test(there) ? [] : [`${rule}: ${all}`];
  });
}

const releases = new Set(kinds.flatMap((kind) => kind.releases.map(({ id }) => id.replace('/', ' '))));
const products = [...new Set([...releases].map((one) => one.replace(/ .*/, '')))];
const release = new RegExp(`(?<![\\w-])(?:${products.join('|')}) v\\d+\\.\\d+\\.\\d+(?![-\\w])`, 'g');

const wrongReleases = ({ rule, text }: Sentence): string[] =>
  [...text.matchAll(release)].flatMap(([name]) => (releases.has(name) ? [] : [`${rule}: ${name}`]));

/** Advice names a flag of a node, or of kaiactl and the tools that it tells to run. */
const ofTools =
  /^(?:command-line|env-file|node-version|launcher|package|env|assume-reach|simulate|inventory|ignore-case|check|diff|publish|name|x)$/;
const isFlag = (name: string) =>
  ofTools.test(name) ||
  kinds.some(({ flags }) => flags.ofAnyProgram(name) !== null || flags.ofAnyRelease(name) !== null);

function wrongFlags({ rule, text, isAdvice }: Sentence): string[] {
  if (!isAdvice || /unknown-flag|unknown-setting|malformed-flag|removed-flag/.test(rule)) return [];
  return [...text.matchAll(/(?<![\w-])--([a-z][\w.-]*\w)/g)].flatMap(([, name = '']) =>
    isFlag(name) ? [] : [`${rule}: --${name}`],
  );
}

test('a value that is not known stands at the place that the sentence names', () => {
  expect(sentences.flatMap(wrongNames)).toEqual([]);
  expect(sentences.filter(({ text }) => unknown.test(text)).length).toBeGreaterThan(50);
});

test('places of findings and of related settings are lines of files', () => {
  expect(places.filter((one) => lineAt(one) === undefined)).toEqual([]);
  expect(places.length).toBeGreaterThan(500);
});

test('releases that sentences name are known releases', () => {
  expect(sentences.flatMap(wrongReleases)).toEqual([]);
});

test('flags that advice names exist', () => {
  expect(sentences.flatMap(wrongFlags)).toEqual([]);
});

test.each<[string, (one: Sentence) => string[], string]>([
  ['a wrong place', wrongNames, '${X} (no-such-folder/run.sh:3) is not known'],
  ['a release that was never made', wrongReleases, 'In releases from geth v1.14.1 on'],
  ['a flag that no node has', wrongFlags, 'Remove --no.such.flag.'],
])('%s is noticed', (_, check, text) => {
  expect(check({ folder: '.', rule: 'public-bind', text, isAdvice: true })).toHaveLength(1);
});
