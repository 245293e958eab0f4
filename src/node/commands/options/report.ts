import type { Command, OptionValues } from 'commander';
import { common, format, headings } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { failOn, outputs } from './shared.js';

/** Options of `report convert`. */
export function convertOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(outputs(command));
}

export type ConvertOptions = Declared<typeof convertOptions<[], NoOptions>>;

/** Options of `report merge`. */
export function mergeOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    outputs(command)
      .optionsGroup(headings.gates)
      .option('--exit-zero', 'exit with 0 despite findings or unseen facts', false),
  );
}

export type MergeOptions = Declared<typeof mergeOptions<[], NoOptions>>;

/** Options of `report diff`. */
export function diffOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    command
      .optionsGroup(headings.input)
      .option(
        '--vantage',
        '<before> from inside, <after> from outside: list private interfaces that outside reaches',
        false,
      )
      .addOption(format(['text', 'json', 'markdown']))
      .addOption(failOn())
      .optionsGroup(headings.gates)
      .option('--exit-zero', 'exit with 0 even if something got worse', false)
      .option('--allow-blind', 'exit with 0 if something is no longer seen', false),
  );
}

export type DiffOptions = Declared<typeof diffOptions<[], NoOptions>>;
