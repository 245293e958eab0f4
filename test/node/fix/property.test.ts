/** Whatever the settings: each fix alone, all at once, in any order and twice keep what the contract says of fixes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isScalar, isSeq, parseAllDocuments, visit } from 'yaml';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { Edit, Finding } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import { compareSeverity } from '../../../src/node/facts/severity.js';
import { patchOf } from '../../../src/node/fix/diff.js';
import { type FixedFile, fixFile, isApplicable } from '../../../src/node/fix/fix-file.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { launchers, packages } from '../../../src/node/kinds/kaia/names.js';
import type { ReadAs } from '../../../src/node/sources/text/editable.js';
import { everyNth, seed } from '../../seed.js';
import { editableOf, editables, readConf, remember } from '../editables.js';
import { loadCommandLine, loadNodes } from '../load.js';
import { judgeTarget, propose } from '../pipeline.js';
import { Random } from '../sources/random.js';
import { generatedFile, type Kind, kindsOfFile } from './generated.js';
import { generatedConf } from './generated-conf.js';

/** Generated files of each test: `npm run test:fix` reads more. */
const count = Number(process.env.KAIACTL_TEST_FIXES ?? 3);
const isLong = process.env.KAIACTL_TEST_FIXES !== undefined;

function factsOf(
  conf: ReturnType<typeof readConf> | Awaited<ReturnType<typeof loadNodes>>['nodes'][0]['conf'],
): Facts {
  return { name: 'x', role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
}

/** The findings with the edits that are shown. */
const judged = once((facts) => judgeTarget(facts, { failOn: 'high' }).findings);
/** The findings alone, which is many times as fast. */
const found = once((facts) => judgeTarget(facts, { failOn: 'high', edits: 'none' }).findings);

function once(judge: (facts: Facts) => readonly Finding[]): (facts: Facts) => readonly Finding[] {
  const known = new WeakMap<Facts, readonly Finding[]>();
  return (facts) => {
    const all = known.get(facts) ?? judge(facts);
    known.set(facts, all);
    return all;
  };
}

/** The edits with the offsets of what they replace. */
function placed(text: string, edits: readonly Edit[]): (Edit & { from: number; to: number })[] {
  const lines = text.split('\n');
  const starts = lines.map((_, at) => lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0));
  const offset = (number: number, column: number): number => (starts[number - 1] ?? text.length) + column - 1;
  return edits.map((one) => ({
    ...one,
    from: offset(one.line, one.column),
    to: offset(one.endLine, one.endColumn),
  }));
}

/** The text with the edits in it, from the last to the first. */
function edited(text: string, edits: readonly Edit[]): string {
  return placed(text, edits)
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((all, { from, to, text: put }) => {
      const ends = all.slice(from).match(/\r?\n/)?.[0] ?? (all.endsWith('\r\n') ? '\r\n' : '\n');
      return all.slice(0, from) + put.replaceAll('\n', ends) + all.slice(to);
    }, text);
}

/** No edit writes the name of a privileged module into a place where it does not stand. */
function expectWritesNothingPrivileged(text: string, edits: readonly Edit[], what: string): void {
  const names = (part: string) => part.split(/[^\w.-]+/).filter(kaia.modules.isKnownPrivileged);
  for (const { from, to, text: put } of placed(text, edits)) {
    const before = names(text.slice(from, to));
    expect(
      names(put).filter((name) => !before.includes(name)),
      what,
    ).toEqual([]);
  }
}

/** The privileged modules that each setting of each node names: variables, and what the node gets. */
function privilegedNames(all: readonly Facts[]): string[] {
  return all.flatMap(({ conf }, at) => {
    if (conf?.state !== 'seen') return [];
    const { values, keys } = conf.value.settings;
    return [
      ...Object.entries(keys).map(([flag, { value }]) => [`variable of ${flag}`, value] as const),
      ...Object.entries(values).map(([flag, { value }]) => [flag, value] as const),
    ].flatMap(([name, value]) =>
      String(value ?? '')
        .split(/[\s,]+/)
        .filter(kaia.modules.isKnownPrivileged)
        .map((module) => `${at}: ${name}: ${module}`),
    );
  });
}

