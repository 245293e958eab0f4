import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';

/** Options of `node settings`. */
export function settingsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(confOptions(command).addOption(format(['text', 'json'])));
}

export type SettingsOptions = Declared<typeof settingsOptions<[], NoOptions>>;
