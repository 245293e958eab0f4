/** A run on its way to its report: judged targets are put aside as they come, and every format is written from there. */
import type { ExitCode } from '../../errors.js';
import type { Host } from '../../host.js';
import { version } from '../../version.js';
import type { TargetReport } from '../facts/report.js';
import type { FailOn } from '../facts/severity.js';
import { Tally } from '../summarise.js';
import { deliver, type ReportingOptions } from './output.js';
import { Spool } from './spool.js';

export interface Reporting {
  /** Takes the next target, in the order of the report. */
  add(target: TargetReport): Promise<void>;
  /** Writes the report, or what stdout is for `instead` of it. */
  end(known: { readonly inputFailed: boolean; readonly instead?: string | null }): Promise<ExitCode>;
}

/** The run begins now. `failOn`: where findings fail in targets that do not say it themselves. */
export function openReporting(options: ReportingOptions, failOn: FailOn, host: Host): Reporting {
  const tally = new Tally(failOn);
  const targets = new Spool<TargetReport>();
  const startedAt = host.now();
  return {
    async add(target) {
      tally.add(target);
      await targets.push(target);
    },
    async end({ inputFailed, instead = null }) {
      const { allowBlind, exitZero } = options;
      const report = tally.report(targets, {
        version: version(),
        ...{ startedAt, finishedAt: host.now(), failOn, allowBlind, exitZero, inputFailed },
        interrupted: host.signal.aborted,
      });
      await deliver(report, options, host, instead);
      return report.exitCode;
    },
  };
}
