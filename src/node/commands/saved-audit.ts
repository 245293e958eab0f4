/** `kaiactl node audit --facts`: judge what was saved, ask nobody. */

import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import { isUnread } from '../gather.js';
import { readAssumedReach } from './assume-reach.js';
import type { Judging } from './judging.js';
import type { AuditOptions } from './options/live.js';
import type { Reporting } from './output.js';
import { loadFacts } from './saved-facts.js';

/** Where what is known of targets goes. */
export interface Sinks {
  readonly judging: Judging;
  readonly reporting: Reporting;
  readonly host: Host;
}

/**
 * Judges and reports what was saved in `file`; true when the settings of a target could not be read then.
 * @throws {KaiactlError} when the file cannot be used, or targets are named beside it (exit 2)
 */
export async function judgeSaved(
  options: Pick<AuditOptions, 'inventory' | 'assumeReach'> & { readonly targets: readonly string[] },
  file: string,
  { judging, reporting, host }: Sinks,
): Promise<boolean> {
  if (options.targets.length > 0 || options.inventory !== undefined) {
    throw new KaiactlError('--facts takes no target: it judges saved facts');
  }
  const facts = await loadFacts(file, host);
  const assumed = readAssumedReach(options.assumeReach);
  for (const one of facts) {
    const loaded = assumed === undefined ? one : { ...one, assumed: { ...one.assumed, ...assumed } };
    await reporting.add(await judgeLoaded(loaded, file, judging));
  }
  return facts.some(isUnread);
}

/** Where a rule trips over facts from a file, the file is at fault: what --save-facts writes was judged before. */
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
