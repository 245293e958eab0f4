import type { Command, OptionValues } from 'commander';
import { connection } from './connection.js';
import type { Declared, NoOptions } from './declared.js';
import { common, format } from './every-command.js';

/** Options of `node modules`. */
export function modulesOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(connection(command).addOption(format(['text', 'json'])));
}

export type ModulesOptions = Declared<typeof modulesOptions<[], NoOptions>>;
