/** The shell while a conf is read: what it remembers, what it is sure of, and what was seen on the way. */
import type { Assignment, SyntaxIssue } from '../../facts/shell.js';
import { LineIndex } from '../text/line-index.js';
import type { Range } from '../text/range.js';
import { Memory, type Variable } from './memory.js';
import { isDynamic, isEnvironmental } from './special-variables.js';
import type { Steps } from './steps.js';
import type { Command, Redirection, SimpleCommand, Word } from './syntax.js';
import type { Value } from './value.js';

/** Where the reader writes what it sees; ranges become spans later. */
export interface Journal {
  readonly assignments: (Omit<Assignment, 'at' | 'valueAt'> & {
    readonly at: Range;
    readonly valueAt: Range;
  })[];
  readonly syntaxIssues: (Omit<SyntaxIssue, 'at'> & { readonly at: Range })[];
  readonly indeterminate: { readonly variable: string | null; readonly reason: string; readonly at: Range }[];
  /** Reasons the launcher may end while it reads the file. */
  readonly mayExit: { readonly reason: string; readonly at: Range }[];
}

/** What a line of a report takes. */
const stepsToTell = 20;

const emptyJournal = (): Journal => ({ assignments: [], syntaxIssues: [], indeterminate: [], mayExit: [] });

/** What a command's words become; `exact` is false when even their number cannot be known. */
export interface Fields {
  readonly values: readonly Value[];
  /** For each value the word it came from. */
  readonly from: readonly Word[];
  readonly exact: boolean;
}

/** Who follows a script for what its commands do, beside what they do to variables. */
export interface Observer {
  /** Each command in the order it would run, its words expanded. */
  command(shell: Shell, command: SimpleCommand, fields: Fields): void;
}

/** Called where a condition cannot be known: whether to take it as holding; null: both may be. */
export type Decide = (test: Range) => boolean | null;

export class Shell {
  memory = new Memory();
  journal = emptyJournal();
  /** Above 0 inside a branch that may not run. */
  conditional = 0;
  /** Why what follows may not be reached: until the end of the command line, or of the file. */
  doubt: { unit: string | null; file: string | null } = { unit: null, file: null };
  /** True once a command substitution was met; its exit status may become that of the assignment. */
  substituted = false;
  /** The command being followed. */
  here: Range = { start: 0, end: 0 };
  /** Names assigned since it was last cleared. */
  touched = new Set<string>();
  readonly text: string;
  private lines: LineIndex | null = null;
  /** null: only variables matter, and what runs in a subshell or a function changes none for sure. */
  readonly observer: Observer | null;
  readonly decide: Decide;
  /** The functions' bodies: read only when somebody follows the script. */
  readonly bodies = new Map<string, Command>();
  /** Calls of functions followed so far, and those that surround the command being followed. */
  calls = 0;
  depth = 0;
  /** What the variables held that the function being followed keeps to itself; null outside of functions. */
  locals: Map<string, Variable> | null = null;
  /** Where the output of the compound command around goes, the innermost last. */
  readonly outputs: (readonly Redirection[])[] = [];
  /** True in a command whose input is what the one before it writes. */
  piped = false;
  readonly steps: Steps;
  /** True for a variable that whoever reads the file takes a setting from. */
  isSetting: (name: string) => boolean = () => false;

  constructor(
    text: string,
    preset: Readonly<Record<string, Value>>,
    exported: Iterable<string>,
    steps: Steps,
    observer: Observer | null = null,
    decide: Decide = () => null,
  ) {
    this.text = text;
    this.steps = steps;
    this.observer = observer;
    this.decide = decide;
    for (const [name, value] of Object.entries(preset)) this.memory.change(name, { value });
    for (const name of exported) this.memory.change(name, { exported: true });
    for (const name of ['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'])
      this.memory.change(name, { readOnly: true });
  }

  /** True while commands are followed for what they assign only. */
  rehearsing = false;
  private readonly assigned = new Map<Command, Set<string>>();

  /** Follows commands for what they assign: nothing is written down, and the observer hears nothing. */
  rehearse(follow: () => void): void {
    const { journal } = this;
    this.journal = emptyJournal();
    this.rehearsing = true;
    try {
      follow();
    } finally {
      this.journal = journal;
      this.rehearsing = false;
    }
  }

  /** Names that a loop is known to assign, so that a loop within a loop is not analysed anew each time. */
  assignedIn(loop: Command & { kind: 'loop' }): Set<string> {
    const known = this.assigned.get(loop) ?? new Set(loop.assigns);
    this.assigned.set(loop, known);
    return known;
  }

  /** Writes down what somebody is told. @throws {Lost} since telling it takes steps, too */
  addIssue(issue: Journal['syntaxIssues'][number]): void {
    this.steps.take(stepsToTell);
    this.journal.syntaxIssues.push(issue);
  }

  /** As addIssue: why the launcher may end. */
  addExit(exit: Journal['mayExit'][number]): void {
    this.steps.take(stepsToTell);
    this.journal.mayExit.push(exit);
  }

  /** As addIssue: what cannot be known. */
  addIndeterminate(one: Journal['indeterminate'][number]): void {
    this.steps.take(stepsToTell);
    this.journal.indeterminate.push(one);
  }

  /** The line of an offset, from 1. */
  lineOf(offset: number): number {
    this.lines ??= new LineIndex('', this.text);
    return this.lines.span({ start: offset, end: offset }).line;
  }

  /** What $NAME holds; undefined: unset. */
  look(name: string): Value | undefined {
    if (!/^[A-Za-z_]/.test(name)) return name === '?' ? this.statusValue() : { unknown: `$${name}` };
    if (isDynamic(name)) return { unknown: `$${name} is set by bash itself` };
    this.steps.count(this.memory.depth / 16);
    const { value } = this.memory.of(name);
    if (value !== undefined) return value ?? undefined;
    if (this.memory.rest !== null) return this.memory.rest;
    return isEnvironmental(name) ? { unknown: `$${name} comes from the caller's environment` } : undefined;
  }

  private statusValue(): Value {
    const { status } = this.memory;
    return status === null ? { unknown: 'the exit status of a command' } : String(status);
  }

  /** Sets a variable, as sure as the moment is. The caller has checked that it is not read-only. */
  set(name: string, value: Value): Value {
    const doubt = this.doubt.file ?? this.doubt.unit;
    const { transformed, value: before, exported } = this.memory.of(name);
    let result = value;
    if (doubt !== null && before !== value) result = { unknown: doubt };
    else if (transformed !== null) result = { unknown: transformed };
    else if (isDynamic(name)) result = { unknown: `$${name} is set by bash itself` };
    this.touched.add(name);
    this.memory.change(name, { value: result, exported: exported || this.memory.exportAll });
    return result;
  }

  /** Remembers what a variable holds, to give it back when the function being followed ends. */
  keep(name: string): void {
    if (this.locals !== null && !this.locals.has(name)) this.locals.set(name, this.memory.of(name));
  }

  /** Removes a variable, or makes it unknown when the removal itself is in doubt. */
  remove(name: string): void {
    const doubt = this.doubt.file ?? this.doubt.unit;
    this.touched.add(name);
    if (doubt !== null) this.memory.change(name, { value: { unknown: doubt } });
    else this.memory.change(name, { value: null, exported: false, transformed: null });
  }

  /** After a command that may have set any variable. */
  taint(reason: string): void {
    this.steps.count(stepsToTell + this.memory.forget({ unknown: reason }));
    this.journal.indeterminate.push({ variable: null, reason, at: this.here });
  }
}
