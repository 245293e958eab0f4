/** Rules × facts → judgements. Pure; a rule that throws becomes a defect and the others still run. */

import { shortHash } from '../../util/hash.js';
import { redact } from '../../util/redact.js';
import { unreachable } from '../../util/unreachable.js';
import type { Conf, Facts } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { Finding, Place } from '../facts/report.js';
import { type BlindSpot, blindSpot, seen, seenValue } from '../facts/seen.js';
import type { Settings, Source } from '../facts/settings.js';
import { compareSeverity, type Severity } from '../facts/severity.js';
import { policyOfRole } from '../kinds/kaia/policies.js';
import type { Fix } from './fix.js';
import { type Live, liveOf } from './live.js';
import type { Draft, Meta, Rule, Verdict } from './rule.js';

/** What became of one rule on one target. */
export interface Judgement {
  readonly rule: Rule;
  readonly verdict: 'pass' | 'fail' | 'undetermined' | 'not-applicable' | 'defect';
  readonly findings: readonly Finding[];
  /** What stays open, and why; with `defect`, what went wrong. */
  readonly open: readonly BlindSpot[];
}

/** Runs every rule over one target's facts, in the order given; the policy is the role's if none is named. */
export function judge(facts: Facts, rules: readonly Rule[], policy = policyOfRole(facts.role)): Judgement[] {
  const live = liveOf(facts);
  const told = withRole(facts);
  return rules.map((rule) => judgeOne(told, live, rule, policy));
}

/** The settings know the role that the inventory names. */
function withRole(facts: Facts): Facts {
  const { conf, role } = facts;
  if (conf?.state !== 'seen' || role === null) return facts;
  return { ...facts, conf: seen({ ...conf.value, settings: { ...conf.value.settings, role } }) };
}

function judgeOne(facts: Facts, live: Live | null, rule: Rule, policy: Policy | null): Judgement {
  try {
    const { findings, blindSpots, applicable = true } = verdictOf(rule, facts.conf, live, policy);
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
      findings: complete(facts, rule, findings),
      open: distinct(blindSpots),
    };
  } catch (error) {
    const reason = `kaiactl failed here: ${error instanceof Error ? error.message : String(error)}`;
    const open = [{ code: 'defect' as const, about: null, reason: redact(reason) }];
    return { rule, verdict: 'defect', findings: [], open };
  }
}

const notApplicable: Verdict = { findings: [], blindSpots: [], applicable: false };

/** What the rule says of what it looks at; a conf that was asked for and could not be read is a blind spot. */
function verdictOf(rule: Rule, conf: Facts['conf'], live: Live | null, policy: Policy | null): Verdict {
  if (rule.byPolicy === true && policy === null) return notApplicable;
  const withConf = (check: (conf: Conf) => Verdict): Verdict => {
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
    case 'either':
      return either(
        worse(
          withConf(({ settings }) => rule.ofSettings(settings, policy)),
          startedOf(conf, live, (settings) => rule.ofSettings(settings, policy)),
          rule.severity,
        ),
        live === null ? notApplicable : rule.ofLive(live, policy),
      );
    default:
      return unreachable(rule);
  }
}

/** What the running process was started with, where that is not the conf itself. */
function startedOf(conf: Facts['conf'], live: Live | null, check: (settings: Settings) => Verdict): Verdict {
  const settings = live === null ? null : (seenValue(live.process)?.settings ?? null);
  const own = conf?.state === 'seen' && conf.value.settings.source.kind === 'process';
  return settings === null || own ? notApplicable : check(settings);
}

/** Findings of the conf, each as severe as what runs makes it; then what only the running process opens. */
function worse(said: Verdict, started: Verdict, usual: Severity): Verdict {
  const more = new Map(started.findings.map((draft) => [draft.subject, draft]));
  const findings = said.findings.map((draft) => {
    const running = more.get(draft.subject);
    more.delete(draft.subject);
    if (running === undefined) return draft;
    const isWorse = compareSeverity(running.severity ?? usual, draft.severity ?? usual) < 0;
    return isWorse ? running : draft;
  });
  return { ...said, findings: [...findings, ...more.values()] };
}

