/** The shell while a conf is read: what it remembers, what it is sure of, and what was seen on the way. */
import type { Assignment, SyntaxIssue } from '../../facts/shell.js';
import { LineIndex } from '../line-index.js';
import { Lost } from './leave.js';
import type { Memory } from './memory.js';
import { isDynamic, isEnvironmental } from './special-variables.js';
import type { Command, Range, Redirection, SimpleCommand, Word } from './syntax.js';
import type { Value } from './value.js';

/** Where the reader writes what it sees; ranges become spans later. */
export interface Journal {
  readonly assignments: (Omit<Assignment, 'at' | 'valueAt'> & {
    readonly at: Range;
    readonly valueAt: Range;
  })[];
  readonly syntaxIssues: (Omit<SyntaxIssue, 'at'> & { readonly at: Range })[];
  readonly indeterminate: { readonly variable: string | null; readonly reason: string; readonly at: Range }[];
}

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

const maxWork = 2_000_000;

export class Shell {
  memory: Memory;
  readonly journal: Journal = { assignments: [], syntaxIssues: [], indeterminate: [] };
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
  /** Reasons the launcher may end while it reads the file. */
  readonly mayExit: { readonly reason: string; readonly at: Range }[] = [];
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
  locals: Map<string, { readonly value: Value | undefined; readonly exported: boolean }> | null = null;
  /** Where the output of the compound command around goes, the innermost last. */
  readonly outputs: (readonly Redirection[])[] = [];
  /** True in a command whose input is what the one before it writes. */
  piped = false;
  private work = 0;

  constructor(
    text: string,
    preset: Readonly<Record<string, Value>>,
    exported: Iterable<string>,
    observer: Observer | null = null,
    decide: Decide = () => null,
  ) {
    this.text = text;
    this.observer = observer;
    this.decide = decide;
    this.memory = {
      variables: new Map(Object.entries(preset)),
      exported: new Set(exported),
      readOnly: new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']),
      transformed: new Map(),
      functions: new Set(),
      removed: new Set(),
      rest: null,
      exportAll: false,
      status: 0,
    };
  }

  /** The line of an offset, from 1. */
  lineOf(offset: number): number {
    this.lines ??= new LineIndex('', this.text);
    return this.lines.span({ start: offset, end: offset }).line;
  }

  /** Counts work, so that nested loops over nothing end. @throws {Lost} */
  step(amount = 1): void {
    this.work += amount;
    if (this.work > maxWork) throw new Lost('the file takes too many steps to follow');
  }

  /** What $NAME holds; undefined: unset. */
  look(name: string): Value | undefined {
    if (!/^[A-Za-z_]/.test(name)) return name === '?' ? this.statusValue() : { unknown: `$${name}` };
    if (isDynamic(name)) return { unknown: `$${name} is set by bash itself` };
    const value = this.memory.variables.get(name);
    if (value !== undefined || this.memory.removed.has(name)) return value;
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
    const transformed = this.memory.transformed.get(name);
    let result = value;
    if (doubt !== null && this.memory.variables.get(name) !== value) result = { unknown: doubt };
    else if (transformed !== undefined) result = { unknown: transformed };
    else if (isDynamic(name)) result = { unknown: `$${name} is set by bash itself` };
    this.touched.add(name);
    this.memory.variables.set(name, result);
    if (this.memory.exportAll) this.memory.exported.add(name);
    return result;
  }

  /** Remembers what a variable holds, to give it back when the function being followed ends. */
  keep(name: string): void {
    const { variables, exported } = this.memory;
    if (this.locals !== null && !this.locals.has(name))
      this.locals.set(name, { value: variables.get(name), exported: exported.has(name) });
  }

  /** Removes a variable, or makes it unknown when the removal itself is in doubt. */
  remove(name: string): void {
    const doubt = this.doubt.file ?? this.doubt.unit;
    this.touched.add(name);
    if (doubt !== null) {
      this.memory.variables.set(name, { unknown: doubt });
      return;
    }
    this.memory.variables.delete(name);
    this.memory.exported.delete(name);
    this.memory.transformed.delete(name);
    this.memory.removed.add(name);
  }

  /** After a command that may have set any variable. */
  taint(reason: string): void {
    this.work += this.memory.variables.size / 4;
    const unknown = { unknown: reason };
    for (const name of this.memory.variables.keys()) this.memory.variables.set(name, unknown);
    this.memory.rest = unknown;
    this.journal.indeterminate.push({ variable: null, reason, at: this.here });
    this.memory.removed.clear();
    this.memory.status = null;
  }
}
