/** Totals over all targets of a report. Of each target only its name is kept. */

import { count } from '../../util/words.js';
import type { ReportStream, TargetReport, Targets } from '../facts/report.js';
import { compareSeverity, type FailOn, forSeverities, type Severity, severities } from '../facts/severity.js';
import { type Folder, folderOf } from './folder.js';
import { acceptedCriticals, isLive, isSimulated } from './listing.js';

/** A rule with open findings, and the targets that have them. */
export interface Cause {
  readonly rule: string;
  /** The worst of its findings. */
  readonly severity: Severity;
  /** The index of its first finding of that severity. */
  readonly first: number;
  /** Targets. */
  readonly count: number;
  /** Targets by the worst of their findings of this rule. */
  readonly at: Readonly<Partial<Record<Severity, number>>>;
  /** The first names of targets with a finding of the worst severity, and of those without any. */
  readonly having: readonly string[];
  readonly lacking: readonly string[];
}

export interface RollUp {
  /** Targets. */
  readonly count: number;
  /** Files; one file may start several nodes. */
  readonly files: number;
  readonly verdicts: Readonly<Record<TargetReport['verdict'], number>>;
  /** Findings that are not suppressed. */
  readonly findings: number;
  /** Targets with such a finding by severity, with a suppressed one, and with a check that is undetermined. */
  readonly having: Readonly<Record<Severity | 'suppressed' | 'undetermined', number>>;
  /** Suppressed critical findings. */
  readonly accepted: number;
  /** The most severe first; of the same severity, those of most targets. */
  readonly causes: readonly Cause[];
  /** Every rule with a finding, suppressed ones too. */
  readonly rules: ReadonlySet<string>;
  /** The values of --fail-on of the targets. */
  readonly thresholds: ReadonlySet<FailOn>;
  /** Whether at least one target was audited. */
  readonly live: boolean;
  /** Whether all interfaces are known from settings only. */
  readonly offline: boolean;
  /** Whether the node of at least one target is simulated. */
  readonly simulated: boolean;
  /** The ranks of the targets, the worst first. */
  readonly ranks: readonly number[];
  /** The names of all targets, and the shortest name of each that no other target has. */
  readonly names: readonly string[];
  readonly nameOf: (name: string) => string;
  /** The folder that all of their files are in. */
  readonly folder: Folder;
}

/** More names than any format shows in a line. */
const maxNames = 60;

/** Iterates over the targets once. */
export async function rollUp({ targets, failOn }: ReportStream): Promise<RollUp> {
  const verdicts = { pass: 0, suppressed: 0, fail: 0, undetermined: 0 };
  const having = { ...forSeverities<number>(0, 0, 0, 0, 0), suppressed: 0, undetermined: 0 };
  const ranks = new Set<number>();
  const names: string[] = [];
  const causes = new Causes();
  const rules = new Set<string>();
  const thresholds = new Set<FailOn>();
  let [findings, accepted, interfaces, unasked, live, simulated] = [0, 0, 0, 0, false, false];
  const paths = new Set<string>();
  for await (const target of targets) {
    verdicts[target.verdict] += 1;
    findings += target.findings.filter(({ suppressed }) => suppressed === null).length;
    accepted += acceptedCriticals(target).length;
    for (const one of new Set(openIn(target).map(({ severity }) => severity))) having[one] += 1;
    if (target.findings.some(({ suppressed }) => suppressed !== null)) having.suppressed += 1;
    if (target.undetermined.length > 0) having.undetermined += 1;
    for (const { rule } of target.findings) rules.add(rule);
    thresholds.add(target.failOn ?? failOn);
    live ||= isLive(target);
    interfaces += target.interfaces.length;
    unasked += target.interfaces.filter(({ state }) => state === 'not-checked').length;
    simulated ||= isSimulated(target);
    ranks.add(rankOf(target));
    names.push(target.name);
    paths.add(target.conf?.path ?? target.undetermined[0]?.at?.file ?? target.files?.[0] ?? target.name);
    causes.add(target);
  }
  const counts = { count: causes.targets, files: paths.size, verdicts, findings, having, accepted };
  const offline = interfaces > 0 && unasked === interfaces;
  const found = { causes: causes.all(), rules, thresholds, live, offline, simulated };
  return {
    ...counts,
    ...found,
    ranks: [...ranks].sort((a, b) => a - b),
    names,
    nameOf: shortNames(names),
    folder: folderOf(paths),
  };
}

/** The targets, the worst first: failing, undetermined, suppressed and passing ones, each by their worst finding. */
export async function* worstFirst(targets: Targets, { ranks }: RollUp): AsyncGenerator<TargetReport> {
  for (const rank of ranks) for await (const target of targets) if (rankOf(target) === rank) yield target;
}

/** The first of them. */
export async function firstWorst(targets: Targets, all: RollUp, max: number): Promise<TargetReport[]> {
  const some: TargetReport[] = [];
  for await (const one of worstFirst(targets, all)) if (some.push(one) === max) break;
  return some;
}

const verdictOrder = ['fail', 'undetermined', 'suppressed', 'pass'] as const;

function rankOf(target: TargetReport): number {
  const ranks = openIn(target).map(({ severity }) => severities.indexOf(severity));
  return verdictOrder.indexOf(target.verdict) * 10 + Math.min(severities.length, ...ranks);
}

/** Findings that are not suppressed, those that another target reports too. */
export function openIn({ findings, shared = [] }: Pick<TargetReport, 'findings' | 'shared'>) {
  return [...findings.filter(({ suppressed }) => suppressed === null), ...shared];
}

