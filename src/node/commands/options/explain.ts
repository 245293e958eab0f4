import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Options of `node explain`. */
export function explainOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(command.addOption(format(['text', 'json'])));
}

export type ExplainOptions = Declared<typeof explainOptions<[], NoOptions>>;
