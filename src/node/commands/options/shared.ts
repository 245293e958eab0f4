/** Options that several node verbs have: how a conf is read, how a node is reached, and what the report holds. */

import { type Command, Option, type OptionValues } from 'commander';
import { headings, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { severities } from '../../facts/severity.js';
import { launchers, packages } from '../../kinds/names.js';
import { formats } from '../../report/index.js';

/** Adds --launcher, --package, --node-version, --env and --stdin-filename. */
export function confOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.input)
    .addOption(
      new Option('--launcher <name>', 'launcher that reads the conf (default: inferred)').choices(launchers),
    )
    .addOption(
      new Option('--package <name>', 'package the launcher comes from (default: inferred)').choices(packages),
    )
    .option('--node-version <version>', 'release of the node, such as v1.12.1 (default: inferred)')
    .addOption(repeatable('--env <name=value>', 'set a variable of the launcher’s environment (repeatable)'))
    .option('--stdin-filename <name>', 'file name of the conf on stdin (-)')
    .option('--base <conf>', 'conf that appended lines extend (default: the packaged conf)')
    .option('--service <name>', 'select one node of a file that starts several')
    .option('--follow-outside', 'also read files outside the folder of the file that names them');
}

export type ConfOptions = Declared<typeof confOptions<[], NoOptions>>;

/** Adds --timeout, --header and --insecure. */
export function connection<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.asking)
    .option('--timeout <time>', 'time limit for one node, all its interfaces together', '5s')
    .addOption(repeatable('--header <line>', 'send an HTTP header, “Name: value” (repeatable)'))
    .option('--insecure', 'accept certificates that cannot be verified', false);
}

export type ConnectionOptions = Declared<typeof connection<[], NoOptions>>;

/** Adds the options of every verb that ends in a report. */
export function reporting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return outputs(counting(command))
    .optionsGroup(headings.gates)
    .option('--write-baseline <file>', 'accept the current findings: write them to this file')
    .option('--exit-zero', 'exit with 0 despite findings or unseen facts', false)
    .option('--allow-blind', 'exit with 0 if facts could not be seen', false);
}

/** Adds --format and --report. The choices serve help and completion: the command checks the name and suggests the nearest. */
export function outputs<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  const formatOption = new Option('--format <name>', 'output format on stdout').default('text');
  formatOption.argChoices = Object.keys(formats);
  return command
    .optionsGroup(headings.output)
    .addOption(formatOption)
    .addOption(repeatable('--report <format=file>', 'also write the report to a file (repeatable)'));
}

/** Adds policy, baseline, and which findings count. */
export function counting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return selection(command.optionsGroup(headings.gates).addOption(failOn()));
}

/** Adds policy, baseline, and which findings are shown. */
export function selection<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.gates)
    .addOption(new Option('--min-severity <severity>', 'hide findings below this').choices(severities))
    .addOption(repeatable('--only <rules>', 'run only these rules, comma-separated (repeatable)'))
    .addOption(repeatable('--ignore <rules>', 'skip these rules, comma-separated (repeatable)'))
    .addOption(repeatable('--severity <rule=severity>', 'override the severity of a rule (repeatable)'))
    .addOption(
      repeatable('--acknowledge <rule(subject)>', 'accept an open question of the files (repeatable)'),
    )
    .option('--policy <name>', 'limit what nodes may offer: a built-in policy or a file')
    .option('--baseline <file>', 'suppress the findings that this file lists')
    .option('--only-new', 'hide the findings of the baseline, except critical ones', false);
}

export function failOn() {
  return new Option('--fail-on <severity>', 'fail for findings at or above this (exit code 1)')
    .choices([...severities, 'none'])
    .default('high')
    .helpGroup(headings.gates);
}

export type ReportingOptions = Declared<typeof reporting<[], NoOptions>>;
export type OutputOptions = Declared<typeof outputs<[], NoOptions>>;
export type CountingOptions = Declared<typeof counting<[], NoOptions>>;
