import type { Command, OptionValues } from 'commander';
import { confOptions } from './conf.js';
import type { Declared, NoOptions } from './declared.js';
import { common, format } from './every-command.js';

/** Options of `node settings`. */
export function settingsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(confOptions(command).addOption(format(['text', 'json'])));
}

export type SettingsOptions = Declared<typeof settingsOptions<[], NoOptions>>;
