import type { Command, OptionValues } from 'commander';
import { common } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';
import { connection } from './connection.js';

/** Options of `node policy`. */
export function policyOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    connection(confOptions(command))
      .option('--from <what>', 'make: settings (a conf, …), an endpoint or a saved report')
      .option('--name <name>', 'make: the name of the policy; default: own'),
  );
}

export type PolicyOptions = Declared<typeof policyOptions<[], NoOptions>>;