const keyOf = ({ rule, subject }: Finding): string => `${rule} ${subject}`;

/** What of every node may not get worse: things found with their severities, and whether it starts. */
function summary(all: readonly Facts[], key = keyOf) {
  return all.map((facts) => {
    const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : null;
    const severities: Record<string, Finding['severity'][]> = {};
    for (const one of found(facts)) severities[key(one)] = [...(severities[key(one)] ?? []), one.severity];
    return {
      severities,
      startable: settings?.startable === true,
      values: Object.entries(settings?.values ?? {}).map(([flag, { value }]) => [flag, value]),
    };
  });
}

function expectNoWorse(
  before: readonly Facts[],
  after: readonly Facts[],
  what: string,
  key: (one: Finding) => string = keyOf,
): void {
  const named = privilegedNames(before);
  expect(
    privilegedNames(after).filter((one) => !named.includes(one)),
    `${what}: names modules`,
  ).toEqual([]);
  const [was, is] = [summary(before, key), summary(after, key)];
  expect(is.length, what).toBe(was.length);
  for (const [at, node] of is.entries()) {
    const other = was[at];
    expect(node.startable || other?.startable === false, `${what}: it starts no worse`).toBe(true);
    for (const [subject, severities] of Object.entries(node.severities)) {
      const known = (other?.severities[subject] ?? []).toSorted(compareSeverity);
      const worse = severities.toSorted(compareSeverity).some((one, index) => {
        const severity = known[index];
        return severity === undefined || compareSeverity(one, severity) < 0;
      });
      expect(worse, `${what} brings ${subject}`).toBe(false);
    }
  }
}

/** Launchers and packages that a conf may be for, where they are guessed: a random one, or each of them in the long run. */
function whatItMayBe({ conf }: Facts, random: Random): Required<ReadAs>[] {
  if (conf?.state !== 'seen') return [];
  const { launcher, by, package: from, packageBy } = conf.value.settings;
  const all = (by === 'guess' ? launchers : [launcher]).flatMap((one) =>
    (packageBy === 'guess' ? packages : [from]).map((other) => ({ launcher: one, package: other })),
  );
  return isLong ? all : [random.pick(all)];
}

/** Every edit of a file that is shown, applied by itself. */
function eachAlone(nodes: readonly Facts[], name: string, random: Random): number {
  let fixes = 0;
  for (const [at, facts] of nodes.entries()) {
    const file = facts.conf?.state === 'seen' ? editableOf(facts.conf.value) : null;
    const written = file?.text ?? '';
    const known = new Map<string, readonly Facts[]>();
    // Several findings propose the same edit: a text is read and judged once.
    const read = (text: string, as?: Required<ReadAs>) => {
      const key = JSON.stringify([text, as]);
      const all = known.get(key) ?? (file?.read(text, as) ?? []).map(factsOf);
      known.set(key, all);
      return all;
    };
    for (const finding of judged(facts)) {
      const { edits = [], alternatives = [] } = finding;
      for (const way of [
        { ...finding, edits, aim: 'gone' },
        ...alternatives.map((one) => ({ ...one, aim: 'eased' })),
      ]) {
        if (way.edits.length === 0) continue;
        const what = `${name}: ${finding.rule} ${finding.subject}: ${way.fix}`;
        expectWritesNothingPrivileged(written, way.edits, what);
        const text = edited(written, way.edits);
        const after = read(text);
        expectNoWorse(nodes, after, what);
        const left = found(after[at] as Facts).filter(
          (one) => one.rule === finding.rule && one.subject === finding.subject,
        );
        const had = found(facts).filter(
          (one) => one.rule === finding.rule && one.subject === finding.subject,
        );
        const eased =
          way.aim === 'eased' && left.some(({ severity }) => compareSeverity(severity, finding.severity) > 0);
        expect(left.length < had.length || eased, `${what}: the finding is gone`).toBe(true);
        if (way.safety === 'safe')
          expect(summary(after)[at]?.values, what).toEqual(summary(nodes)[at]?.values);
        for (const as of whatItMayBe(facts, random)) {
          const [was, is] = [read(written, as), read(text, as)];
          const whose = `${what}, of ${as.launcher} (${as.package})`;
          expectNoWorse(was, is, whose, ({ rule }) => rule);
          if (way.safety === 'safe') expect(summary(is)[at]?.values, whose).toEqual(summary(was)[at]?.values);
        }
        fixes += 1;
      }
    }
  }
  return fixes;
}

