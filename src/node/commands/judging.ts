/** Judges the targets of a run, with gates, policy and baseline. */
import type { Host } from '../../host.js';
import { once } from '../../util/once.js';
import { oncePer, oncePerKey } from '../../util/once-per.js';
import { inTurns } from '../../util/turns.js';
import type { Facts } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { TargetReport } from '../facts/report.js';
import type { FailOn } from '../facts/severity.js';
import type { Judge } from '../fix/trial/state.js';
import { TrialMemory } from '../fix/trial/trials.js';
import type { Kind } from '../kinds/kind.js';
import { type JudgeOptions, judgeInTurns, judgeTarget, propose } from '../pipeline.js';
import { type BaselineOptions, openBaselines } from './baselines.js';
import { defaultFailOn, type GateOptions, gatesOf } from './gates.js';
import { loadPolicy } from './policy-file.js';

export type JudgingOptions = GateOptions &
  BaselineOptions & {
    /** The kinds of node that targets may be. Default: every kind. */
    readonly kinds?: readonly Kind[];
  };

type How = Pick<JudgeOptions, 'edits' | 'editables' | 'policy'>;

export interface Judging {
  /** Of the run; the report of a target holds a different value. */
  readonly failOn: FailOn;
  /** `policy` overrides that of the options and of a kaiactl.ini. */
  judge(facts: Facts, how?: How): Promise<TargetReport>;
  /** Judges without recording the target in the baseline, to try a fix. */
  look(facts: Facts, how?: How): Promise<TargetReport>;
  /** A judge of every rule, also of rules that gates exclude. */
  proposing(facts: Facts | undefined): Promise<Judge>;
  /** After the last target. */
  end(inputFailed: boolean): Promise<void>;
}

/** @throws {KaiactlError} on an invalid gate, or a baseline or policy that cannot be read (exit 2) */
export async function judgingOf(options: JudgingOptions, host: Host): Promise<Judging> {
  const failOn = options.failOn ?? defaultFailOn;
  const counting = gatesOf(options, host);
  const policyNamed = oncePerKey(async (name: string | undefined) =>
    name === undefined ? undefined : loadPolicy(name, host),
  );
  const baselines = openBaselines(options, host);
  await policyNamed(options.policy);
  await baselines.accepted(options.baseline);
  const trialsUnder = oncePer((_: Policy | typeof policyNamed) => new TrialMemory());
  const every = once(async () => (await import('../kinds/index.js')).kinds);
  // A policy may be one for other kinds.
  const kindsUnder = async (policy: Policy | undefined) =>
    (policy === undefined ? options.kinds : undefined) ?? (await every());
  const countingFor = (facts: Facts | undefined) => counting(pathOf(facts));
  const look = async (
    facts: Facts,
    { edits = 'all', editables, policy }: How = {},
  ): Promise<TargetReport> => {
    const here = await countingFor(facts);
    const held = policy ?? (await policyNamed(here.policy));
    const accepted = await baselines.accepted(here.baseline);
    const how: JudgeOptions = {
      failOn: here.failOn,
      edits,
      editables,
      trials: trialsUnder(held ?? policyNamed),
      kinds: await kindsUnder(held),
      gates: here.gates,
      policy: held,
      baseline: accepted,
    };
    const judged =
      (await inTurns(judgeInTurns(facts, how), host.signal)) ?? judgeTarget(facts, { ...how, edits: 'none' });
    return { ...judged, ...(here.failOn === failOn ? {} : { failOn: here.failOn }) };
  };
  return {
    failOn,
    look,
    async proposing(facts) {
      const held = await policyNamed((await countingFor(facts)).policy);
      const kinds = await kindsUnder(held);
      return (one) => propose(one, { kinds, policy: held }, 'comparison');
    },
    judge: async (facts, how) => baselines.see(await look(facts, how), (await countingFor(facts)).baseline),
    end: baselines.end,
  };
}

function pathOf(facts: Facts | undefined): string | null {
  if (facts?.conf?.state === 'seen') return facts.conf.value.settings.source.path;
  return facts?.signs?.[0]?.at?.file ?? null;
}
