/** Options of every verb that calls the survey API. */
import type { Command, OptionValues } from 'commander';
import type { Declared, NoOptions } from '../../../options/declared.js';

export function calling<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--api-url <url>', 'base URL of the survey API, without /api')
    .option('--request-timeout <time>', 'how long one request may take', '3m');
}

export type CallingOptions = Declared<typeof calling<[], NoOptions>>;
