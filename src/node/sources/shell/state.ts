/** The shell's memory while a conf is read: variables known, unknown and unset. */
import type { Assignment, SyntaxIssue } from '../../facts/shell.js';
import type { Command, Range, Redirection, SimpleCommand, Word } from './syntax.js';

/** A value that cannot be known without running something; says why. */
export interface Unknown {
  readonly unknown: string;
}
export type Value = string | Unknown;

export function isUnknown(value: Value | undefined): value is Unknown {
  return typeof value === 'object';
}

/** Bash drops the rest of the command line it has read (a failing expansion). */
export class Discard extends Error {}

/** Bash stops reading the file (`return`), or the launcher itself ends (`exit`, ${X:?}). */
export class Stop extends Error {
  readonly how: 'return' | 'exit';
  readonly at: Range;

  constructor(how: Stop['how'], reason: string, at: Range) {
    super(reason);
    this.how = how;
    this.at = at;
  }
}

/** Nothing can be said about anything from here on. */
export class Lost extends Error {}

/** Where the reader writes what it sees; ranges become spans later. */
export interface Journal {
  readonly assignments: (Omit<Assignment, 'at' | 'valueAt'> & {
    readonly at: Range;
    readonly valueAt: Range;
  })[];
  readonly syntaxIssues: (Omit<SyntaxIssue, 'at'> & { readonly at: Range })[];
  readonly indeterminate: { readonly variable: string | null; readonly reason: string; readonly at: Range }[];
}

/** Everything that a branch may or may not change. */
export interface Memory {
  variables: Map<string, Value>;
  exported: Set<string>;
  readOnly: Set<string>;
  /** Variables whose assignments bash transforms (integers, arrays, case): why their value is unknown. */
  transformed: Map<string, string>;
  functions: Set<string>;
  /** Names that were unset on purpose: neither `rest` nor the caller's environment fills them again. */
  removed: Set<string>;
  /** What a name that was never assigned holds, once a command outside the subset may have set it. */
  rest: Unknown | null;
  exportAll: boolean;
  /** Exit status of the last command; null when unknown. */
  status: number | null;
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

/** Longest value kept; longer ones (A=$A$A again and again) are unknown. */
export const maxValue = 1 << 16;
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
  private readonly lineEnds: number[] = [];
  /** null: only variables matter, and what runs in a subshell or a function changes none for sure. */
  readonly observer: Observer | null;
  readonly decide: Decide;
  /** The functions' bodies: read only when somebody follows the script. */
  readonly bodies = new Map<string, Command>();
  /** Calls of functions followed so far, and those that surround the command being followed. */
  calls = 0;
  depth = 0;
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
    if (this.lineEnds.length === 0) {
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
        this.lineEnds.push(at);
    }
    let [low, high] = [0, this.lineEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.lineEnds[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
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

/** A copy that later changes do not reach. */
export function copyOf(memory: Memory): Memory {
  return {
    ...memory,
    variables: new Map(memory.variables),
    exported: new Set(memory.exported),
    readOnly: new Set(memory.readOnly),
    transformed: new Map(memory.transformed),
    functions: new Set(memory.functions),
    removed: new Set(memory.removed),
  };
}

/** What is known when either of two outcomes may have happened. */
export function merged(left: Memory, right: Memory, reason: string): Memory {
  const variables = new Map<string, Value>();
  for (const name of new Set([...left.variables.keys(), ...right.variables.keys()])) {
    const [a, b] = [left.variables.get(name), right.variables.get(name)];
    variables.set(name, same(a, b) ? (a as Value) : { unknown: reason });
  }
  const transformed = new Map([...left.transformed, ...right.transformed]);
  for (const name of [...left.readOnly, ...right.readOnly]) {
    if (left.readOnly.has(name) !== right.readOnly.has(name)) transformed.set(name, 'it may be read-only');
  }
  return {
    variables,
    exported: new Set([...left.exported, ...right.exported]),
    readOnly: new Set([...left.readOnly].filter((name) => right.readOnly.has(name))),
    transformed,
    functions: new Set([...left.functions, ...right.functions]),
    removed: new Set([...left.removed].filter((name) => right.removed.has(name))),
    rest: left.rest ?? right.rest,
    exportAll: left.exportAll || right.exportAll,
    status: left.status === right.status ? left.status : null,
  };
}

function same(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && (a === b || (isUnknown(a) && isUnknown(b)));
}

const dynamic = new Set(
  (
    'RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME BASHPID BASH_COMMAND BASH_SUBSHELL BASH_ARGV0 ' +
    'BASH_SOURCE BASH_LINENO BASH_ARGC BASH_ARGV FUNCNAME PIPESTATUS GROUPS DIRSTACK HISTCMD _ COMP_WORDBREAKS ' +
    'BASH_ALIASES BASH_CMDS BASHOPTS BASH_VERSINFO EUID PPID SHELLOPTS UID'
  ).split(' '),
);

/** Variables bash computes: what is assigned to them does not stay. */
function isDynamic(name: string): boolean {
  return dynamic.has(name);
}

const environmental =
  /^(?:HOME|USER|LOGNAME|PATH|PWD|OLDPWD|SHELL|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|TERM|LANG|LANGUAGE|LC_\w+|TMPDIR|TMP|TEMP|MAIL|EDITOR|DISPLAY|TZ|SSH_\w+|SUDO_\w+|XDG_\w+|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_\w+|BASH|BASH_VERSION|BASH_ENV|BIN|CMD_HOME|CONF|LINES|COLUMNS|OPTIND|OPTARG|OPTERR|PS4|ENV|CDPATH|GLOBIGNORE|BASH_EXECUTION_STRING|BASH_LOADABLES_PATH|prog|lockfile|pidfile)$/;

/** Names nearly every caller or the launcher itself sets: their values are unknown, not empty. */
function isEnvironmental(name: string): boolean {
  return environmental.test(name);
}
