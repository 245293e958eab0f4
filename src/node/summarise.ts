/** Builds the report of all targets: totals and the exit code. */
import { type ExitCode, exit } from '../errors.js';
import {
  type Changes,
  type Counted,
  type Report,
  type RuleInfo,
  type TargetReport,
  unansweredQuestions,
} from './facts/report.js';
import { type FailOn, fails, forSeverities } from './facts/severity.js';
import type { Rule } from './judge/rule/rule.js';
import { rules as allRules } from './rules/index.js';

export interface SummaryOptions {
  readonly version: string;
  /** The address of the project; its rule pages are below it. */
  readonly homepage?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly failOn: FailOn;
  /** Whether undetermined checks do not affect the exit code. */
  readonly allowBlind?: boolean;
  /** Whether findings and undetermined checks do not affect the exit code. */
  readonly exitZero?: boolean;
  /** Whether a signal ended the run early: the report is partial. */
  readonly interrupted?: boolean;
  /** Whether an input file could not be read or parsed. */
  readonly inputFailed?: boolean;
  /** How many files and folders were excluded from the search. */
  readonly excluded?: number;
  /** Default: every rule. */
  readonly rules?: readonly Rule[];
}

/** One report of the targets, in the given order. */
export function summarise(
  targets: readonly TargetReport[],
  options: SummaryOptions,
): Report & { readonly exitCode: ExitCode } {
  const tally = new Tally(options.failOn);
  for (const target of targets) tally.add(target);
  return tally.report(targets, options);
}

/** Counts findings target by target, so that targets need not be kept in memory. */
export class Tally {
  readonly #failOn: FailOn;
  readonly #counts: Record<Counted, number> = {
    targets: 0,
    ...forSeverities(0, 0, 0, 0, 0),
    suppressed: 0,
    undetermined: 0,
  };
  #changed: Changes = { hidden: 0, severities: 0, suppressed: 0, acknowledged: 0 };
  readonly #rules = new Set<string>();
  #defect = false;
  #failing = false;

  /** @param failOn for targets without their own */
  constructor(failOn: FailOn) {
    this.#failOn = failOn;
  }

  add(target: TargetReport): void {
    const { findings, shared = [], undetermined, failOn = this.#failOn, changed } = target;
    this.#counts.targets += 1;
    const comments = findings.filter(({ suppressed }) => suppressed !== null && suppressed.baseline !== true);
    this.#changed = addChanges(this.#changed, {
      hidden: 0,
      severities: 0,
      ...changed,
      suppressed: comments.length,
      acknowledged: undetermined.length - unansweredQuestions({ undetermined }).length,
    });
    this.#failing ||= shared.some((one) => fails({ ...one, suppressed: null }, failOn));
    const open = unansweredQuestions({ undetermined });
    this.#counts.undetermined += open.length;
    for (const finding of findings) {
      this.#rules.add(finding.rule);
      this.#counts[finding.suppressed === null ? finding.severity : 'suppressed'] += 1;
      this.#failing ||= fails(finding, failOn);
    }
    for (const { rule, defect } of open) {
      this.#rules.add(rule);
      this.#defect ||= defect === true;
    }
  }

  /** The report of the added targets; `targets` may be a stream of them. */
  report<T>(
    targets: T,
    options: SummaryOptions,
  ): Omit<Report, 'targets' | 'exitCode'> & { readonly targets: T; readonly exitCode: ExitCode } {
    return {
      schema: 'kaiactl/report-1',
      tool: {
        name: 'kaiactl',
        version: options.version,
        ...(options.homepage === undefined ? {} : { homepage: options.homepage }),
      },
      startedAt: new Date(options.startedAt).toISOString(),
      finishedAt: new Date(options.finishedAt).toISOString(),
      targets,
      rules: this.#ruleInfos(options),
      failOn: options.failOn,
      summary: {
        ...this.#counts,
        ...(options.excluded ? { excluded: options.excluded } : {}),
        ...(Object.values(this.#changed).some((count) => count > 0) ? { changed: this.#changed } : {}),
      },
      exitCode: this.#exitCode(options),
    };
  }

  /** Precedence: interrupted, defect, input, findings, undetermined, ok. */
  #exitCode(options: SummaryOptions): ExitCode {
    if (options.interrupted === true) return exit.interrupted;
    if (this.#defect) return exit.defect;
    if (options.inputFailed === true) return exit.usage;
    if (options.exitZero === true) return exit.ok;
    if (this.#failing) return exit.failed;
    return this.#counts.undetermined > 0 && options.allowBlind !== true ? exit.unseen : exit.ok;
  }

  #ruleInfos({ rules = allRules, homepage, version }: SummaryOptions): RuleInfo[] {
    const page = (id: string) => (homepage === undefined ? {} : { page: rulePage(id, homepage, version) });
    return rules
      .filter(({ id }) => this.#rules.has(id))
      .map(({ id, severity, title, why, fix }) => ({ id, severity, title, why, fix, ...page(id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** The address of the page of a rule, below that of the project. */
export function rulePage(id: string, homepage: string, version: string): string {
  // npm adds #readme to the address of a repository.
  return `${homepage.replace(/\/?(?:#.*)?$/, '')}/blob/v${version}/docs/rules/${id}.md`;
}

/** The sum of two. */
export function addChanges(a: Changes, b: Changes): Changes {
  return {
    hidden: a.hidden + b.hidden,
    severities: a.severities + b.severities,
    suppressed: a.suppressed + b.suppressed,
    acknowledged: a.acknowledged + b.acknowledged,
  };
}
