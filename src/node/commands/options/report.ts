import type { Command, OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
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
    outputs(command).option(
      '--exit-zero',
      'report only: findings and blind spots do not set the exit code',
      false,
    ),
  );
}

export type MergeOptions = Declared<typeof mergeOptions<[], NoOptions>>;

/** Options of `report diff`. */
export function diffOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    command
      .option('--vantage', 'made inside and outside: what outside reaches that inside calls private', false)
      .addOption(format(['text', 'json', 'markdown']))
      .addOption(failOn())
      .option('--exit-zero', 'report only: nothing that got worse sets the exit code', false)
      .option('--allow-blind', 'what is not seen any more does not set the exit code', false),
  );
}

export type DiffOptions = Declared<typeof diffOptions<[], NoOptions>>;
