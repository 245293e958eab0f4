/** Options that several node verbs have: how a conf is read, how a node is reached, and what the report holds. */

import { type Command, Option, type OptionValues } from 'commander';
import { repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { severities } from '../../facts/severity.js';
import { launchers, packages } from '../../kinds/index.js';
import { formats } from '../../report/index.js';

/** Adds --launcher, --package, --env and --stdin-filename. */
export function confOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(
      new Option('--launcher <name>', 'the script that reads the conf; default: inferred').choices(launchers),
    )
    .addOption(
      new Option('--package <name>', 'which package the script is of; default: inferred').choices(packages),
    )
    .addOption(repeatable('--env <name=value>', 'a variable the launcher is started with (repeatable)'))
    .option('--stdin-filename <name>', 'the name of the conf read from stdin (-)')
    .option('--base <conf>', 'the conf that appended lines go behind; default: the packaged one')
    .option('--service <name>', 'which node, where a file starts several')
    .option('--follow-outside', 'read files that a file names outside its folder too');
}

export type ConfOptions = Declared<typeof confOptions<[], NoOptions>>;

/** Adds --timeout, --header and --insecure. */
export function connection<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--timeout <time>', 'how long one node may take, all its interfaces together', '5s')
    .addOption(repeatable('--header <line>', 'an HTTP header to send, “Name: value” (repeatable)'))
    .option('--insecure', 'accept certificates that cannot be verified', false);
}

export type ConnectionOptions = Declared<typeof connection<[], NoOptions>>;

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
