import type { Command, OptionValues } from 'commander';
import { assumeReach, common } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';
import { reporting } from './reporting.js';

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
