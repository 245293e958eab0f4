/** `kaiactl node init`: writes the settings of a checkout, its baseline, and the job of its CI service. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ExitCode, exit, explainAll, KaiactlError, writeFailure } from '../../errors.js';
import { type Host, packageFile, print } from '../../host.js';
import { confirm } from '../../terminal/confirm.js';
import { progress } from '../../terminal/progress.js';
import { count } from '../../util/words.js';
import { type TargetReport, type Undetermined, unansweredQuestions } from '../facts/report.js';
import { isLedgerRule } from '../judge/suppress/open-signs.js';
import { kinds } from '../kinds/index.js';
import { checkoutOf } from '../sources/checkout.js';
import { candidates } from './gather-confs.js';
import { type Judging, judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { readPaths } from './read-paths.js';

type Service = NonNullable<VerbOptions<'init'>['ci']>;
type Job = Exclude<Service, 'none'>;

/** The file of a service, its section in docs/ci.md, and what lets a run end with 0 where a check is undetermined. */
const services: Readonly<Record<Job, readonly [file: string, string, blind: string]>> = {
  github: ['.github/workflows/kaiactl.yml', 'GitHub Actions', "env:\n  KAIACTL_ALLOW_BLIND: 'true'"],
  gitlab: ['.gitlab-ci.yml', 'GitLab', "  variables:\n    KAIACTL_ALLOW_BLIND: 'true'"],
  'pre-commit': ['.pre-commit-config.yaml', 'pre-commit', '        args: [--allow-blind]'],
};

const [settings, baseline] = ['kaiactl.ini', 'kaiactl-baseline.json'];

/** `added` is shown; `text` is the whole file. */
type Part = Readonly<Record<'file' | 'added' | 'text', string>>;

/**
 * Shows what is written, asks, and writes it. A file that exists gets what it lacks, or stays.
 * @throws {KaiactlError} where no file holds a node's settings, or a file cannot be read or written (exit 2)
 */
export async function run(options: VerbOptions<'init'>, { cwd, ...rest }: Host): Promise<ExitCode> {
  const host = { ...rest, cwd: checkoutOf(cwd) ?? cwd };
  const say = (note: string) => sayTo(host, options.quiet, note);
  const isNew = options.baseline && readIfPresent(baseline, host) === null;
  const gates = { onlyNew: false, quiet: true, ...(isNew && { writeBaseline: baseline }) };
  const judging = await judgingOf(gates, host);
  const { targets, names, failures } = await judgeCheckout(judging, options, host);
  if (failures.length > 0) await print(host.stderr, `${explainAll(failures, options.verbose).join('\n')}\n`);
  if (targets.length === 0)
    throw new KaiactlError('no file of this checkout holds a node’s settings', {
      hint: 'Run it where files start or set up a node: a conf, a compose file, a unit.',
    });
  const service = options.ci ?? serviceOf(host);
  const open = options.baseline ? targets.flatMap(unansweredQuestions) : [];
  const accepts = `accepts ${count(targets.flatMap((one) => one.findings).length, 'finding')}\n`;
  const named = readIfPresent(settings, host) === null ? open.filter(isNamed) : [];
  const unseen = open.length - named.length;
  const job = service === 'none' ? [] : jobOf(service, unseen, names, host);
  const parts = [
    ...settingsOf(named, options, host),
    ...job,
    ...(isNew ? [{ file: baseline, added: accepts, text: '' }] : []),
  ];
  for (const { file, added } of parts)
    await print(host.stdout, `${file}\n${added.replace(/^(?=.)/gm, '  ')}\n`);
  const effect = `This writes ${parts.map(({ file }) => file).join(', ')}.`;
  const question = { effect, unasked: 'init asks before it writes', otherwise: 'Nothing was written.' };
  if (parts.length === 0) await say('everything is there: nothing to write');
  else await confirm(question, options.yes, host);
  for (const part of parts) {
    if (part.file === baseline) await judging.end(false);
    else await writePart(part, host);
  }
  const left = targets.filter(({ verdict }) => verdict === 'fail' || verdict === 'undetermined').length;
  if (left > 0 && !options.baseline)
    await say(`lint does not end with 0 for ${count(left, 'node')}: apply the fixes, or add --baseline`);
  const needs = job.length > 0 ? 'lint needs --allow-blind, which the job has' : 'lint needs --allow-blind';
  if (unseen > 0) await say(`${count(unseen, 'check')} cannot be made from these files alone: ${needs}`);
  if (service === 'none') await say('the checkout shows no CI service: name one with --ci');
  const holes = parts.flatMap(({ added }) => added.match(/\bOWNER\b|\bCOMMIT\b|registry\.example/g) ?? []);
  if (holes.length > 0) await say(`replace ${[...new Set(holes)].join(', ')} in the job`);
  return exit.ok;
}

