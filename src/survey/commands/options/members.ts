import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { calling } from './calling.js';

/** Options of `survey members`. */
export function membersOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    calling(command)
      .addOption(format(['text', 'json', 'csv', 'ndjson']))
      .optionsGroup('What is read:')
      .option('--contains <commitment>', 'check whether it is a member (exit 1: it is not)')
      .option('--count', 'print only the number of members', false)
      .option('--verify', 'compare list and Merkle root with the contract (needs --rpc-url)', false)
      .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
      .option('--semaphore <address>', 'read a group of this Semaphore v4 contract from its events')
      .option('--group <id>', 'id of the group (with --semaphore)')
      .option('--from-block <number>', 'first block with events of the group (default: searched)')
      .option('--no-root', 'omit the Merkle root in --format json')
      .option('--follow', 'print new members until interrupted', false)
      .option('--poll-interval <time>', 'delay between two polls with --follow', '2s'),
  );
}

export type MembersOptions = Declared<typeof membersOptions<[], NoOptions>>;
