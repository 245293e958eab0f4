/** From what is known about a target to its report. */
import { redact } from '../util/redact.js';
import { withAssumed } from './facts/assumed.js';
import type { Facts } from './facts/facts.js';
import type { Policy } from './facts/policy.js';
import type { Check, Finding, InterfaceReport, TargetReport, Undetermined } from './facts/report.js';
import type { Settings } from './facts/settings.js';
import { type FailOn, fails } from './facts/severity.js';
import { sentenceAlone, verify } from './fix/verify.js';
import { withConditional } from './judge/alternatives.js';
import { applyGates, countedFindings, type Gates } from './judge/gates.js';
import { type Judgement, judge } from './judge/judge.js';
import { liveOf } from './judge/live/live.js';
import { orderFindings } from './judge/order.js';
import { declaredInterfaces } from './judge/overview/declared-interfaces.js';
import { driftOf } from './judge/overview/drift.js';
import { liveInterfaces } from './judge/overview/live-interfaces.js';
import { notLookedAt } from './judge/overview/not-inspected.js';
import type { Rule } from './judge/rule/rule.js';
import { accept, type Baseline } from './judge/suppress/baseline.js';
import { suppress } from './judge/suppress/suppress.js';
import { policyOfRole } from './kinds/index.js';
import { rules as allRules } from './rules/index.js';

export interface JudgeOptions {
  readonly failOn: FailOn;
  /** Default: every rule. */
  readonly rules?: readonly Rule[];
  /** Default: every finding counts as its rule says. */
  readonly gates?: Gates;
  /** Default: the one of the target's role. */
  readonly policy?: Policy;
  /** What was accepted before. */
  readonly baseline?: Baseline;
  /** False where nobody sees edits: they are neither tried nor kept. Default: true. */
  readonly edits?: boolean;
}

/** Judges one target. Pure: the same facts give the same report. */
export function judgeTarget(given: Facts, options: JudgeOptions): TargetReport {
  const facts = withAssumed(given);
  const policy = options.policy ?? policyOfRole(facts.role);
  const all = propose(facts, options);
  const { gates } = options;
  const judgements = gates === undefined ? all.judgements : applyGates(all.judgements, gates);
  const undetermined = [...defectOf(facts), ...openOnes(facts, judgements)];
  const counted = gates === undefined ? all.findings : orderFindings(countedFindings(all.findings, gates));
  const verified =
    options.edits === false
      ? counted.map(sentenceAlone)
      : verify(facts, counted, all, (other) => propose(other, options));
  const findings = options.baseline === undefined ? verified : accept(verified, options.baseline);
  const drift = driftOf(facts);
  const interfaces = interfacesOf(facts);
  const notLooked = notLookedAt(facts, interfaces);
  return {
    name: facts.name,
    role: facts.role,
    ...kindFound(facts),
    ...(policy === null ? {} : { policy: { name: policy.name, version: policy.version } }),
    conf: facts.conf?.state === 'seen' ? confReport(facts.conf.value.settings) : null,
    interfaces,
    ...(notLooked.length === 0 ? {} : { notLookedAt: notLooked }),
    checks: judgements.map((one) => checkOf(one, counted)),
    findings,
    undetermined,
    verdict: findings.some((one) => fails(one, options.failOn))
      ? 'fail'
      : undetermined.length > 0
        ? 'undetermined'
        : 'pass',
    ...(drift === null ? {} : { drift }),
  };
}

/** Everything the rules find and leave open, be it asked for or not; their fixes are proposals. */
export function propose(facts: Facts, options: Pick<JudgeOptions, 'rules' | 'policy'>) {
  return judgeOnce(facts, options.rules ?? allRules, options.policy ?? policyOfRole(facts.role));
}

function judgeOnce(given: Facts, rules: readonly Rule[], policy: Policy | null) {
  const facts = withAssumed(given);
  const judged = (one: Facts, by: readonly Rule[]): Judgement[] => suppress(one, judge(one, by, policy));
  const judgements = judged(facts, rules);
  const known = judgements.flatMap((one) => one.findings);
  // A line that a condition adds is meant to stand over another: only what it opens is of interest.
  const exposing = rules.filter(({ on }) => on !== 'shell');
  const all = withConditional(facts, known, (other) =>
    judged(other, exposing).flatMap((one) => one.findings),
  );
  return { judgements, findings: orderFindings(all), undetermined: judgements.flatMap(openQuestions) };
}

/** What kind of node it is; settings are read of Kaia nodes alone. */
function kindFound(facts: Facts): Pick<TargetReport, 'kind' | 'kindBy'> {
  const live = liveOf(facts);
  if (live !== null) return { kind: live.kind, kindBy: live.kindBy };
  return facts.conf?.state === 'seen'
    ? { kind: facts.conf.value.settings.kind, kindBy: 'settings' }
    : { kind: null, kindBy: null };
}

/** As they were seen; without a live node, as the conf would open them. */
function interfacesOf(facts: Facts): InterfaceReport[] {
  const live = liveOf(facts);
  if (live !== null) {
    const rows = liveInterfaces(live);
    return facts.simulated === true ? rows.map((row) => ({ ...row, simulated: true })) : rows;
  }
  return facts.conf?.state === 'seen' ? declaredInterfaces(facts.conf.value.settings) : [];
}

/** What could not even be gathered. */
function defectOf({ defect }: Facts): Undetermined[] {
  if (defect === undefined) return [];
  const reason = redact(`kaiactl failed here: ${defect}`);
  return [{ rule: 'gather', code: 'defect', about: null, reason, defect: true }];
}

/** Settings that could not be read are one open question, not one for each rule. */
function openOnes({ conf }: Facts, judgements: readonly Judgement[]): Undetermined[] {
  const open = judgements.flatMap(openQuestions);
  if (conf === null || conf.state === 'seen') return open;
  const unread: Undetermined = { rule: 'gather', code: conf.code, about: null, reason: redact(conf.detail) };
  return [unread, ...open.filter(({ about, reason }) => about !== null || reason !== unread.reason)];
}

/** A rule that failed itself leaves its question open; one that fails where a condition holds does not pass. */
function checkOf({ rule, verdict }: Judgement, findings: readonly Finding[]): Check {
  if (findings.some((one) => one.rule === rule.id)) return { rule: rule.id, verdict: 'fail' };
  return { rule: rule.id, verdict: verdict === 'defect' ? 'undetermined' : verdict };
}

function openQuestions({ rule, verdict, open }: Judgement): TargetReport['undetermined'] {
  const defect = verdict === 'defect' ? { defect: true as const } : {};
  return open.map((one) => ({ rule: rule.id, ...one, ...defect }));
}

function confReport(settings: Settings): TargetReport['conf'] {
  const { source, launcher, by, package: packaging, packageBy } = settings;
  const guessed = by === 'guess' ? { guessed: true as const } : {};
  return { path: source.path, launcher, by, package: packaging, packageBy, ...guessed };
}
