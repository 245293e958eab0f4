/**
 * Compares the reports of this checkout with those of another one: byte by byte, or without their prose where a change may
 * rewrite messages. `npm run test:identical -- CHECKOUT [settings] [but-words]`; build both checkouts first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { generatedFile, kindsOfFile } from '../node/fix/generated.js';
import { generatedConf } from '../node/fix/generated-conf.js';
import { inWorlds } from '../node/fix/generated-worlds.js';
import { Random } from '../node/sources/random.js';
import { seed } from '../seed.js';

const other = process.env.KAIACTL_TEST_CHECKOUT;
const count = Number(process.env.KAIACTL_TEST_SETTINGS ?? 20_000);
/** Compares rules, severities, places, settings, edits, patches and exit codes, but no text that people read. */
const butWords = process.env.KAIACTL_TEST_BUT_WORDS === 'but-words';
const formats = butWords ? (['json', 'patch'] as const) : (['json', 'csv', 'sarif'] as const);
type Format = (typeof formats)[number];
/** One run's output stays small enough to look through. */
const atOnce = 1_000;

/** Every second one a conf, the others of each kind in turn; half of them with what makes one file several nodes. */
function write(folder: string, at: number): void {
  const random = new Random(seed * 1_000_003 + at);
  const kind = kindsOfFile[(at >> 1) % kindsOfFile.length];
  const place = join(folder, String(at));
  mkdirSync(place);
  const isConf = kind === undefined || at % 2 === 0;
  const name = isConf ? `${random.pick(['kend', 'kcnd', 'kscnd'])}.conf` : kind;
  const text = isConf ? generatedConf(random) : generatedFile(kind, random);
  writeFileSync(join(place, name), random.chance(0.5) ? inWorlds(random, text, isConf) : text);
}

/** A run's output and exit code. */
function run(
  checkout: string,
  folder: string,
  format: Format,
): { readonly text: string; readonly code: number | null } {
  const options = format === 'patch' ? ['--diff', '--unsafe-fixes'] : ['--format', format];
  const words = [join(checkout, 'bin/kaiactl.js'), 'node', 'lint', '.', ...options, '--quiet'];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  expect(stderr + status, `${format} of ${checkout}`).toMatch(/[0123]$/);
  return { text: stdout, code: status };
}

/** Text that people read, and times. */
const prose = new Set(['title', 'message', 'fix', 'note', 'reason', 'why', 'startedAt', 'finishedAt']);

/** Each target of a JSON report without its prose, then the rest of the report. */
function facts(text: string): unknown[] {
  const { targets, ...rest } = JSON.parse(text, (key, value) => (prose.has(key) ? undefined : value));
  return [...targets, rest];
}

/** A report's lines, without when it was made. */
function lines(text: string): string[] {
  return text.replace(/"(?:startedAt|finishedAt|startTimeUtc|endTimeUtc)": *"[^"]*"/g, '').split('\n');
}

test.skipIf(other === undefined)(
  `${count} settings: the reports are those of ${other}`,
  // Each report is made six times, beside whatever else the machine does.
  { timeout: 60_000 + count * 10_000 },
  () => {
    const hashes = new Map(formats.map((format) => [format, createHash('sha256')]));
    const differences: { readonly where: string; readonly before: unknown; readonly after: unknown }[] = [];
    for (let from = 0; from < count; from += atOnce) {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-identical-'));
      try {
        for (let at = from; at < Math.min(count, from + atOnce); at += 1) write(folder, at);
        for (const format of formats) {
          const piecesOf = (checkout: string): unknown[] => {
            const { text, code } = run(checkout, folder, format);
            return [...(butWords && format === 'json' ? facts(text) : lines(text)), { code }];
          };
          const [before, after] = [piecesOf(resolve(other ?? '')), piecesOf(resolve('.'))];
          for (const index of Array(Math.max(before.length, after.length)).keys()) {
            if (isDeepStrictEqual(before[index], after[index])) continue;
            const where = `${format}, files from ${from}, piece ${index + 1}`;
            differences.push({ where, before: before[index], after: after[index] });
            if (!butWords || format === 'patch') break;
          }
          hashes.get(format)?.update(JSON.stringify(after));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    for (const [format, hash] of hashes) process.stderr.write(`${format} sha256 ${hash.digest('hex')}\n`);
    for (const { where, before, after } of differences.slice(0, 10))
      expect.soft(after, where).toEqual(before);
    expect(differences.map(({ where }) => where)).toEqual([]);
  },
);

test('at least a third of the files have conditions, mixed line ends, words from elsewhere or placeholders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-identical-'));
  try {
    const texts = Array.from({ length: 600 }, (_, at) => {
      write(folder, at);
      const place = join(folder, String(at));
      return readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'))[0] ?? '';
    });
    const signs = [/^if /m, /\r\n[\s\S]*[^\r]\n/, /\$OPTS/, /\{\{|\$\{NODE_VALUE/];
    const having = texts.filter((text) => signs.some((sign) => sign.test(text)));
    expect(having.length).toBeGreaterThanOrEqual(200);
    for (const sign of signs) expect(texts.filter((text) => sign.test(text)).length).toBeGreaterThan(20);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a report without messages keeps its facts', () => {
  const target = {
    name: 'kend.conf',
    findings: [{ rule: 'public-bind', message: 'a', edits: [{ line: 3, text: 'b' }] }],
  };
  const report = (change: object) =>
    JSON.stringify({ targets: [{ ...target, ...change }], exitCode: 1, startedAt: 'now' });
  const [finding] = target.findings;
  const changed = (change: object) => facts(report({ findings: [{ ...finding, ...change }] }));
  expect(changed({ message: 'other', fix: 'other' })).toEqual(facts(report({})));
  for (const change of [{ rule: 'other' }, { severity: 'low' }, { edits: [{ line: 3, text: 'other' }] }])
    expect(changed(change)).not.toEqual(facts(report({})));
});
