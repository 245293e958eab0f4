/** Judges facts and builds the report of a target. */
import { isDeepStrictEqual } from 'node:util';
import { redact } from '../util/redact.js';
import { finish } from '../util/turns.js';
import { asWritten, type Facts, repairedOf } from './facts/facts.js';
import type { Policy } from './facts/policy.js';
import { withAssumed } from './facts/reach.js';
import type { ReleaseFound } from './facts/release.js';
import {
  type Check,
  type Finding,
  type InterfaceReport,
  type TargetReport,
  type Undetermined,
  unanswered,
} from './facts/report.js';
import { blindSpot, seen } from './facts/seen.js';
import type { Settings } from './facts/settings.js';
import { type FailOn, fails, isWhole } from './facts/severity.js';
import type { TrialMemory } from './fix/trial/trials.js';
import { sentenceAlone, verify } from './fix/trial/verify.js';
import { withConditional } from './judge/alternatives.js';
import { fingerprintOf, orderFindings, placeByPid, placeName } from './judge/finding.js';
import { applyGates, countedFindings, type Gates, isSelected, withoutRepeats } from './judge/gates.js';
import { type Judgement, judge } from './judge/judge.js';
import { type Live, liveOf } from './judge/live/live.js';
import { withRelease } from './judge/live/release.js';
import { declaredInterfaces } from './judge/overview/declared-interfaces.js';
import { driftOf } from './judge/overview/drift.js';
import { liveInterfaces, liveProcess } from './judge/overview/live-interfaces.js';
import { notInspected } from './judge/overview/not-inspected.js';
import { isAboutWords, withRepaired } from './judge/repaired.js';
import type { Rule } from './judge/rule/rule.js';
import { accept, type Baseline } from './judge/suppress/baseline.js';
import { openSignsOf } from './judge/suppress/open-signs.js';
import { suppress } from './judge/suppress/suppress.js';
import { kinds as allKinds } from './kinds/index.js';
import type { Kind } from './kinds/kind.js';
import { kindKnown, policyOfRole, roleOf, withKind } from './kinds/node.js';
import { rules as allRules } from './rules/index.js';
import { withoutPlaceholders } from './sources/text/unknown.js';

export interface JudgeOptions {
  readonly failOn: FailOn;
  /** Default: every rule. */
  readonly rules?: readonly Rule[];
  /** The kinds of node that are known. Default: every kind. */
  readonly kinds?: readonly Kind[];
  /** Default: no finding is changed or hidden. */
  readonly gates?: Gates;
  /** Default: the policy of the target's role. */
  readonly policy?: Policy;
  /** Accepted findings. */
  readonly baseline?: Baseline;
  /** The findings whose edits are tried, which takes time; `whole`: those that text shows whole. Default: all. */
  readonly edits?: 'all' | 'whole' | 'none';
  /** Shares the trials of edits among the targets of a file. Default: none are shared. */
  readonly trials?: TrialMemory;
}

/** Judges one target. Pure: the same facts give the same report. */
export function judgeTarget(given: Facts, options: JudgeOptions): TargetReport {
  return finish(judgeInTurns(given, options));
}

/** The same, which pauses before each trial of an edit. */
export function* judgeInTurns(given: Facts, options: JudgeOptions): Generator<void, TargetReport> {
  const { kinds = allKinds } = options;
  const known = withRelease(withAssumed(given), kinds);
  const policy = options.policy ?? policyOfRole(kinds, known.role);
  const facts = { ...known, role: roleOf(kinds, known, policy) };
  // A role that only the program tells asks for no policy.
  const judging = { ...options, policy };
  const all = propose(facts, judging);
  const { gates } = options;
  const judgements = gates === undefined ? all.judgements : applyGates(all.judgements, gates);
  const open = all.undetermined.filter(({ rule }) => gates === undefined || isSelected(rule, gates));
  const signs = openSignsOf(facts, gates?.acknowledged ?? []);
  const undetermined = [...defectOf(facts), ...unseenOf(facts), ...signs, ...openQuestionsOf(facts, open)];
  const { rules = allRules } = options;
  const counted = orderFindings(
    gates === undefined ? withoutRepeats(all.findings, rules) : countedFindings(all.findings, gates, rules),
  );
  const shown = withEditsOf(counted, options);
  const verified = yield* verify(facts, shown, all, (other) => propose(other, judging), options.trials);
  const findings =
    options.baseline === undefined ? verified : accept(verified, options.baseline, olderKeys(facts, rules));
  const drift = driftOf(facts, kinds);
  const live = liveOf(facts, kinds);
  const interfaces = withRelays(interfacesOf(facts, live, kinds), facts.signs);
  const notLooked = notInspected(facts, interfaces, kinds);
  return withoutPlaceholders({
    name: facts.name,
    role: facts.role,
    ...kindFound(facts, live),
    release: live?.release ?? releaseOfConf(facts),
    ...(policy === null ? {} : { policy: { name: policy.name, version: policy.version } }),
    conf: facts.conf?.state === 'seen' ? confReport(facts.conf.value.settings) : null,
    ...filesOf(facts),
    ...(live === null ? {} : liveProcess(live)),
    interfaces,
    ...(notLooked.length === 0 ? {} : { notLookedAt: notLooked }),
    checks: judgements.map((one) => checkOf(one, counted, open)),
    findings,
    undetermined,
    verdict: verdictOf(findings, undetermined, options.failOn),
    ...(drift === null ? {} : { drift }),
  });
}

