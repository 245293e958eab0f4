/** Options of the node verbs that only read files. */
import { type Command, Option, type OptionValues } from 'commander';
import { assumeReach, common, format, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { products } from '../../facts/products.js';
import { confOptions, reporting } from './shared.js';

/** Options of `node lint`. */
export function lintOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(reporting(confOptions(command)).addOption(assumeReach()))
    .option('--command-line <words>', 'judge this command line of a node, as a shell would run it')
    .option('--fix', 'apply the safe fixes: what the node is started with stays as it is', false)
    .option('--unsafe-fixes', 'with --fix or --diff: also those that change what it is started with', false)
    .option('--diff', 'print the fixes as a patch for git apply, and change nothing', false)
    .option('--dry-run', 'with --fix: say what would be done, and change nothing', false)
    .option('--backup', 'with --fix: keep each file as it was beside it, as NAME.bak', false);
}

export type LintOptions = Declared<typeof lintOptions<[], NoOptions>>;

/** Options of `node explain`. */
export function explainOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(command.addOption(format(['text', 'json'])));
}

export type ExplainOptions = Declared<typeof explainOptions<[], NoOptions>>;

/** Options of `node settings`. */
export function settingsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(confOptions(command).addOption(format(['text', 'json'])));
}

export type SettingsOptions = Declared<typeof settingsOptions<[], NoOptions>>;

/** Options of `node harden`. */
export function hardenOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    confOptions(command)
      .addOption(new Option('--for <product>', 'what the snippet is for').choices(products))
      .option('--command-line <words>', 'the command line of a node instead of a source')
      .addOption(
        repeatable('--monitoring <subnet>', 'who may read the metrics, as 10.20.0.0/16 (repeatable)'),
      )
      .option(
        '--server-name <name>',
        'the name clients use; default: the first Host name the node answers to',
      )
      .option('--allow-blind', 'what the settings leave undetermined does not set the exit code', false),
  );
}

export type HardenOptions = Declared<typeof hardenOptions<[], NoOptions>>;
