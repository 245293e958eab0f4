/** Every sentence of a report names values, places, releases and flags that exist: held against the fixtures it is made from. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { kinds } from '../../src/node/kinds/index.js';
import { run } from '../cli/run.js';

const root = new URL('../../fixtures/deployments/', import.meta.url).pathname;

interface Sentence {
  readonly rule: string;
  readonly text: string;
  readonly isAdvice: boolean;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

let sentences: readonly Sentence[] = [];
let places: readonly (Place & { readonly rule: string })[] = [];

beforeAll(async () => {
  const { out } = await run(['node', 'lint', '.', '--format', 'json', '--exclude', 'expected.json'], {
    cwd: root,
  });
  const { targets } = JSON.parse(out) as Report;
  sentences = targets.flatMap(({ findings, undetermined }) => [
    ...findings.flatMap(({ rule, message, fix }) => [
      { rule, text: message, isAdvice: false },
      { rule, text: fix, isAdvice: true },
    ]),
    ...undetermined.map(({ rule, reason }) => ({ rule, text: reason, isAdvice: false })),
  ]);
  places = targets.flatMap(({ findings }) =>
    findings.flatMap(({ rule, at, related = [] }) =>
      [at, ...related.map((one) => one.at)].flatMap((one) =>
        'file' in one ? [{ rule, file: one.file, line: one.line }] : [],
      ),
    ),
  );
}, 300_000);

const nameOf = (file: string) => join(root, file.replace(/^fixtures\/deployments\//, ''));

function lineAt({ file, line }: Place): string | undefined {
  const path = nameOf(file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n')[line - 1] : undefined;
}

/** A value that is not known, and its place: `${X} (run.sh:3)`. An ellipsis stands for a part that is left out. */
const unknown = /(\$\{[^}]*\}|\$\w+|\{\{[^}]*\}\}|\$\([^()]*\)) \(([^():\s]+):(\d+)\)/g;

function wrongNames({ rule, text }: Sentence): string[] {
  return [...text.matchAll(unknown)].flatMap(([all, name = '', file = '', line = '']) => {
    const there = lineAt({ file, line: Number(line) });
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
  expect(check({ rule: 'public-bind', text, isAdvice: true })).toHaveLength(1);
});
