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
  const { rule } = options;
  if (rule !== undefined && isLedgerRule(rule)) {
    const asJson = () => JSON.stringify({ id: rule, ...openQuestions[rule] }, null, 2);
    const shown = options.format === 'json' ? asJson() : questionPage(rule, host);
    await print(host.stdout, `${shown}\n`);
    return exit.ok;
  }
  const chosen = options.rule === undefined ? rules : [ruleNamed(options.rule)];
  if (options.format === 'json') {
    const shown = chosen.map(
      ({ id, aliases = [], severity, title, why, fix, ignore, sources, names = [], on, examples }) => {
        const texts = { title, why, fix, ignore, sources };
        return { id, aliases, severity, ...texts, releases: releasesByName(names), on, examples };
      },
    );
    await print(host.stdout, `${JSON.stringify(options.rule === undefined ? shown : shown[0], null, 2)}\n`);
    return exit.ok;
  }
  const paint = wantsColor(options, host, host.stdout) ? await colours() : plain;
  const width = Math.min(widthOf(host.stdout, host), 160);
  const [only] = chosen;
  await print(
    host.stdout,
    options.rule === undefined || only === undefined ? table(paint, width) : await page(only, paint, width),
  );
  return exit.ok;
}

function questionPage(id: LedgerRule, host: Host): string {
  const width = Math.min(widthOf(host.stdout, host), 160);
  const { title, why, fix, sources: from } = openQuestions[id];
  return [
    `${id} · undetermined\n${wrap(title, width, 0, 0)}`,
    field('why', why, width),
    field('fix', fix, width),
    sources(from),
  ].join('\n\n');
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