/** The findings, with edits only where they are shown. Those of one rule at one place are one cause if their edits agree. */
function withEditsOf(
  findings: readonly Finding[],
  { edits = 'all', failOn }: JudgeOptions,
): readonly Finding[] {
  if (edits === 'all') return findings;
  const isAlone = (one: Finding) =>
    !findings.some(
      (other) => other !== one && other.rule === one.rule && isDeepStrictEqual(other.at, one.at),
    );
  const isShown = (one: Finding) => edits === 'whole' && (isWhole(one, failOn) || !isAlone(one));
  return findings.map((one) => (isShown(one) ? one : sentenceAlone(one)));
}

/** The fingerprints of findings as versions gave them that named a process by its pid. */
function olderKeys(facts: Facts, rules: readonly Rule[]): (finding: Finding) => string | null {
  return (finding) => {
    const place = placeByPid(placeName(finding.at), facts);
    const rule = rules.find(({ id }) => id === finding.rule);
    return place === null || rule === undefined ? null : fingerprintOf(rule, finding, place);
  };
}

/** The verdict of a target with these findings and open questions; with a suppressed critical finding it never passes. */
export function verdictOf(
  findings: readonly Finding[],
  undetermined: readonly Undetermined[],
  failOn: FailOn,
): TargetReport['verdict'] {
  if (findings.some((one) => fails(one, failOn))) return 'fail';
  if (unanswered({ undetermined }).length > 0) return 'undetermined';
  const isAccepted =
    undetermined.length > 0 ||
    findings.some(({ severity, suppressed }) => severity === 'critical' && suppressed !== null);
  return isAccepted ? 'suppressed' : 'pass';
}

/** All findings and open questions, before gates and the baseline. Their fixes are proposals. */
export function propose(
  facts: Facts,
  options: Pick<JudgeOptions, 'rules' | 'kinds'> & { readonly policy?: Policy | null },
) {
  const { rules = allRules, kinds = allKinds, policy = policyOfRole(kinds, facts.role) } = options;
  return judgeReadings(facts, rules, kinds, policy);
}

/** Judges a conf with carriage returns as it is and with Unix line ends; its words only with Unix line ends. */
function judgeReadings(given: Facts, rules: readonly Rule[], kinds: readonly Kind[], policy: Policy | null) {
  const conf = given.conf?.state === 'seen' ? given.conf.value : null;
  const repaired = conf === null ? null : repairedOf(conf);
  if (conf === null || repaired === null) return judgeOnce(given, rules, kinds, policy);
  const [words, others] = [rules.filter(isAboutWords), rules.filter((one) => !isAboutWords(one))];
  const own = judgeOnce({ ...given, conf: seen(asWritten(conf)) }, others, kinds, policy);
  const once = judgeOnce(
    { ...given, conf: seen(repaired) },
    given.live === null ? rules : words,
    kinds,
    policy,
  );
  const { findings, undetermined } = withRepaired(own, once, rules);
  const isLeft = ({ rule, verdict }: Judgement) =>
    verdict !== 'fail' || findings.some((one) => one.rule === rule.id);
  const ofRule = new Map(
    [...once.judgements, ...own.judgements.filter(isLeft)].map((one) => [one.rule, one]),
  );
  return {
    ...own,
    judgements: rules.flatMap((rule) => ofRule.get(rule) ?? []),
    findings: orderFindings(findings),
    undetermined,
  };
}

function judgeOnce(given: Facts, rules: readonly Rule[], kinds: readonly Kind[], policy: Policy | null) {
  const facts = withAssumed(given);
  const judged = (one: Facts, by: readonly Rule[]): Judgement[] =>
    suppress(
      one,
      judge(one, by, kinds, policy, () => plannedBy(one, by)),
    );
  const plannedBy = (one: Facts, by: readonly Rule[]): Finding[] =>
    suppress(one, judge({ ...one, live: null }, by, kinds, policy)).flatMap(({ findings }) => findings);
  const judgements = judged(facts, rules);
  // A conditional line overrides another on purpose, so only rules about exposure apply.
  const exposing = rules.filter(({ on }) => on !== 'shell');
  const { findings, undetermined } = withConditional(
    facts,
    kinds,
    together(judgements),
    (other) => together(judged(other, exposing)),
    exposing.filter(({ anyRelease }) => anyRelease !== true),
  );
  return {
    judgements,
    findings: orderFindings(findings),
    undetermined,
    kind: facts.conf?.state === 'seen' ? kindKnown(kinds, facts.conf.value.settings) : null,
  };
}