async function allAtOnce(
  nodes: readonly Facts[],
  unsafe: boolean,
  order: (all: Finding[]) => Finding[],
): Promise<FixedFile> {
  const fixed = await fixFile(nodes, editables, {
    unsafe,
    judge: (facts) => propose(facts, {}),
    findings: async (facts, files) => {
      remember(facts.conf?.state === 'seen' ? [facts.conf.value] : [], files);
      return order([...judged(facts)]);
    },
  });
  if (fixed === null) throw new Error('the file cannot be edited');
  return fixed;
}

async function holds(
  nodes: readonly Facts[],
  name: string,
  random: Random,
): Promise<{ fixes: number; fixed: FixedFile }> {
  const fixes = eachAlone(nodes, name, random);
  const safe = await allAtOnce(nodes, false, (all) => all);
  expectNoWorse(nodes, safe.facts, `${name}: all safe fixes`);
  expect(summary(safe.facts).map(({ values }) => values)).toEqual(summary(nodes).map(({ values }) => values));
  const fixed = await allAtOnce(nodes, true, (all) => all);
  expectNoWorse(nodes, fixed.facts, `${name}: all fixes`);
  const shuffled = await allAtOnce(nodes, true, (all) => all.toSorted(() => (random.chance(0.5) ? 1 : -1)));
  expect(shuffled.after, `${name}: in any order`).toBe(fixed.after);
  const again = await allAtOnce(fixed.facts, true, (all) => all);
  expect(again.after, `${name}: twice`).toBe(fixed.after);
  const left = fixed.facts.flatMap((one) => {
    const all = judged(one);
    return all.filter((each) => isApplicable(each, { unsafe: true }, all));
  });
  expect(
    left.map(({ rule }) => rule),
    `${name}: nothing that can be fixed is left`,
  ).toEqual([]);
  return { fixes, fixed };
}

/** `git apply` on the patch gives the text, byte by byte. */
function expectApplies(name: string, { before, after }: FixedFile): void {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-patch-'));
  try {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), before);
    const patch = patchOf(name, before, after);
    const options = {
      cwd: folder,
      input: patch,
      encoding: 'utf8',
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
    } as const;
    const applied =
      patch === ''
        ? { status: 0, stderr: '' }
        : spawnSync('git', ['apply', '--whitespace=nowarn', '-'], options);
    expect({ name, status: applied.status, stderr: applied.stderr }).toEqual({ name, status: 0, stderr: '' });
    expect(readFileSync(join(folder, name), 'utf8')).toBe(after);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const root = new URL('../../../fixtures', import.meta.url).pathname;
const fixtures = [
  'conf',
  'compose',
  'kubernetes',
  'systemd',
  'environment',
  'yaml',
  'dockerfile',
  'script',
  'template',
].flatMap((kind) =>
  ['err', 'ok'].flatMap((folder) =>
    namesIn(join(root, kind, folder)).map((name) => join(root, kind, folder, name)),
  ),
);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []));
  } catch {
    return [];
  }
}