/** Judges every node of the checkout: the reports, the names of the files that start one, and why others were not read. */
async function judgeCheckout(judging: Judging, { quiet, verbose }: VerbOptions<'init'>, host: Host) {
  const how = { kinds, env: {}, quiet, verbose };
  const failures: KaiactlError[] = [];
  const [targets, names]: [TargetReport[], Set<string>] = [[], new Set()];
  const search = await candidates(['.'], how, host);
  const shown = progress(search.paths.length, 'files', host, quiet);
  for await (const one of readPaths(search, how, host, shown)) {
    failures.push(...one.problems);
    for (const note of [...one.asides, ...one.notes]) {
      shown.hide();
      await sayTo(host, quiet, note);
    }
    if (one.path !== null && one.targets.length > 0) names.add(basename(one.path));
    for (const facts of one.targets) targets.push(await judging.judge(facts, { edits: 'none' }));
  }
  shown.end();
  return { targets, names, failures };
}

async function sayTo(host: Host, quiet: boolean, note: string): Promise<void> {
  if (!quiet) await print(host.stderr, `kaiactl: ${note}\n`);
}

/** @throws {KaiactlError} when the file cannot be written (exit 2) */
async function writePart({ file, text }: Part, { cwd }: Host): Promise<void> {
  try {
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), text);
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/** Returns the text of a file of the checkout; null if there is none. */
function readIfPresent(file: string, { cwd }: Host): string | null {
  return existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), 'utf8') : null;
}

/** By the files of the checkout, then by the address that git pushes to. */
function serviceOf(host: Host): Service {
  const url = /^\s*url\s*=.*?(github|gitlab)/m.exec(readIfPresent('.git/config', host) ?? '')?.[1];
  if (existsSync(join(host.cwd, '.github')) || url === 'github') return 'github';
  if (readIfPresent('.gitlab-ci.yml', host) !== null || url === 'gitlab') return 'gitlab';
  return readIfPresent('.pre-commit-config.yaml', host) === null ? 'none' : 'pre-commit';
}

/** Whether kaiactl.ini can acknowledge it. */
function isNamed({ rule, subject = '' }: Undetermined): boolean {
  return isLedgerRule(rule) && /^[\w@+:./-]+$/.test(subject);
}

function settingsOf(
  named: readonly Undetermined[],
  { baseline: accepts }: VerbOptions<'init'>,
  host: Host,
): Part[] {
  const old = readIfPresent(settings, host);
  const added = `baseline = ${baseline}\n`;
  if (old !== null)
    return accepts && !/^\s*baseline\s*=/m.test(old)
      ? [{ file: settings, added, text: `${old.trimEnd()}\n${added}` }]
      : [];
  const lines = new Set(named.map(({ rule, subject }) => `acknowledge[] = ${rule}(${subject})\n`));
  const text = `# Which findings count for the files below this folder. What applies: kaiactl config show node lint FILE
[node]
# The lowest severity that fails: critical, high, medium, low, info or none.
fail-on = high
# Findings that are accepted; new ones fail. To accept others: kaiactl node lint . --write-baseline ${baseline}
${accepts ? '' : '# '}${added}# Starts, clients and relays that are not read, and are accepted.
${[...lines].join('') || '# acknowledge[] = unjudged-node(lighthouse)\n'}# Files and folders to skip.
# exclude = examples/
`;
  return [{ file: settings, added: text, text }];
}

/** The job of docs/ci.md for the whole checkout; none where its file has one, or cannot take it. */
function jobOf(service: Job, unseen: number, names: Set<string>, host: Host): Part[] {
  const [file, section, blind] = services[service];
  const page = readFileSync(packageFile('docs/ci.md'), 'utf8').split(`\n## ${section}\n`)[1] ?? '';
  const files = [...names].filter((name) => /^[\w.-]+$/.test(name)).join('|');
  const job = [
    (/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '').replace(/(?<=[ :])deploy$/m, '.'),
    service === 'pre-commit' ? `        files: (^|/)(${files.replaceAll('.', '\\.')})$\n` : '',
    unseen === 0 ? '' : `# ${count(unseen, 'check')} cannot be made from these files alone.\n${blind}\n`,
  ].join('');
  const old = readIfPresent(file, host);
  if (old === null) return [{ file, added: job, text: job }];
  if (old.includes('kaiactl')) return [];
  if (service === 'gitlab') return [{ file, added: job, text: `${old.trimEnd()}\n\n${job}` }];
  const [head, indent = ''] = /^repos:.*\n(?:\s*#.*\n)*( *)(?=- )/m.exec(old) ?? [];
  const added = job.replace(/^[\s\S]*?repos:\n/, '').replace(/^ {2}/gm, indent);
  const text = old.replace(/^repos:.*\n/m, (line) => line + added);
  return head === undefined ? [] : [{ file, added, text }];
}
