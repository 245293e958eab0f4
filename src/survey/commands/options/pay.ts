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
    .optionsGroup('Payment:')
    .option('--buyer-address <address>', 'address of the buyer at the portal')
    .option('--item-identifier <id>', 'identifier of the item, up to 256 characters')
    .option('--name <text>', 'name of the item for the buyer, up to 256 characters')
    .option('--image-url <url>', 'picture of the item, up to 512 characters')
    .option('--price <units>', 'price in the portal’s unit: cents for STRIPE')
    .option('--amount <decimal>', 'price as a decimal, instead of --price: 4.99')
    .addOption(
      new Option('--pg-type <name>', 'payment gateway')
        .choices(['CRYPTO', 'STRIPE', 'LINE_IAP'])
        .default('CRYPTO'),
    )
    .option('--currency-code <code>', 'currency of the price', 'KAIA')
    .option('--live', 'create a real payment instead of a test payment', false)
    .option('--yes', 'do not ask before a real payment', false)
    .addOption(format(['text', 'json']));
}
