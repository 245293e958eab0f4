/** Runs rules over facts. Pure; a rule that throws is reported as a defect and the others still run. */

import { redact } from '../../util/redact.js';
import { unreachable } from '../../util/unreachable.js';
import type { Conf, Facts } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { Finding } from '../facts/report.js';
import { type BlindSpot, blindSpot, indeterminate, type Seen, seen } from '../facts/seen.js';
import { compareSeverity, type Severity } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { type NodeSettings, withKind } from '../kinds/node.js';
import { complete, type Purpose } from './finding.js';
import { type Live, liveOf } from './live/live.js';
import { isUp, type Parts, splitByNode } from './live/parts.js';
import { decideVerdict, joinVerdicts, notApplicable, type Rule, type Verdict } from './rule/rule.js';
import { settingName, writtenName } from './settings/setting.js';

/** The result of one rule on one target. */
export interface Judgement {
  readonly rule: Rule;
  readonly verdict: 'pass' | 'fail' | 'undetermined' | 'not-applicable' | 'defect';
  readonly findings: readonly Finding[];
  /** Unanswered questions, each with its reason; for a `defect`, the error. */
  readonly open: readonly BlindSpot[];
}

/** One target as rules see it. */
interface Subject extends Parts {
  readonly facts: Facts;
  readonly kinds: readonly Kind[];
  readonly conf: Seen<NodeConf> | null;
  /** Findings that a restart would bring. */
  readonly afterRestart: readonly Finding[];
  readonly purpose: Purpose;
}

type NodeConf = Pick<Conf, 'shell'> & { readonly settings: NodeSettings };

/**
 * Runs every rule over one target's facts, in the order given. Its kind is one of `kinds`. `planned` are the findings of
 * the settings alone: those that the live node does not have are left for the rules on a restart.
 */
export function judge(
  facts: Facts,
  given: readonly Rule[],
  kinds: readonly Kind[],
  policy: Policy | null = null,
  planned: () => readonly Finding[] = () => [],
  purpose: Purpose = 'report',
): Judgement[] {
  const live = liveOf(facts, kinds);
  const parts = live === null ? { own: null, other: null } : splitByNode(live);
  // Without a live node, the others find nothing.
  const isOffline = purpose === 'comparison' && live === null && facts.conf?.state === 'seen';
  const rules = isOffline ? given.filter(({ on }) => !ofLive.has(on)) : given;
  const known = withoutForeignProcess(facts, live);
  const subject = { ...parts, facts: known, kinds, conf: knownConf(known, kinds), afterRestart: [], purpose };
  // Without a live node, no rule depends on the findings of others.
  if (live === null) return rules.map((rule) => judgeOne(subject, rule, policy));
  const now = new Map(
    rules.filter(({ on }) => on !== 'restart').map((rule) => [rule, judgeOne(subject, rule, policy)]),
  );
  const today = [...now.values()].flatMap(({ findings }) => findings);
  const isComparable = parts.own !== null && isUp(parts.own) && isFromFile(subject.conf);
  const afterRestart = isComparable ? planned().filter((one) => !isAmong(today, one)) : [];
  return rules.map((rule) => now.get(rule) ?? judgeOne({ ...subject, afterRestart }, rule, policy));
}

/** What rules are on that look at a live node alone, or compare it with its settings. */
const ofLive: ReadonlySet<Rule['on']> = new Set(['live', 'both', 'restart']);

function isFromFile(conf: Subject['conf']): boolean {
  return conf?.state === 'seen' && conf.value.settings.source.kind !== 'process';
}

/** Whether a finding is suppressed, or found today at the same severity or a higher one. */
function isAmong(today: readonly Finding[], { rule, subject, severity, suppressed }: Finding): boolean {
  if (suppressed !== null) return true;
  return today.some(
    (one) => one.rule === rule && one.subject === subject && compareSeverity(one.severity, severity) <= 0,
  );
}

/** Drops the settings of a process whose answers say that it is no kind of node known here. */
function withoutForeignProcess(facts: Facts, live: Live | null): Facts {
  const words = facts.conf?.state === 'seen' && facts.conf.value.settings.source.kind === 'process';
  return words && live !== null && live.inPlaceOf !== null ? { ...facts, conf: null } : facts;
}

