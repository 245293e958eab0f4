/** Options of every verb that reads a conf. */
import { type Command, Option, type OptionValues } from 'commander';
import { repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { launchers, packages } from '../../kinds/index.js';

/** Adds --launcher, --package, --env and --stdin-filename. */
export function confOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(
      new Option('--launcher <name>', 'the script that reads the conf; default: inferred').choices(launchers),
    )
    .addOption(
      new Option('--package <name>', 'which package the script is of; default: inferred').choices(packages),
    )
    .addOption(repeatable('--env <name=value>', 'a variable the launcher is started with (repeatable)'))
    .option('--stdin-filename <name>', 'the name of the conf read from stdin (-)')
    .option('--base <conf>', 'the conf that appended lines go behind; default: the packaged one')
    .option('--service <name>', 'which node, where a file starts several')
    .option('--follow-outside', 'read files that a file names outside its folder too');
}

export type ConfOptions = Declared<typeof confOptions<[], NoOptions>>;
