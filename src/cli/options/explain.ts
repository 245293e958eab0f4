import type { Command, OptionValues } from 'commander';
import type { Declared, NoOptions } from './declared.js';
import { common, format } from './every-command.js';

/** Options of `node explain`. */
export function explainOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(command.addOption(format(['text', 'json'])));
}

export type ExplainOptions = Declared<typeof explainOptions<[], NoOptions>>;
