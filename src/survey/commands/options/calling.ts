/** Options of every command that calls the survey API. */
import type { Command, OptionValues } from 'commander';
import type { Declared, NoOptions } from '../../../options/declared.js';

export function calling<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Survey API:')
    .option('--api-url <url>', 'base URL of the survey API, without /api')
    .option('--request-timeout <time>', 'timeout of one request', '3m');
}

export type CallingOptions = Declared<typeof calling<[], NoOptions>>;
