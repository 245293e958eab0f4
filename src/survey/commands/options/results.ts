import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Options of `survey results`. */
export function resultsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    command
      .optionsGroup('What is read:')
      .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
      .option('--verify', 'check the proof of each answer', false)
      .option('--from-block <number>', 'first block with events of the group (default: searched)')
      .addOption(format(['text', 'json', 'csv'])),
  );
}

export type ResultsOptions = Declared<typeof resultsOptions<[], NoOptions>>;
