/** The record of reading a conf: assignments, syntax issues and what cannot be known. */
import type { Assignment, SyntaxIssue } from '../../facts/shell.js';
import type { Range } from '../text/line-index.js';
import type { Steps } from '../text/steps.js';
import type { Run } from './syntax/tree.js';
import { isUnknown, type Value } from './value.js';

/** Steps per entry that a report shows. */
export const stepsPerEntry = 20;

/** An entry whose places are ranges of the text. */
type Ranged<T> = { readonly [K in keyof T]: K extends 'at' | 'valueAt' ? Range : T[K] };

export interface Recorded {
  readonly variable: string;
  readonly value: Value;
  readonly at: Range;
  readonly valueAt: Range;
  readonly kind: Assignment['kind'];
  /** Where the characters of the value are written; of NAME+=value, those that it appends. */
  readonly runs: readonly Run[];
  /** False when it holds for one command only. Default: true. */
  readonly effective?: boolean;
}

/** Runs of a value; the characters of a value of more have no place of their own. */
export const maxRuns = 200;

export class Journal {
  readonly assignments: Ranged<Assignment>[] = [];
  /** Where the characters of each variable's last value are written. */
  readonly written = new Map<string, readonly Run[]>();
  readonly syntaxIssues: Ranged<SyntaxIssue>[] = [];
  readonly indeterminate: {
    readonly variable: string | null;
    readonly reason: string;
    readonly at: Range;
  }[] = [];
  /** Reasons why the launcher may end while it reads the file. */
  readonly mayExit: { readonly reason: string; readonly at: Range }[] = [];
  /** Where bash stops reading, or may stop. */
  readonly unread: { readonly reason: string; readonly at: Range }[] = [];
  private readonly steps: Steps;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  /** @throws {Lost} beyond the limit of steps, as all of these */
  addAssignment(
    { variable, value, at, valueAt, kind, runs, effective = true }: Recorded,
    conditional: boolean,
  ): void {
    this.steps.take(4);
    this.assignments.push({
      variable,
      value: isUnknown(value) ? null : value,
      indeterminate: isUnknown(value) ? value.unknown : null,
      at: { start: at.start, end: at.end },
      valueAt: { start: valueAt.start, end: valueAt.end },
      kind,
      effective,
      conditional,
    });
    if (!effective) return;
    const before = kind === 'append' ? (this.written.get(variable) ?? []) : [];
    this.written.set(variable, [...before, ...runs].slice(0, maxRuns));
  }

  /** `likelyMistake` is true by default. */
  addIssue(issue: Omit<Ranged<SyntaxIssue>, 'likelyMistake'> & { readonly likelyMistake?: boolean }): void {
    this.steps.take(stepsPerEntry);
    this.syntaxIssues.push({ ...issue, likelyMistake: issue.likelyMistake ?? true });
  }

  addExit(exit: Journal['mayExit'][number]): void {
    this.steps.take(stepsPerEntry);
    this.mayExit.push(exit);
  }

  addIndeterminate(one: Journal['indeterminate'][number]): void {
    this.steps.take(stepsPerEntry);
    this.indeterminate.push(one);
  }
}