/** The settings with their kind, the callers of the deployment, and the role of the inventory. */
function knownConf({ conf, role, callers = [] }: Facts, kinds: readonly Kind[]): Subject['conf'] {
  if (conf?.state !== 'seen') return conf;
  const { settings, shell } = conf.value;
  const known = { ...withKind(kinds, settings), callers };
  return seen({ shell, settings: { ...known, ...(role === null ? {} : { role }) } });
}

function judgeOne(subject: Subject, rule: Rule, policy: Policy | null): Judgement {
  try {
    const { findings, blindSpots, applicable = true } = verdictOnParts(rule, subject, policy);
    const verdict =
      findings.length > 0
        ? 'fail'
        : blindSpots.length > 0
          ? 'undetermined'
          : applicable
            ? 'pass'
            : 'not-applicable';
    return {
      rule,
      verdict,
      findings: complete(subject.facts, rule, findings, subject.purpose),
      open: distinct(blindSpots),
    };
  } catch (error) {
    const reason = `kaiactl failed here: ${error instanceof Error ? error.message : String(error)}`;
    const open = [{ code: 'defect' as const, about: null, reason: redact(reason) }];
    return { rule, verdict: 'defect', findings: [], open };
  }
}

/**
 * Joins the verdict on the settings and their node with that on other nodes that answer at the same addresses. The two are
 * never compared, and a rule sees only the kinds that have what it needs.
 */
function verdictOnParts(
  rule: Rule,
  { facts, kinds, conf, own, other, afterRestart }: Subject,
  policy: Policy | null,
): Verdict {
  if (facts.keys !== undefined && rule.on === 'settings' && rule.ofFiles !== undefined)
    return rule.ofFiles(facts.keys);
  const kind = conf?.state === 'seen' ? conf.value.settings.kind : (own?.kind ?? null);
  const isFor = ({ kind: id }: Pick<Live, 'kind'>) =>
    rule.needs === undefined || kinds.some((one) => one.id === id && rule.needs?.(one));
  const isOwn = kind === null || isFor({ kind });
  const verdict = isOwn ? onKind(kind, rule, { conf, live: own, afterRestart }, policy) : notApplicable;
  if (other === null || !isFor(other)) return verdict;
  return joinVerdicts(
    verdict,
    onKind(other.kind, rule, { conf: null, live: other, afterRestart: [] }, policy),
  );
}

/** The verdict on a node of this kind; a policy for other kinds leaves it open. kind null: not known, or no node. */
function onKind(
  kind: string | null,
  rule: Rule,
  facts: Parameters<typeof verdictOf>[1],
  policy: Policy | null,
): Verdict {
  if (rule.byPolicy === true && policy !== null && kind !== null && policy.kinds?.includes(kind) === false)
    return decideVerdict(
      [],
      [indeterminate(null, `policy ${policy.name} is written for another kind of node`)],
    );
  return verdictOf(rule, facts, policy);
}

/** The verdict on the facts the rule asks for; settings that could not be read are a blind spot. */
function verdictOf(
  rule: Rule,
  { conf, live, afterRestart }: Pick<Subject, 'conf' | 'afterRestart'> & { readonly live: Live | null },
  policy: Policy | null,
): Verdict {
  if (rule.byPolicy === true && policy === null) return notApplicable;
  const withConf = (check: (conf: NodeConf) => Verdict): Verdict => {
    if (conf === null) return notApplicable;
    return conf.state === 'seen' ? check(conf.value) : { findings: [], blindSpots: [blindSpot(null, conf)] };
  };
  switch (rule.on) {
    case 'settings':
      return withConf(({ settings }) => rule.check(settings));
    case 'shell':
      return withConf(({ settings, shell }) =>
        shell === null ? notApplicable : rule.check(shell, settings),
      );
    case 'live':
      return live === null ? notApplicable : rule.check(live);
    case 'both':
      return withConf(({ settings }) => (live === null ? notApplicable : rule.check(settings, live)));
    case 'restart':
      return withConf(({ settings }) =>
        live === null ? notApplicable : rule.check(settings, live, afterRestart),
      );
    case 'either':
    case 'exposure': {
      const declared = withConf(({ settings }) => rule.ofSettings(settings, policy));
      const started = startedOf(conf, live, (settings) => rule.ofSettings(settings, policy));
      return withLive(
        rule.on === 'exposure' && live?.isRestartPending === true && live.started !== null
          ? inForce(declared, started)
          : withStarted(declared, started, rule.severity),
        live === null ? notApplicable : rule.ofLive(live, policy),
      );
    }
    default:
      return unreachable(rule);
  }
}

