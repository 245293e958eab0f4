/** Options of every verb that ends in a report. */
import { type Command, Option, type OptionValues } from 'commander';
import { severities } from '../node/facts/severity.js';
import { formats } from '../node/report/index.js';
import { repeatable } from './options.js';

/** Adds --format, --report, --fail-on, --exit-zero and --allow-blind. */
export function reporting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return outputs(command)
    .addOption(failOn())
    .option('--exit-zero', 'report only: findings and blind spots do not set the exit code', false)
    .option('--allow-blind', 'what could not be seen does not set the exit code', false);
}

/** Adds --format and --report. */
export function outputs<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(reportFormat())
    .addOption(repeatable('--report <format=file>', 'also write the report to a file (repeatable)'));
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
