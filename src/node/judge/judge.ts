/** Rules × facts → judgements. Pure; a rule that throws becomes a defect and the others still run. */

import { redact } from '../../util/redact.js';
import { unreachable } from '../../util/unreachable.js';
import type { Conf, Facts } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { Finding } from '../facts/report.js';
import { type BlindSpot, blindSpot, indeterminate, seen, seenValue } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import { policyOfRole } from '../kinds/index.js';
import { either, worse } from './combine.js';
import { complete } from './finding.js';
import { type Live, liveOf, type Parts, partsOf } from './live/live.js';
import { found, joined, notApplicable, type Rule, type Verdict } from './rule/rule.js';

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
  const parts = live === null ? { own: null, other: null } : partsOf(live);
  const told = withRole(withoutStrangers(facts, live));
  return rules.map((rule) => judgeOne(told, parts, rule, policy));
}

/** The words of a process are no settings of this kind where what it answers is another kind of node. */
function withoutStrangers(facts: Facts, live: Live | null): Facts {
  const words = facts.conf?.state === 'seen' && facts.conf.value.settings.source.kind === 'process';
  return words && live !== null && live.inPlaceOf !== null ? { ...facts, conf: null } : facts;
}

/** The settings know the role that the inventory names. */
function withRole(facts: Facts): Facts {
  const { conf, role } = facts;
  if (conf?.state !== 'seen' || role === null) return facts;
  return { ...facts, conf: seen({ ...conf.value, settings: { ...conf.value.settings, role } }) };
}

function judgeOne(facts: Facts, parts: Parts, rule: Rule, policy: Policy | null): Judgement {
  try {
    const { findings, blindSpots, applicable = true } = verdictOnParts(rule, facts.conf, parts, policy);
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

/**
 * The settings and the node that is theirs, and whatever else answers at its addresses: the two are never compared, and
 * a rule of some kinds of node sees those alone.
 */
function verdictOnParts(
  rule: Rule,
  conf: Facts['conf'],
  { own, other }: Parts,
  policy: Policy | null,
): Verdict {
  const verdict = verdictOf(rule, conf, own, policy);
  if (other === null || !holdsFor(rule, other)) return verdict;
  if (rule.byPolicy === true && policy !== null && !holdsFor(policy, other)) {
    const why = `policy ${policy.name} is written for another kind of node`;
    return joined(verdict, found([], [indeterminate(null, why)]));
  }
  return joined(verdict, verdictOf(rule, null, other, policy));
}

function holdsFor({ kinds }: { readonly kinds?: readonly string[] }, { kind }: Live): boolean {
  return kinds === undefined || (kind !== null && kinds.includes(kind));
}

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

/** Each once, secrets masked. */
function distinct(blindSpots: readonly BlindSpot[]): BlindSpot[] {
  const all = blindSpots.map((one) => ({ ...one, reason: redact(one.reason) }));
  return [...new Map(all.map((one) => [`${one.about} ${one.reason}`, one])).values()];
}
