/** Every sentence of a report is of the grammar in sentences/forms.txt, and what it says of the files is so. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { run } from '../node/offline.js';
import { factsOf, type Said } from './sentences/facts.js';
import { parseSentence, readGrammar, typesOf } from './sentences/grammar.js';

const root = new URL('../..', import.meta.url).pathname;
const grammar = readGrammar(readFileSync(new URL('sentences/forms.txt', import.meta.url), 'utf8'));

/** The texts of a folder, or of one file, by the paths that a report has for them. */
function readFiles(cwd: string): ReadonlyMap<string, string> {
  const paths = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
    (path) => existsSync(join(cwd, path)) && statSync(join(cwd, path)).isFile(),
  );
  const from = cwd.startsWith(root) ? root : cwd;
  return new Map(
    paths.map((path) => [relative(from, join(cwd, path)), readFileSync(join(cwd, path), 'utf8')]),
  );
}

/** The sentences of a report, each with its section of the grammar and what it is about. */
function* sentencesOf({ targets }: Report): Generator<readonly [section: string, text: string, said: Said]> {
  for (const target of targets) {
    for (const question of target.undetermined) yield ['reason', question.reason, { target, question }];
    for (const finding of target.findings) {
      const said = { target, finding };
      yield ['advice', finding.fix, said];
      for (const { note } of finding.related) yield ['note', note, said];
      for (const { fix } of finding.alternatives ?? []) yield ['advice', fix, said];
    }
  }
}

interface Case {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly args?: readonly string[];
}

const used = new Set<string>();
/** The sentences about the files of a folder that the grammar has no form for, or that are not so. */
async function unheld(cwd: string, words: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(['node', 'lint', ...words, '--format', 'json'], { cwd });
  if (!out.startsWith('{')) return [];
  const factsFor = factsOf(readFiles(cwd));
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const [section, text, said] of sentencesOf(JSON.parse(out) as Report)) {
    const id = `${section} ${text} ${said.target.name} ${said.finding?.fingerprint}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const { types, claims } = factsFor(said);
    const forms = parseSentence(grammar, section, text, types, claims);
    if (forms === null) wrong.push(`${section}: ${text}`);
    for (const form of forms ?? []) used.add(form);
  }
  return [...new Set(wrong)];
}

const folders = [
  'deployments',
  'conf',
  'compose',
  'dockerfile',
  'environment',
  'kubernetes',
  'script',
  'systemd',
  'template',
  'yaml',
  'geth',
  'shell',
  'demo',
].flatMap((name) =>
  name === 'deployments' ? readdirSync(join(root, 'fixtures', name)).map((one) => join(name, one)) : [name],
);

async function expectHeld(runs: readonly (readonly [cwd: string, ...words: string[]])[]): Promise<void> {
  const wrong: Record<string, readonly string[]> = {};
  for (const [cwd, ...words] of runs) {
    const sentences = await unheld(cwd, words);
    if (sentences.length > 0) wrong[cwd] = sentences;
  }
  expect(wrong).toEqual({});
}

test('every sentence about the fixtures is true', async () => {
  const runs = folders.map((name) => [join(root, 'fixtures', name), '.'] as const);
  await expectHeld([...runs, [join(root, 'fixtures/shell'), 'arithmetic.jsonl']]);
});

describe('sentences that are free or false', () => {
  const files = new Map([
    ['run.sh', '#!/bin/sh\nexport "$line"\nken --rpc --rpcapi klay,admin $EXTRA\n'],
    ['compose.yml', 'services:\n  en:\n    ports: ["8551:8551"]\n'],
  ]);
  const target = { name: 'run.sh', kind: 'kaia', interfaces: [] } as unknown as Said['target'];
  const { types, claims } = factsOf(files)({ target });
  const parse = (section: string, text: string) => parseSentence(grammar, section, text, types, claims);

  test.each([
    ['reason', '$EXTRA (run.sh:3) is not known'],
    ['reason', 'export "$line" (run.sh:2) may set KAIA_RPC'],
    ['advice', 'List only klay in --rpcapi in the script.'],
    ['advice', 'Publish the port only on 127.0.0.1: "127.0.0.1:8551:8551".'],
  ])('the %s is true: %s', (section, text) => expect(parse(section, text)).not.toBeNull());

  test.each([
    ['reason', 'something about the node is not known'],
    ['reason', '$EXTRA (run.sh:1) is not known'],
    ['reason', '$EXTRA (run.sh:30) is not known'],
    ['reason', '$OTHER (run.sh:3) is not known'],
    ['reason', '$EXTRA (gone.sh:3) is not known'],
    ['reason', '$EXTRA (run.sh:3) is not known at all'],
    ['reason', 'export "$line" (run.sh:2) may set rpc'],
    ['reason', 'run.sh, which ken reads, is not among the files'],
    ['reason', 'compose.yml is not read: there is no such file'],
    ['reason', 'compose.yml:1:1: it is not YAML: a mapping ends too early'],
    [
      'reason',
      'the releases known here (kaia v2.2.1 to klaytn v1.5.0) do not know nett: another release may',
    ],
    [
      'reason',
      'the releases known here (klaytn v1.5.0 to kaia v2.2.1) do not know admin: another release may',
    ],
    ['advice', 'List only klay and admin in --rpcapi in the script.'],
    ['advice', 'List only klay in --rpcapis in the script.'],
    ['advice', 'Set --rpcaddr in gone.sh to 127.0.0.1.'],
    ['advice', 'Publish the port only on 127.0.0.1: "127.0.0.1:8551:1234".'],
    ['advice', 'Save the file with Unix line ends.'],
    ['note', 'it depends'],
  ])('the %s is refused: %s', (section, text) => expect(parse(section, text)).toBeNull());
});

test('every type of the grammar is held against facts, and every fact is asked', () => {
  const { types, claims } = factsOf(new Map())({ target: {} as Said['target'] });
  expect(typesOf(grammar)).toEqual(Object.keys(types).sort());
  const named = [...grammar.values()].flat().flatMap(({ claim }) => claim ?? []);
  expect([...new Set(named)].sort()).toEqual(Object.keys(claims).sort());
});

/** Cases of single files, beside the checkout where they are. */
const cases = new URL('../../../shared/cases/lint.json', import.meta.url);
if (!existsSync(cases)) process.stderr.write(`sentences.test: SKIPPED, there is no ${cases.pathname}\n`);

describe.runIf(existsSync(cases))('where the cases are', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kaiactl-sentences-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('every sentence about them is true', async () => {
    const all = JSON.parse(readFileSync(cases, 'utf8')) as readonly Case[];
    for (const { id, files } of all) {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder, id, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    await expectHeld(all.map(({ id, path = '.', args = [] }) => [join(folder, id), path, ...args]));
  });

  test('the grammar has no dead forms', () => {
    const all = [...grammar.values()].flat().map(({ line }) => line);
    expect(all.filter((line) => !used.has(line))).toEqual([]);
  });
});
