/** How a run judges its targets: by the rules, and by what counts here. */
import type { Host } from '../../host.js';
import type { Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import type { Judge } from '../fix/state.js';
import { type FailOn, judgeTarget, propose } from '../pipeline.js';
import { type BaselineOptions, openBaseline } from './baseline-file.js';
import { defaultFailOn, type GateOptions, gatesOf } from './gates.js';
import { loadPolicy } from './policy-file.js';

export interface JudgingOptions extends GateOptions, BaselineOptions {
  /** A built-in policy or a file. */
  readonly policy?: string | undefined;
}

export interface Judging {
  /** Of the run; a target's own report says where it differs. */
  readonly failOn: FailOn;
  judge(facts: Facts): Promise<TargetReport>;
  /** The same before the baseline hears of it: for what is only tried. */
  look(facts: Facts): Promise<TargetReport>;
  /** What every rule says, be it asked for or not. */
  readonly propose: Judge;
  /** After the last target. */
  end(): Promise<void>;
}

/** @throws {KaiactlError} when what counts is not said right, or the baseline cannot be read (exit 2) */
export async function judgingOf(options: JudgingOptions, host: Host): Promise<Judging> {
  const failOn = options.failOn ?? defaultFailOn;
  const { failOn: asked, minSeverity, only, ignore, severity } = options;
  const gates = gatesOf({ failOn: asked, minSeverity, only, ignore, severity }, host);
  const policy = options.policy === undefined ? undefined : await loadPolicy(options.policy, host);
  const accepted = await openBaseline(options, host);
  const { baseline } = accepted;
  const look = async (facts: Facts): Promise<TargetReport> => {
    const path = facts.conf?.state === 'seen' ? facts.conf.value.settings.source.path : null;
    const counting = await gates(path);
    const judged = judgeTarget(facts, {
      ...counting,
      ...(policy === undefined ? {} : { policy }),
      ...(baseline === undefined ? {} : { baseline }),
    });
    return { ...judged, ...(counting.failOn === failOn ? {} : { failOn: counting.failOn }) };
  };
  return {
    failOn,
    look,
    propose: (facts) => propose(facts, policy === undefined ? {} : { policy }),
    judge: async (facts) => accepted.see(await look(facts)),
    end: () => accepted.end(),
  };
}
