import type { Command, OptionValues } from 'commander';
import { common, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';

/** Options of `node simulate`. */
export function simulateOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    confOptions(command)
      .option('--free-ports', 'take free ports instead of the conf’s', false)
      .option('--ipc <path>', 'where the ipc socket goes; must not exist yet')
      .option('--client-version <text>', 'what web3_clientVersion answers')
      .option('--klay', 'as a node before klay became kaia', false)
      .addOption(repeatable('--account <address>', 'an account the node lists (repeatable)'))
      .option('--force', 'also when a node with this conf would not start', false),
  );
}

export type SimulateOptions = Declared<typeof simulateOptions<[], NoOptions>>;
