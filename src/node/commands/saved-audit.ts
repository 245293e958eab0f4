/** `kaiactl node audit --facts`: judges saved facts and sends nothing. */

import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import { isUnread } from '../gather.js';
import { readAssumedReach } from './conf-options.js';
import type { Judging } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import type { Reporting } from './output.js';
import { readFacts } from './saved-facts.js';

export interface Sinks {
  readonly judging: Judging;
  readonly reporting: Reporting;
  readonly host: Host;
}

/**
 * Judges and reports the facts in `file`; returns whether the settings of a target could not be read.
 * @throws {KaiactlError} on an invalid file, or on targets beside it (exit 2)
 */
export async function judgeSaved(
  options: Pick<VerbOptions<'audit'>, 'inventory' | 'assumeReach'> & { readonly targets: readonly string[] },
  file: string,
  { judging, reporting, host }: Sinks,
): Promise<boolean> {
  if (options.targets.length > 0 || options.inventory !== undefined) {
    throw new KaiactlError('--facts takes no target: it judges saved facts');
  }
  const assumed = readAssumedReach(options.assumeReach);
  let unread = false;
  for await (const one of readFacts(file, host)) {
    unread ||= isUnread(one);
    const loaded = assumed === undefined ? one : { ...one, assumed: { ...one.assumed, ...assumed } };
    await reporting.add(await judgeLoaded(loaded, file, judging));
  }
  return unread;
}

/** A rule that fails on saved facts is an error of the file: --save-facts writes only facts that were judged. */
async function judgeLoaded(facts: Facts, file: string, judging: Judging): Promise<TargetReport> {
  let report: TargetReport | null = null;
  let cause: unknown;
  try {
    report = await judging.judge(facts);
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    cause = error;
  }
  const tripped = report?.undetermined.find(({ defect }) => defect === true);
  if (report !== null && tripped === undefined) return report;
  throw new KaiactlError(`${file}: the facts of a target are invalid`, {
    notes: tripped === undefined ? [] : [`${tripped.rule} cannot be judged from them`],
    hint: 'Write them again with kaiactl node audit … --save-facts FILE.',
    cause,
  });
}
