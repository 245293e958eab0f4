import type { Command, OptionValues } from 'commander';
import { common, format } from './common.js';
import { confOptions } from './conf.js';
import type { Declared, NoOptions } from './declared.js';

/** Options of `node settings`. */
export function settingsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(confOptions(command).addOption(format(['text', 'json'])));
}

export type SettingsOptions = Declared<typeof settingsOptions<[], NoOptions>>;
