import { type Command, Option, type OptionValues } from 'commander';
import { common, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { products } from '../../facts/products.js';
import { confOptions } from './conf.js';

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
