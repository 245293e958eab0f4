/** Findings of all targets by cause, in bounded memory. */
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import type { Finding, ReportStream, TargetReport } from '../facts/report.js';
import { atLeast, compareSeverity, type FailOn, isWhole } from '../facts/severity.js';
import { type Listed, saidTogether } from './listing.js';
import { formatPlace } from './text-finding.js';

/** Findings of one rule and severity that one sentence describes. */
export interface Group {
  readonly first: Listed;
  /** The places of the others, at most `maxPlaces`. */
  readonly places: Listed[];
  /** All of them, the first too. */
  count: number;
}

export interface Cause {
  readonly failing: boolean;
  /** Its findings by subject, at most `maxGroups`. */
  readonly groups: Map<string, Group>;
  /** Findings in no group. */
  left: number;
}

const maxPlaces = 20;
const maxGroups = 40;

/** The findings of all targets by cause, failing ones first, then by severity. Iterates over the targets once. */
export async function causesOf(
  { targets, failOn }: Pick<ReportStream, 'targets' | 'failOn'>,
  isShown: (target: TargetReport) => boolean = () => true,
): Promise<readonly Cause[]> {
  const all = new Map<string, Cause>();
  for await (const target of targets) {
    if (!isShown(target)) continue;
    for (const one of saidTogether(target.findings))
      add(all, { target: target.name, ...one }, target.failOn ?? failOn);
  }
  return merged([...all.values()].sort(byWeight));
}

/** Rules that let any web page in: together they are one cause. */
const accessRules = new Set(['wildcard-cors', 'wildcard-vhosts', 'wildcard-origins']);

/** The rule, and the policy that it compares with: what is said of one policy is not true of another. */
const nameOf = ({ rule, evidence }: Finding) => `${rule} ${evidence?.policy ?? ''}`;

/** Failing findings of one rule are one cause, the most severe first. */
function merged(sorted: readonly Cause[]): Cause[] {
  const rules = groupBy(sorted, (cause) => {
    const { rule, severity } = leadOf(cause).finding;
    const isAccess = accessRules.has(rule) && atLeast(severity, 'medium');
    const name = isAccess ? 'access' : nameOf(leadOf(cause).finding);
    return cause.failing ? name : `${name} ${severity}`;
  });
  return [...rules.values()].map((causes) => ({
    failing: causes.some(({ failing }) => failing),
    groups: new Map(
      causes.flatMap(({ groups }, at) => [...groups].map(([key, one]) => [`${at} ${key}`, one])),
    ),
    left: causes.reduce((sum, { left }) => sum + left, 0),
  }));
}

function add(all: Map<string, Cause>, listed: Listed, failOn: FailOn): void {
  const { severity, subject } = listed.finding;
  const failing = isWhole(listed.finding, failOn);
  const key = `${failing} ${severity} ${nameOf(listed.finding)}`;
  const cause = all.get(key) ?? { failing, groups: new Map(), left: 0 };
  all.set(key, cause);
  const group = cause.groups.get(subject);
  if (group !== undefined) {
    group.count += 1;
    if (group.places.length < maxPlaces) group.places.push(listed);
  } else if (cause.groups.size < maxGroups)
    cause.groups.set(subject, { first: listed, places: [], count: 1 });
  else cause.left += 1;
}

function byWeight(a: Cause, b: Cause): number {
  const severity = (cause: Cause) => leadOf(cause).finding.severity;
  return Number(b.failing) - Number(a.failing) || compareSeverity(severity(a), severity(b));
}

/** Its most severe finding, the first of them. */
export function leadOf({ groups }: Cause): Listed {
  const [group] = groups.values();
  if (group === undefined) throw new Error('a cause without a finding');
  return group.first;
}

/** Whether no open finding is above low and none fails: such a target is one line. */
export function isMinor(target: TargetReport, failOn: FailOn): boolean {
  return target.findings.every(
    (one) =>
      one.suppressed !== null || !(atLeast(one.severity, 'medium') || isWhole(one, target.failOn ?? failOn)),
  );
}

/** `low wildcard-cors 14:2, info opaque-value 3:1`: the findings of a target that is one line. */
export function minorOf(target: TargetReport): string {
  const places = target.findings
    .filter(({ suppressed }) => suppressed === null)
    .map(({ severity, rule, at }) => {
      const own = !('endpoint' in at) && at.file === target.conf?.path;
      return `${severity} ${rule} ${own ? `${at.line}:${at.column}` : formatPlace(at)}`;
    });
  return visible(places.join(', '), 2_000);
}