/** The verdict on the settings the process was started with, unless they are the conf itself. */
function startedOf(
  conf: Subject['conf'],
  live: Live | null,
  check: (settings: NodeSettings) => Verdict,
): Verdict {
  const settings = live?.started ?? null;
  const own = conf?.state === 'seen' && conf.value.settings.source.kind === 'process';
  if (settings === null || own) return notApplicable;
  return conf?.state === 'seen'
    ? underNamesOf(conf.value.settings, settings, check(settings))
    : check(settings);
}

/** The verdict on the settings of the process, with the names that the file has for the same flags. */
function underNamesOf(file: NodeSettings, started: NodeSettings, verdict: Verdict): Verdict {
  const names = new Map(
    Object.keys(started.values).map((flag) => [writtenName(started, flag), settingName(file, flag)]),
  );
  const findings = verdict.findings.map((one) => ({
    ...one,
    subject: names.get(one.subject) ?? one.subject,
  }));
  return { ...verdict, findings };
}

/** Without duplicates, secrets redacted. */
function distinct(blindSpots: readonly BlindSpot[]): BlindSpot[] {
  if (blindSpots.length === 0) return [];
  const all = blindSpots.map((one) => ({ ...one, reason: redact(one.reason) }));
  return [...new Map(all.map((one) => [`${one.about} ${one.reason}`, one])).values()];
}

/** Findings of the settings, the more severe of both per subject; then those of the running process alone. */
export function withStarted(declared: Verdict, started: Verdict, usual: Severity): Verdict {
  const more = new Map(started.findings.map((draft) => [draft.subject, draft]));
  const findings = declared.findings.map((draft) => {
    const running = more.get(draft.subject);
    more.delete(draft.subject);
    if (running === undefined) return draft;
    const isWorse = compareSeverity(running.severity ?? usual, draft.severity ?? usual) < 0;
    return isWorse ? running : draft;
  });
  return { ...declared, findings: [...findings, ...more.values()] };
}

/** Findings of the running process, at the places of the settings where these have the same subject. */
export function inForce(declared: Verdict, started: Verdict): Verdict {
  const places = new Map(declared.findings.map((draft) => [draft.subject, draft]));
  const findings = started.findings.map((draft) => {
    const { at, fix } = places.get(draft.subject) ?? draft;
    return { ...draft, at, fix };
  });
  return { ...declared, findings };
}

/** Findings of the settings, with evidence from the live node where there is any; then those of the live node alone. */
export function withLive(declared: Verdict, shown: Verdict): Verdict {
  const proofs = new Map(shown.findings.map((draft) => [draft.subject, draft]));
  const refuted = new Set(shown.refuted ?? []);
  const standing = declared.findings.filter(({ subject }) => !refuted.has(subject));
  const both = standing.map((draft) => {
    const proof = proofs.get(draft.subject);
    if (proof === undefined) return draft;
    proofs.delete(draft.subject);
    const { severity, message, evidence } = proof;
    const related = [...(draft.related ?? []), { at: proof.at, note: 'seen here' }];
    return {
      ...draft,
      message,
      related,
      ...(severity === undefined ? {} : { severity }),
      evidence: { ...draft.evidence, ...evidence },
    };
  });
  return {
    findings: [...both, ...proofs.values()],
    blindSpots: [...declared.blindSpots, ...shown.blindSpots],
    applicable: shown.leftOut !== true && [declared, shown].some(({ applicable }) => applicable !== false),
  };
}
