/**
 * Lints every checkout in a folder, with this build and perhaps an earlier one, and prints what differs by rule, subject and
 * place: npm run test:projects -- FOLDER [BEFORE]. With `--fetch FOLDER` it first gets the projects of test/projects.tsv.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const minutes = 10;

/** The pinned projects: name, commit, chain and kinds of files, separated by tabs. Other lines are an error. */
export function readProjects(text) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [name = '', commit = '', chain = '', shape = ''] = line.split('\t');
    if (!/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(name) || !/^[0-9a-f]{40}$/.test(commit))
      throw new Error(`not a pinned project: ${line}`);
    return { name, commit, chain, shape };
  });
}

/** Gets each project at its commit, without history, and skips those that are there. */
function fetchProjects(folder) {
  for (const { name, commit } of readProjects(readFileSync(join(root, 'test/projects.tsv'), 'utf8'))) {
    const place = join(folder, name.replace('/', '+'));
    if (existsSync(place)) continue;
    const git = (...words) =>
      execFileSync('git', ['-C', place, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync(place, { recursive: true });
    try {
      git('init', '-q');
      git('fetch', '-q', '--depth', '1', `https://github.com/${name}.git`, commit);
      git('-c', 'advice.detachedHead=false', 'checkout', '-q', 'FETCH_HEAD');
    } catch {
      rmSync(place, { recursive: true, force: true });
      process.stderr.write(`could not get ${name}\n`);
    }
  }
}

/** Prints the processor time of a command line of kaiactl after its own messages. */
const script = `const { main, nodeHost } = require(process.argv[1]);
main({ ...nodeHost(), argv: process.argv.slice(2) }).then((code) => {
  process.exitCode = code;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write('\\nused ' + (userCPUTime + systemCPUTime));
});`;

/** What a build says of a checkout: rows of findings and open questions, seconds of the processor, lines of text. */
function lint(build, checkout) {
  const out = mkdtempSync(join(tmpdir(), 'kaiactl-projects-'));
  try {
    const text = join(out, 'text');
    const words = ['node', 'lint', '.', '--format', 'json', '--report', `text=${text}`, '--quiet'];
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['-e', script, join(build, 'dist/main.cjs'), ...words],
      { cwd: checkout, encoding: 'utf8', maxBuffer: 1 << 30, timeout: minutes * 60_000 },
    );
    const seconds = Number(/used (\d+)$/.exec(stderr)?.[1] ?? Number.NaN) / 1e6;
    // A folder without a node ends with 2 and has no report.
    const rows = stdout === '' ? [] : rowsOf(JSON.parse(stdout));
    const lines = existsSync(text) ? readFileSync(text, 'utf8').split('\n').length - 1 : 0;
    return { rows: [`exit ${status}`, ...rows], seconds, lines };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** One row a finding or open question of a report, sorted. */
export function rowsOf({ targets }) {
  const place = (at) => (at === undefined || at === null ? '-' : `${at.file}:${at.line}`);
  return targets
    .flatMap(({ findings, undetermined }) => [
      ...findings.map(({ severity, rule, subject, at }) => `${severity} ${rule} ${subject} ${place(at)}`),
      ...undetermined.map(({ rule, subject = '-', at }) => `undetermined ${rule} ${subject} ${place(at)}`),
    ])
    .toSorted();
}

/** The rows of one list that the other lacks, as often as they are missing. */
export function missingIn(other, rows) {
  const left = new Map();
  for (const row of other) left.set(row, (left.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}

/** Prints a line a checkout, with the rows that differ below it. The exit code is 1 if any differs. */
function compare(folder, before) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  const total = { changed: 0, seconds: [0, 0], lines: [0, 0] };
  for (const { name } of names) {
    const checkout = join(folder, name);
    const runs = [...(before === undefined ? [] : [before]), root].map((build) => lint(build, checkout));
    const [old, now = old] = runs;
    const rows = [
      ...missingIn(now.rows, old.rows).map((row) => `- ${row}`),
      ...missingIn(old.rows, now.rows).map((row) => `+ ${row}`),
    ];
    total.changed += rows.length > 0 ? 1 : 0;
    runs.forEach(({ seconds, lines }, at) => {
      total.seconds[at] += seconds;
      total.lines[at] += lines;
    });
    const numbers = `${now.rows.length - 1} rows, ${runs.map(numbersOf).join(' → ')}`;
    if (before === undefined || rows.length > 0)
      process.stdout.write(`${name}: ${numbers}\n${rows.map((row) => `  ${row}\n`).join('')}`);
  }
  const sums = (before === undefined ? [0] : [0, 1]).map((at) =>
    numbersOf({ seconds: total.seconds[at], lines: total.lines[at] }),
  );
  const changed = before === undefined ? '' : `, ${total.changed} differ`;
  process.stdout.write(`${names.length} projects${changed}: ${sums.join(' → ')}\n`);
  process.exitCode = total.changed > 0 ? 1 : 0;
}

function numbersOf({ seconds, lines }) {
  return `${seconds.toFixed(2)} s, ${lines} lines`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const words = process.argv.slice(2);
  const isFetching = words[0] === '--fetch';
  const [folder, before] = isFetching ? words.slice(1) : words;
  if (folder === undefined) {
    process.stderr.write('usage: npm run test:projects -- [--fetch] FOLDER [BEFORE]\n');
    process.exitCode = 2;
  } else {
    if (isFetching) fetchProjects(resolve(folder));
    compare(resolve(folder), before === undefined ? undefined : resolve(before));
  }
}
