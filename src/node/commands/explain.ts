/** `kaiactl node explain [rule]`: a rule with its examples, or the table of rules. */
import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { wantsColor, widthOf } from '../../terminal/capabilities.js';
import { fold, wrap } from '../../terminal/wrap.js';
import { severities } from '../facts/severity.js';
import type { LedgerRule } from '../facts/sign.js';
import type { Example, Rule } from '../judge/rule/rule.js';
import { isLedgerRule } from '../judge/suppress/open-signs.js';
import { kinds } from '../kinds/index.js';
import { anyRelease, periodName, rangeName } from '../kinds/release.js';
import { judgeTarget } from '../pipeline.js';
import { targetText } from '../report/text.js';
import { colours, type Paint, plain } from '../report/text-paint.js';
import { rules } from '../rules/index.js';
import type { VerbOptions } from './options/verbs.js';
import { exampleText, readExample } from './rule-example.js';
import { openQuestions, ruleNamed } from './rule-named.js';

export type Options = VerbOptions<'explain'> & { readonly rule: string | undefined };

/**
 * Prints the table of rules, or one rule.
 * @throws {KaiactlError} when there is no such rule (exit 2)
 */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const { rule: name } = options;
  const question = name !== undefined && isLedgerRule(name) ? { id: name, ...openQuestions[name] } : null;
  const rule = name === undefined || question !== null ? null : ruleNamed(name);
  const width = Math.min(widthOf(host.stdout, host), 160);
  const write = async (): Promise<string> => {
    if (options.format === 'json') {
      const shown = question ?? (rule === null ? rules.map(documentOf) : documentOf(rule));
      return `${JSON.stringify(shown, null, 2)}\n`;
    }
    if (question !== null) return questionPage(question, width);
    const paint = wantsColor(options, host, host.stdout) ? await colours() : plain;
    return rule === null ? table(paint, width) : await page(rule, paint, width);
  };
  await print(host.stdout, await write());
  return exit.ok;
}

function documentOf({ id, aliases = [], severity, names = [], on, examples, ...rule }: Rule) {
  const { title, why, fix, ignore, sources } = rule;
  const texts = { title, why, fix, ignore, sources };
  return { id, aliases, severity, ...texts, releases: releasesByName(names), on, examples };
}

type Question = (typeof openQuestions)[LedgerRule] & { readonly id: LedgerRule };

function questionPage({ id, title, why, fix, sources: from }: Question, width: number): string {
  const head = `${id} · undetermined\n${wrap(title, width, 0, 0)}`;
  return `${[head, field('why', why, width), field('fix', fix, width), sources(from)].join('\n\n')}\n`;
}

/** Addresses are not wrapped, so that they can be opened. */
function sources(all: readonly string[]): string {
  return ['sources', ...all.map((one) => `  ${one}`)].join('\n');
}

function field(name: string, text: string, width: number): string {
  return name.padEnd(9) + wrap(text, width, 9, 9).trimStart();
}

/** Narrower terminals get each title on its own line. */
const narrow = 60;

function table(paint: Paint, width: number): string {
  const bySeverity = [...rules].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  const rows = bySeverity.map(({ id, severity, title }) => {
    const label = paint(severity, severity) + ' '.repeat(10 - severity.length);
    if (width < narrow) return `${label}${id}\n${wrap(title, width, 2, 2)}`;
    return label + id.padEnd(24) + wrap(title, width, 34, 34).trimStart();
  });
  const note = 'Severities are those of an interface that any address reaches. A narrower reach lowers them.';
  const notes = [note, unseenKinds()].filter((one) => one !== '').map((one) => wrap(one, width, 0, 0));
  return `${rows.join('\n')}\n\n${notes.join('\n')}\nkaiactl node explain <rule>\n`;
}

/** A sentence on the kinds of node whose facts are read from their source; empty if there are none. */
export function unseenKinds(): string {
  const labels = kinds.flatMap(({ seenRunning, label }) => (seenRunning ? [] : [label]));
  return labels.length === 0 ? '' : `Read from the source, not seen running: ${labels.join(', ')}.`;
}

async function page(rule: Rule, paint: Paint, width: number): Promise<string> {
  const parts = [
    `${rule.id} · at most ${paint(rule.severity, rule.severity)}\n${wrap(rule.title, width, 0, 0)}`,
    field('why', rule.why, width),
    field('fix', rule.fix, width),
    field('ignore', rule.ignore, width),
    ...releasesByName(rule.names ?? []).map((text) => field('release', text, width)),
    ...(await example('bad', rule.examples.bad, paint, width)),
    ...(await example('good', rule.examples.good, paint, width)),
    fold(
      `suppress # kaiactl-ignore ${rule.id}${rule.perModule === true ? '(<module>)' : ''} reason="…"    (on the line or the line above)`,
      width,
      9,
    ),
  ];
  parts.push(sources(rule.sources));
  if (rule.aliases !== undefined) parts.push(field('also', rule.aliases.join(', '), width));
  return `${parts.join('\n\n')}\n`;
}

/** The example; below the bad one, the output of lint. */
async function example(name: 'bad' | 'good', shown: Example, paint: Paint, width: number): Promise<string[]> {
  const text = exampleText(shown);
  const body = text
    .trimEnd()
    .split('\n')
    .map((line, at) => `${at === 0 ? name.padEnd(9) : ' '.repeat(9)}${line}`);
  const block = body.join('\n');
  if (name === 'good') return [block];
  const { facts, editables } = readExample(shown);
  const target = judgeTarget(facts, { failOn: 'high', kinds, editables });
  const options = { columns: width, verbose: false, kinds };
  return [block, await targetText(target, options, paint, { rules: [], failOn: 'info' })];
}

/** The releases of each kind of node whose flags, modules and variables are known, as `kaiactl --version -v` prints them. */
export function knownReleases(): string {
  return kinds.map((kind) => `${kind.label}: ${rangeName(anyRelease(kind))}`).join('\n');
}

/** The releases that have each of these flags and variables: `--conf from klaytn v1.9.1`. */
export function releasesByName(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    kinds.flatMap(({ flags, launchers }) => {
      const period = name.startsWith('--') ? flags.period(name.slice(2)) : (launchers?.period(name) ?? null);
      return period === null ? [] : [`${name} ${periodName(period)}`];
    }),
  );
}
