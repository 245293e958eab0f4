import { type Command, Option, type OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { calling } from './calling.js';

/** Options of `survey pay`. */
export function payOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(paying(calling(command)));
}

export type PayOptions = Declared<typeof payOptions<[], NoOptions>>;

function paying<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--buyer-address <address>', 'the buyer’s address at the portal')
    .option('--item-identifier <id>', 'what is bought, at most 256 characters')
    .option('--name <text>', 'its name for the buyer, at most 256 characters')
    .option('--image-url <url>', 'its picture, at most 512 characters')
    .option('--price <units>', 'the price as the portal counts it: STRIPE in cents')
    .option('--amount <decimal>', 'the price as people write it, instead: 4.99')
    .addOption(
      new Option('--pg-type <name>', 'payment gateway')
        .choices(['CRYPTO', 'STRIPE', 'LINE_IAP'])
        .default('CRYPTO'),
    )
    .option('--currency-code <code>', 'currency of the price', 'KAIA')
    .option('--live', 'a real payment instead of a test', false)
    .option('--yes', 'do not ask before a real payment', false)
    .addOption(format(['text', 'json']));
}
