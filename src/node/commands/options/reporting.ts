/** Options of every verb that ends in a report. */
import { type Command, Option, type OptionValues } from 'commander';
import { repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { severities } from '../../facts/severity.js';
import { formats } from '../../report/index.js';

/** Adds --format, --report, what counts (severities, rules, baseline), --exit-zero and --allow-blind. */
export function reporting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return counting(outputs(command))
    .option('--write-baseline <file>', 'accept what is found now: write it to this file')
    .option('--exit-zero', 'report only: findings and blind spots do not set the exit code', false)
    .option('--allow-blind', 'what could not be seen does not set the exit code', false);
}

/** Adds --format and --report. */
export function outputs<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(reportFormat())
    .addOption(repeatable('--report <format=file>', 'also write the report to a file (repeatable)'));
}

/** Adds what findings are held against, and which of them count. */
export function counting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return gates(command)
    .option('--policy <name>', 'what nodes may offer at most: a built-in policy or a file')
    .option('--baseline <file>', 'findings that were accepted before: they count as suppressed')
    .option('--only-new', 'leave out what the baseline holds, but for critical findings', false);
}

/** What counts and how much; each also in a kaiactl.ini, so none has a default here. */
function gates<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(
      new Option('--fail-on <severity>', 'findings at or above this end with 1 (default: "high")').choices([
        ...severities,
        'none',
      ]),
    )
    .addOption(
      new Option('--min-severity <severity>', 'findings below this are not reported').choices(severities),
    )
    .addOption(repeatable('--only <rules>', 'ask these rules only, with commas between (repeatable)'))
    .addOption(repeatable('--ignore <rules>', 'do not ask these rules (repeatable)'))
    .addOption(
      repeatable('--severity <rule=severity>', 'count the findings of a rule as this severe (repeatable)'),
    );
}

/** --fail-on, high unless said otherwise. */
export function failOn() {
  return new Option('--fail-on <severity>', 'findings at or above this end with 1')
    .choices([...severities, 'none'])
    .default('high');
}

/** --format among the report's; the command itself says what is wrong with a name, and which one is near. */
function reportFormat() {
  const option = new Option('--format <name>', 'what stdout carries').default('text');
  option.argChoices = Object.keys(formats);
  return option;
}

export type ReportingOptions = Declared<typeof reporting<[], NoOptions>>;
export type OutputOptions = Declared<typeof outputs<[], NoOptions>>;
export type CountingOptions = Declared<typeof counting<[], NoOptions>>;
