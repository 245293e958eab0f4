import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { calling } from './calling.js';

/** Options of `survey members`. */
export function membersOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    calling(command)
      .addOption(format(['text', 'json', 'csv', 'ndjson']))
      .option('--contains <commitment>', 'say whether it is a member (exit 1: it is not)')
      .option('--count', 'print the number of members only', false)
      .option('--verify', 'compare list and Merkle root with the contract (needs --rpc-url)', false)
      .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
      .option('--no-root', 'leave the Merkle root out of --format json')
      .option('--follow', 'go on and print new members until interrupted', false)
      .option('--poll-interval <time>', 'time between two looks with --follow', '2s'),
  );
}

export type MembersOptions = Declared<typeof membersOptions<[], NoOptions>>;
