/** Options of every verb that talks to nodes. */
import type { Command, OptionValues } from 'commander';
import { repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Adds --timeout, --header and --insecure. */
export function connection<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--timeout <time>', 'how long one node may take, all its interfaces together', '5s')
    .addOption(repeatable('--header <line>', 'an HTTP header to send, “Name: value” (repeatable)'))
    .option('--insecure', 'accept certificates that cannot be verified', false);
}

export type ConnectionOptions = Declared<typeof connection<[], NoOptions>>;
