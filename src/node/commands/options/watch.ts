import type { Command, OptionValues } from 'commander';
import { common, format, probe } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';
import { connection } from './connection.js';
import { counting } from './reporting.js';

/** Options of `node watch`. */
export function watchOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    counting(connection(confOptions(command)))
      .option(
        '--inventory <file>',
        'a fleet: an ini file with a section for each node; SIGHUP reads it again',
      )
      .option('--targets-from <file>', 'a target a line')
      .option('--interval <time>', 'between two rounds, a tenth more or less', '5m')
      .option('--textfile <file>', 'metrics for the textfile collector of Prometheus’ node exporter')
      .option('--listen <address>', 'metrics for Prometheus at this address, as 127.0.0.1:9469')
      .option('--webhook <url>', 'post each change there as JSON')
      .addOption(probe())
      .option('--concurrency <n>', 'nodes asked at the same time', '16')
      .option('--rate <n>', 'nodes begun in a second at most')
      .addOption(format(['text', 'json'])),
  );
}

export type WatchOptions = Declared<typeof watchOptions<[], NoOptions>>;