/** Findings of the settings, each with its proof if the node shows one; then what only the node shows. */
function either(said: Verdict, shown: Verdict): Verdict {
  const proofs = new Map(shown.findings.map((draft) => [draft.subject, draft]));
  const refuted = new Set(shown.refuted ?? []);
  const standing = said.findings.filter(({ subject }) => !refuted.has(subject));
  const both = standing.map((draft) => {
    const proof = proofs.get(draft.subject);
    if (proof === undefined) return draft;
    proofs.delete(draft.subject);
    const { severity, message, evidence } = proof;
    const related = [...(draft.related ?? []), { at: proof.at, note: 'seen there' }];
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
    blindSpots: [...said.blindSpots, ...shown.blindSpots],
    applicable: said.applicable !== false || shown.applicable !== false,
  };
}

/** Each once, secrets masked. */
function distinct(blindSpots: readonly BlindSpot[]): BlindSpot[] {
  const all = blindSpots.map((one) => ({ ...one, reason: redact(one.reason) }));
  return [...new Map(all.map((one) => [`${one.about} ${one.reason}`, one])).values()];
}

/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
export function complete(
  facts: Facts,
  rule: Pick<Meta, 'id' | 'title' | 'severity' | 'perModule'>,
  drafts: readonly Draft[],
): Finding[] {
  const source = facts.conf?.state === 'seen' ? facts.conf.value.settings.source : null;
  return drafts.map((draft) => {
    const severity = draft.severity ?? rule.severity;
    const line = sourceLine(source, draft.at);
    return {
      rule: rule.id,
      severity,
      title: rule.title,
      message: redact(draft.message),
      fix: redact(draft.fix.say),
      subject: redact(draft.subject),
      at: draft.at,
      source: line,
      related: (draft.related ?? []).map(({ at, note }) => ({ at, note, source: sourceLine(source, at) })),
      evidence: draft.evidence ?? null,
      ...editsOf(draft.fix, source),
      ...alternativesOf(draft.fix, source),
      fingerprint: fingerprintOf(rule, { subject: redact(draft.subject), source: line }, placeName(draft.at)),
      suppressed: null,
    };
  });
}

/** What is masked cannot be written as it stands, and the words of a process cannot be written at all. */
function editsOf({ edits = [], safety }: Fix, source: Source | null): Pick<Finding, 'edits' | 'safety'> {
  const written = edits.every(({ at, text }) => !/^pid \d+$/.test(at.file) && redact(text) === text);
  const shown = written ? edits : [];
  return {
    edits: shown.map(({ at, text }) => ({ ...at, text, source: sourceLine(source, at) })),
    safety: shown.length === 0 ? null : safety,
  };
}

function alternativesOf({ alternatives }: Fix, source: Source | null): Pick<Finding, 'alternatives'> {
  if (alternatives === undefined) return {};
  return {
    alternatives: alternatives.map((one) => {
      const { edits = [], safety = null } = editsOf(one, source);
      return { fix: redact(one.say), edits, safety };
    }),
  };
}

/** A line longer than this is cut: nobody reads it, and a report must stay small. */
const longestLine = 2_000;

function sourceLine(source: Source | null, at: Place): string | null {
  if ('endpoint' in at || (at.endLine === at.line && at.endColumn === at.column && at.column === 1))
    return null;
  const lines = at.file === source?.path ? source.lines : (source?.others?.[at.file] ?? []);
  const line = lines[at.line - 1];
  return line === undefined ? null : redact(line.slice(0, longestLine));
}

/** A file's name without a leading ./, an endpoint as it is: never the line, so that moving it changes nothing. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : at.file.replace(/^(?:\.\/)+/, '');
}

/**
 * Where a list can grow the subject names the module, and the line may change; elsewhere a changed line is a new case.
 * `place` is the file's name or the endpoint.
 */
export function fingerprintOf(
  { id, perModule }: Pick<Meta, 'id' | 'perModule'>,
  { subject, source }: Pick<Finding, 'subject' | 'source'>,
  place: string,
): string {
  return shortHash(id, place, subject, perModule === true ? '' : squeeze(source ?? ''));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Most severe first; then by place; then by rule. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) || comparePlaces(a.at, b.at) || compareText(a.rule, b.rule),
  );
}

function comparePlaces(a: Place, b: Place): number {
  if ('endpoint' in a || 'endpoint' in b) {
    if ('endpoint' in a && 'endpoint' in b) return compareText(a.endpoint, b.endpoint);
    return 'endpoint' in a ? 1 : -1;
  }
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** By code unit: the same on every machine, unlike a locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