type Growing = { -readonly [key in keyof Cause]: Mutable<Cause[key]> };
type Mutable<T> = T extends readonly string[]
  ? string[]
  : T extends object
    ? { -readonly [key in keyof T]: T[key] }
    : T;

class Causes {
  targets = 0;
  #findings = 0;
  readonly #names: string[] = [];
  readonly #causes = new Map<string, Growing>();

  add(target: TargetReport): void {
    /** By rule, the worst severity of its findings here. */
    const own = new Map<string, Severity>();
    for (const { rule, severity } of openIn(target)) {
      this.#findings += 1;
      if (compareSeverity(severity, own.get(rule) ?? 'info') <= 0) own.set(rule, severity);
      const cause = this.#causes.get(rule);
      if (cause === undefined) {
        const lacking = [...this.#names];
        this.#causes.set(rule, {
          rule,
          severity,
          first: this.#findings,
          count: 0,
          at: {},
          having: [],
          lacking,
        });
      } else if (compareSeverity(severity, cause.severity) < 0)
        Object.assign(cause, { severity, first: this.#findings, having: [] });
    }
    for (const cause of this.#causes.values()) {
      const severity = own.get(cause.rule);
      if (severity !== undefined) {
        cause.count += 1;
        cause.at[severity] = (cause.at[severity] ?? 0) + 1;
      }
      const names = severity === undefined ? cause.lacking : severity === cause.severity ? cause.having : [];
      if (names.length < maxNames) names.push(target.name);
    }
    if (this.#names.length < maxNames) this.#names.push(target.name);
    this.targets += 1;
  }

  all(): readonly Cause[] {
    return [...this.#causes.values()].sort(byWeight);
  }
}

function byWeight(a: Cause, b: Cause): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    (b.at[b.severity] ?? 0) - (a.at[a.severity] ?? 0) ||
    b.count - a.count ||
    (a.rule < b.rule ? -1 : 1)
  );
}

/** `9 critical · 101 medium` for each severity that targets have; `name` may add to a severity. */
export function countsOf({ at }: Cause, name: (severity: Severity) => string = (one) => one): string {
  const some = severities.filter((one) => (at[one] ?? 0) > 0);
  return some.map((one) => `${at[one]} ${name(one)}`).join(' · ');
}

/** Exceptions that are named. */
const maxExceptions = 3;

/**
 * Which targets have the finding: `all`, `all but` at most three, else the first ones of the worst severity and how many
 * more there are. At most `room` names are written, each in the way of a format.
 */
export function whichOf(
  { count: some, at, severity, having, lacking }: Cause,
  { count: of, nameOf }: RollUp,
  room: number,
  format: (name: string) => string,
): string {
  const shown = (names: readonly string[], total: number): string => {
    const first = names.slice(0, room).map((name) => format(nameOf(name)));
    return `${first.join(', ')}${total > room ? ` and ${total - room} more` : ''}`;
  };
  const worst = at[severity] ?? 0;
  if (some === worst && some === of) return 'all';
  const rest = of - some;
  if (some === worst && rest <= maxExceptions && rest < some) return `all but ${shown(lacking, rest)}`;
  return shown(having, worst);
}

/** The worst verdict of all targets; undetermined without targets. */
export function verdictOf({ verdicts }: RollUp): TargetReport['verdict'] {
  return verdictOrder.find((one) => verdicts[one] > 0) ?? 'undetermined';
}

/** `2 of 3 targets fail`. */
export function headline(all: RollUp): string {
  if (all.count === 0) return 'Nothing was looked at';
  const worst = verdictOf(all);
  const number = all.verdicts[worst];
  const some = `${number} of ${count(all.count, 'target')}`;
  if (worst === 'fail') return `${some} ${number === 1 ? 'fails' : 'fail'}`;
  if (worst === 'undetermined') return `${some} not fully seen`;
  if (worst === 'suppressed') return `No finding fails, ${all.accepted} critical suppressed`;
  return all.count === 1 ? 'The target passes' : `All ${all.count} targets pass`;
}

/**
 * The shortest end of a path that no other name has, in whole folders: `conf/kend.conf` of `/srv/en-1/conf/kend.conf`.
 * A name that is no path, such as a URL or that of a process, stays whole.
 */
export function shortNames(names: Iterable<string>): (name: string) => string {
  const all = [...new Set(names)]
    .filter((name) => !name.includes('://') && !ofProcess.test(name))
    .map((name) => ({ name, parts: splitName(name).reverse() }));
  all.sort((a, b) => (a.parts.join('\0') < b.parts.join('\0') ? -1 : 1));
  const short = new Map<string, string>();
  for (const [at, { name, parts }] of all.entries()) {
    const shared = Math.max(...[at - 1, at + 1].map((other) => sharedParts(parts, all[other]?.parts ?? [])));
    const end = parts.slice(0, shared + 1).reverse();
    short.set(name, end.join('/'));
  }
  return (name) => short.get(name) ?? name;
}

/** `ken /var/kend/data`, `ken of kend.service`: a program is told by all of it. */
const ofProcess = /^[\w.-]+ (?:\/|of |in )/;

/** The folders, then the file together with the name of its node: `a/compose.yml: en` has two parts. */
function splitName(name: string): string[] {
  const end = name.indexOf(': ');
  const path = end < 0 ? name : name.slice(0, end);
  const parts = path.split('/');
  return [...parts.slice(0, -1), parts.at(-1) + name.slice(path.length)];
}

function sharedParts(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}