const readFixtures = isLong ? fixtures : everyNth(8, fixtures);
test(`${readFixtures.length} fixtures: each fix alone, all at once, in any order, twice, and as a patch`, async () => {
  let fixes = 0;
  for (const path of readFixtures) {
    const host = { cwd: dirname(path), stdin: Readable.from([]), signal: new AbortController().signal };
    const { nodes } = await loadNodes(basename(path), {}, host);
    const facts = nodes.map(({ conf }) => factsOf(conf));
    const canEdit = facts.every(({ conf }) => conf?.state === 'seen' && editableOf(conf.value) !== undefined);
    if (facts.length === 0 || !canEdit) continue;
    const held = await holds(facts, basename(path), new Random(seed));
    expectApplies(basename(path), held.fixed);
    fixes += held.fixes;
  }
  expect(fixes).toBeGreaterThan(isLong ? 50 : 0);
});

test(`${count} generated confs: each fix alone, all at once, in any order, twice`, {
  timeout: 600_000 + count * 200,
}, async () => {
  let fixes = 0;
  for (let at = 0; at < count; at += 1) {
    const random = new Random(seed * 1_000_003 + at);
    const bytes = generatedConf(random);
    const asked = random.pick<ReadAs>([
      ...(['kend', 'kcnd', 'kscnd'] as const).flatMap((launcher) =>
        packages.map((one) => ({ launcher, package: one })),
      ),
      ...([{ launcher: 'kend' }, {}, { package: 'tar' }, {}, {}, {}] as const),
    ]);
    const conf = readConf('node.conf', bytes, asked);
    if (editableOf(conf) === undefined) continue;
    const what = `seed ${seed}, conf ${at} (${asked.launcher}): ${JSON.stringify(bytes.toString())}`;
    fixes += (await holds([factsOf(conf)], what, random)).fixes;
  }
  expect(fixes).toBeGreaterThan(count);
});

/** As whoever runs it reads the file: what is in a list of words is a text. */
function expectWords(kind: Kind, text: string, what: string): void {
  if (!/\.ya?ml$/.test(kind)) return;
  for (const document of parseAllDocuments(text)) {
    expect(document.errors, what).toEqual([]);
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !/^(?:command|entrypoint|args)$/.test(String(key.value)) || !isSeq(value))
          return;
        for (const one of value.items) expect(isScalar(one) && typeof one.value, what).toBe('string');
      },
    });
  }
}

const files = Math.max(count, kindsOfFile.length);
test(`${files} generated files of other kinds: each fix alone, all at once, in any order, twice`, {
  timeout: 600_000 + files * 400,
}, async () => {
  const fixes: Partial<Record<Kind, number>> = {};
  for (let at = 0; at < files; at += 1) {
    const random = new Random(seed * 1_000_003 + at);
    const kind = kindsOfFile[at % kindsOfFile.length] as Kind;
    const text = generatedFile(kind, random);
    const host = {
      cwd: '/',
      stdin: Readable.from([Buffer.from(text)]),
      signal: new AbortController().signal,
    };
    const load =
      kind === 'command line'
        ? loadCommandLine(text, {}, host)
        : loadNodes('-', { stdinFilename: kind }, host);
    const what = `seed ${seed}, file ${at} (${kind}): ${JSON.stringify(text)}`;
    const loaded = await load.catch((error: unknown) => {
      throw new Error(what, { cause: error });
    });
    if (loaded.nodes.length === 0) continue;
    const held = await holds(
      loaded.nodes.map(({ conf }) => factsOf(conf)),
      what,
      random,
    );
    expectWords(kind, held.fixed.after, what);
    fixes[kind] = (fixes[kind] ?? 0) + held.fixes;
  }
  if (count >= 25) expect(Object.keys(fixes).filter((kind) => (fixes[kind as Kind] ?? 0) === 0)).toEqual([]);
});
