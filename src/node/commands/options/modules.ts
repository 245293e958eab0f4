import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { connection } from './connection.js';

/** Options of `node modules`. */
export function modulesOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(connection(command).addOption(format(['text', 'json'])));
}

export type ModulesOptions = Declared<typeof modulesOptions<[], NoOptions>>;