function together(judgements: readonly Judgement[]) {
  return {
    findings: judgements.flatMap((one) => one.findings),
    undetermined: judgements.flatMap(openQuestions),
  };
}

/** The kind of node, as a live node shows it, else by the settings. */
function kindFound(facts: Facts, live: Live | null): Pick<TargetReport, 'kind' | 'kindBy'> {
  if (live !== null) return { kind: live.kind, kindBy: live.kindBy };
  return facts.conf?.state === 'seen'
    ? { kind: facts.conf.value.settings.kind, kindBy: 'settings' }
    : { kind: null, kindBy: null };
}

function releaseOfConf({ conf }: Facts): ReleaseFound | null {
  return conf?.state === 'seen' ? (conf.value.settings.release ?? null) : null;
}

/** The live interfaces; those of the settings if none was asked. */
function interfacesOf(facts: Facts, live: Live | null, kinds: readonly Kind[]): InterfaceReport[] {
  const rows = live === null ? [] : liveInterfaces(live);
  if (rows.length > 0)
    return facts.simulated === true ? rows.map((row) => ({ ...row, simulated: true })) : rows;
  return facts.conf?.state === 'seen' ? declaredInterfaces(withKind(kinds, facts.conf.value.settings)) : [];
}

/** The reach of a relayed interface is that of its relays, which is not known. */
function withRelays(rows: readonly InterfaceReport[], signs: Facts['signs'] = []): InterfaceReport[] {
  return rows.map((row) => {
    const relays = signs.filter(
      (one) => one.interface === (row.role === 'engine' ? 'authrpc' : (row.role ?? row.transport)),
    );
    if (relays.length === 0) return row;
    const { reach: _, reachBy: __, containerOnly: ___, ...others } = row;
    return { ...others, reachVia: relays.flatMap(({ at }) => (at === null ? [] : `${at.file}:${at.line}`)) };
  });
}

/** A failure of gathering, as an open question. */
function defectOf({ defect }: Facts): Undetermined[] {
  if (defect === undefined) return [];
  const reason = redact(`kaiactl failed here: ${defect}`);
  return [{ rule: 'gather', code: 'defect', about: null, reason, defect: true }];
}

function unseenOf({ unseen }: Facts): Undetermined[] {
  return unseen === undefined ? [] : [{ rule: 'gather', ...blindSpot(null, unseen) }];
}

/**
 * Open questions of the rules. Unreadable settings are one open question instead of one per rule, and a start that is not
 * followed is one of the signs.
 */
function openQuestionsOf({ conf }: Facts, open: readonly Undetermined[]): readonly Undetermined[] {
  if (conf === null) return open;
  if (conf.state === 'seen') return [...missingOf(conf.value.settings, open), ...open];
  const { code, detail } = conf;
  const unread: Undetermined = { rule: 'gather', code, about: null, reason: redact(detail) };
  const others = open.filter(({ about, reason }) => about !== null || reason !== unread.reason);
  return code === 'unfollowed' ? others : [unread, ...others];
}

/** The missing files of a deployment, but those that are the reason of a rule's open question. */
function missingOf({ missing = [] }: Settings, open: readonly Undetermined[]): Undetermined[] {
  return missing
    .filter(
      ({ decides, reason }) => decides !== 'variable' && !open.some((one) => one.reason.includes(reason)),
    )
    .map(({ name, reason }) => ({
      rule: 'gather',
      code: 'missing-file',
      about: name,
      reason: redact(reason),
    }));
}

/** A rule with a defect is undetermined. What is found or open only under a condition counts. */
function checkOf(
  { rule, verdict }: Judgement,
  findings: readonly Finding[],
  open: readonly Undetermined[],
): Check {
  if (findings.some((one) => one.rule === rule.id)) return { rule: rule.id, verdict: 'fail' };
  if (verdict !== 'fail' && open.some((one) => one.rule === rule.id))
    return { rule: rule.id, verdict: 'undetermined' };
  return { rule: rule.id, verdict: verdict === 'defect' ? 'undetermined' : verdict };
}

function openQuestions({ rule, verdict, open }: Judgement): TargetReport['undetermined'] {
  const defect = verdict === 'defect' ? { defect: true as const } : {};
  return open.map((one) => ({ rule: rule.id, ...one, ...defect }));
}

/** Of a target that is only an open question, the file that it is in. */
function filesOf({ conf, signs = [] }: Facts): Pick<TargetReport, 'files'> {
  const used = conf?.state === 'seen' ? conf.value.settings.files : undefined;
  const named = used?.map(({ path }) => path) ?? signs.flatMap(({ at }) => at?.file ?? []);
  return used === undefined && (conf?.state === 'seen' || named.length === 0)
    ? {}
    : { files: [...new Set(named)] };
}

function confReport(settings: Settings): TargetReport['conf'] {
  const { source, launcher, by, package: packaging, packageBy } = settings;
  const guessed = by === 'guess' ? { guessed: true as const } : {};
  return { path: source.path, launcher, by, package: packaging, packageBy, ...guessed };
}
