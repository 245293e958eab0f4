import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Actions of `survey admin`. */
export const adminActions = ['list', 'add', 'close', 'export', 'payments', 'outcomes', 'status'] as const;
export type AdminAction = (typeof adminActions)[number];

function atServer<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--store <file>', 'the server’s store')
    .option('--admin-socket <path>', 'the server’s admin socket (default: beside the store)')
    .option('--participant-secret-file <file>', 'key of the participants’ hashes (default: beside the store)')
    .addOption(format(['text', 'json', 'csv']));
}

/** Options of `survey admin` and `survey backup`. */
export function adminOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(atServer(command));
}

export type AdminOptions = Declared<typeof adminOptions<[], NoOptions>>;
