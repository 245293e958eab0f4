/** The state of the shell while a conf is read, and the variables that bash or nearly every caller sets. */
import { LineIndex, type Range } from '../text/line-index.js';
import { unfilled } from '../text/placeholders.js';
import { Steps } from '../text/steps.js';
import { Journal, type Recorded, stepsPerEntry } from './journal.js';
import { Memory, type Variable } from './memory.js';
import type { Command, Redirection, SimpleCommand, Word } from './syntax/tree.js';
import {
  arrayOf,
  type Element,
  elementAt,
  isArray,
  isUnknown,
  partOf,
  type Unknown,
  type Value,
  withElement,
} from './value.js';

/** The words of a command after expansion; `exact` is false when even their number cannot be known. */
export interface Fields {
  readonly values: readonly Value[];
  /** For each value the word it was expanded from. */
  readonly from: readonly Word[];
  readonly exact: boolean;
}

/** Called for each command of a script in the order bash would run them, with its words expanded. */
export interface Observer {
  command(shell: Shell, command: SimpleCommand, fields: Fields): void;
  /** The output of $(…) or `…`, its range with the delimiters; null if it is not known. */
  output?(shell: Shell, range: Range): Value | null;
  /** The text that `eval`, `.` or `source` runs, and the path of the file it is in; null if it is not available. */
  sourced?(shell: Shell, fields: Fields): { readonly text: string; readonly path: Value | null } | null;
  /** The text of the standard input that a redirection gives; null if it is not available. */
  input?(shell: Shell, redirection: Redirection): string | null;
  /** Called before a command that is not followed makes variables unknown. */
  tainted?(shell: Shell): void;
}

/** A condition that cannot be known. */
export interface Question extends Range {
  /** The condition as a clause, where its text is none: then only that it holds can be assumed. */
  readonly when?: string;
}

/** Assumes the outcome of a condition that cannot be known; null to follow both outcomes. */
export type Decide = (test: Question) => boolean | null;

/** The state before the file is read. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, Value>>;
  readonly exported: readonly string[];
  /** The value of every other name. Default: unset. */
  readonly rest?: Unknown;
  /** The value of every other name to a condition. Default: unset. */
  readonly caller?: Unknown | null;
  readonly observer?: Observer;
  readonly sourced?: Observer['sourced'];
  /** $1 and the following arguments of a script. Default: unknown. */
  readonly args?: readonly Element[] | null;
  /** The path of a script. Default: unknown. */
  readonly self?: Value;
  /** Default: both outcomes of an unknown condition are followed. */
  readonly decide?: Decide;
  /** Whether this is a variable that is a setting. Default: none is. */
  readonly isSetting?: (name: string) => boolean;
  /** Whether a command that is not followed changes no variable. Default: it may change each. */
  readonly isWritten?: boolean;
  /** Shared with the other readers of the same file. Default: a new count. */
  readonly steps?: Steps;
}

/** Commands that the launchers use. */
const launcherRuns = new Set(['tr', 'echo', '[', 'test', 'export', 'set']);

export class Shell {
  memory = new Memory();
  journal: Journal;
  /** Above 0 inside a branch that may not run. */
  conditional = 0;
  /** Why the following commands may not run: up to the end of the command line, or of the file. */
  doubt: { unit: string | null; file: string | null } = { unit: null, file: null };
  /** True after a command substitution, whose exit status may become that of the assignment. */
  substituted = false;
  /** The current command. */
  here: Range = { start: 0, end: 0 };
  /** Names assigned since it was last cleared. */
  touched = new Set<string>();
  /** The script, and after it the files that it sources. */
  text: string;
  /** The path of the script, and of the file that is being sourced; null if it is not known. */
  readonly self: Value | null;
  source: Value | null;
  private lines: LineIndex | null = null;
  /** null when only variables matter: then subshells and functions are not followed. */
  readonly observer: Observer | null;
  readonly decide: Decide;
  /** The bodies of functions. */
  readonly bodies = new Map<string, Command>();
  /** Function calls followed so far, and how many of them enclose the current command. */
  calls = 0;
  depth = 0;
  /** The caller's values of the current function's local variables; null outside of functions. */
  locals: Map<string, Variable> | null = null;
  /** The redirections of the enclosing compound commands, the innermost last. */
  readonly outputs: (readonly Redirection[])[] = [];
  /** True in a command that reads the output of the one before it. */
  piped = false;
  /** As that of an observer. */
  readonly sourced: Observer['sourced'];
  readonly steps: Steps;
  /** Why commands of the launcher may be other programs than it expects; null if they are not. */
  shadowed: string | null = null;
  /** What a condition finds in a name that the file does not assign; null if it is not set. */
  readonly caller: Unknown | null;
  private isTesting = false;
  /** True in zsh, where the name of an array without an index is all its elements. */
  readonly isZsh: boolean;
  /** False in sh, which has no {a,b} where it is not bash. */
  readonly expandsBraces: boolean;
  /** True after `set -f`: words are no patterns of file names. */
  noglob = false;
  /** Whether `shopt -s extglob` was run; false if it may be off. */
  extglob = false;
  /** Where the first command line that kaiactl cannot parse starts. */
  unreadFrom: number | null = null;
  /** Inside a loop that runs round by round: the value of `conditional` around it; null outside of it. */
  loop: number | null = null;
  /** True while commands are followed only for the names they assign. */
  rehearsing = false;
  /** Whether a command that is not followed changes no variable. */
  readonly isWritten: boolean;
  private readonly assigned = new Map<Command, Set<string>>();
  /** Whether this is a variable that is a setting. */
  readonly isSetting: (name: string) => boolean;

  constructor(text: string, { variables, exported, ...given }: Surroundings) {
    this.text = text;
    this.isZsh = /^#!.*\bzsh\b/.test(text);
    this.expandsBraces = !/^#!.*\b(?:da|a)?sh\b/.test(text);
    this.steps = given.steps ?? new Steps();
    this.journal = new Journal(this.steps);
    this.observer = given.observer ?? null;
    this.sourced = given.sourced ?? given.observer?.sourced;
    this.decide = given.decide ?? (() => null);
    this.isSetting = given.isSetting ?? (() => false);
    this.isWritten = given.isWritten ?? false;
    this.caller = given.caller ?? null;
    this.self = given.self ?? null;
    this.source = this.self;
    this.memory.rest = given.rest ?? null;
    this.memory.args = given.args ?? null;
    for (const [name, value] of Object.entries(variables)) this.memory.change(name, { value });
    for (const name of exported) this.memory.change(name, { exported: true });
    for (const name of ['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'])
      this.memory.change(name, { readOnly: true });
    // Bash does not import IFS from the environment.
    this.memory.change('IFS', { value: null });
  }

  /** Follows commands only for the names they assign: the journal is discarded and the observer is not called. */
  rehearse(follow: () => void): void {
    const { journal } = this;
    this.journal = new Journal(this.steps);
    this.rehearsing = true;
    try {
      follow();
    } finally {
      this.journal = journal;
      this.rehearsing = false;
    }
  }

  /** The names a loop assigns, as far as known. Cached, so that nested loops are not analysed repeatedly. */
  assignedIn(loop: Command & { type: 'loop' }): Set<string> {
    const known = this.assigned.get(loop) ?? new Set(loop.assigns);
    this.assigned.set(loop, known);
    return known;
  }

  record(assignment: Recorded): void {
    this.journal.addAssignment(assignment, this.conditional > 0);
  }

  /** Whether the current command runs for certain. */
  isCertain(): boolean {
    return this.conditional === 0 && this.doubt.unit === null && this.doubt.file === null;
  }

  /** The line of an offset, from 1. */
  lineOf(offset: number): number {
    this.lines ??= new LineIndex('', this.text);
    return this.lines.span({ start: offset, end: offset }).line;
  }

  /** Expands the words of a condition, which asks for what only the caller sets. */
  testing<T>(expand: () => T): T {
    const { isTesting } = this;
    this.isTesting = true;
    const value = expand();
    this.isTesting = isTesting;
    return value;
  }

  /** The value of $NAME; undefined when it is unset. */
  look(name: string): Value | undefined {
    if (!/^[A-Za-z_]/.test(name)) return this.special(name);
    if (name === 'BASH_SOURCE' && this.source !== null) return this.source;
    if (dynamic.has(name)) return { unknown: `$${name} is set by bash itself` };
    this.steps.count(this.memory.depth / 16);
    const { value } = this.memory.of(name);
    if (isUnknown(value) && value.list !== undefined) return elementAt(value.list, '0')?.value;
    if (value !== undefined) return value ?? undefined;
    if (this.memory.rest !== null) return this.memory.rest;
    if (this.isTesting && this.caller !== null) return this.caller;
    return environmental.test(name) ? { unknown: `$${name} comes from the caller's environment` } : undefined;
  }

  /** Whether $NAME is set; null when that is unknown. */
  isSet(name: string): boolean | null {
    const value = this.look(name);
    return typeof value === 'object' ? null : value !== undefined;
  }

  private special(name: string): Value | undefined {
    const { args, status } = this.memory;
    if (name === '?') return status === null ? { unknown: 'the exit status of a command' } : String(status);
    if (name === '0') return this.self ?? { unknown: '$0' };
    if (args !== null && /^[1-9]/.test(name)) return args[Number(name) - 1]?.value;
    if (args !== null && name === '#') return String(args.length);
    return { unknown: `$${name}` };
  }

  /** Whether this is a script’s argument or variable that only its caller sets: a default in the script then applies. */
  isOutside(name: string, value: Value): boolean {
    if (value === this.caller) return true;
    if (this.observer === null) return false;
    return /^[1-9]/.test(name) || (value === this.memory.rest && this.memory.of(name).value === undefined);
  }

  /** Notes a function or path that replaces a command of the launcher: what it read before is unknown too. */
  shadow(name: string, by: string): void {
    if (this.observer === null && launcherRuns.has(name))
      this.shadowed ??= `${by} replaces the launcher’s ${name}`;
  }

  /** Sets a variable and returns its value, unknown when in doubt. The caller has checked that it is not read-only. */
  set(name: string, value: Value): Value {
    const doubt = this.doubt.file ?? this.doubt.unit;
    const { transformed, value: before, exported } = this.memory.of(name);
    let result = value;
    if (doubt !== null && before !== value) result = { unknown: doubt };
    else if (transformed !== null && !(isUnknown(value) && value.unknown === isArray))
      result = { unknown: transformed };
    else if (typeof value === 'string' && isUnknown(before) && before.list !== undefined) {
      const element = { value, from: { parts: [], ...this.here } };
      result = arrayOf(withElement(before.list, '0', element, before.isMap), before.isMap);
    } else if (dynamic.has(name)) result = { unknown: `$${name} is set by bash itself` };
    // A folder after those of before replaces no command.
    if (name === 'PATH' && !partOf(value).startsWith(unfilled)) this.shadow('tr', 'a changed PATH');
    this.touched.add(name);
    this.memory.change(name, { value: result, exported: exported || this.memory.exportAll });
    return result;
  }

  /** Makes a variable local to the current function. */
  keep(name: string): void {
    if (this.locals !== null && !this.locals.has(name)) this.locals.set(name, this.memory.of(name));
  }

  /** Removes a variable, or makes it unknown when in doubt. */
  remove(name: string): void {
    const doubt = this.doubt.file ?? this.doubt.unit;
    this.touched.add(name);
    if (doubt !== null) this.memory.change(name, { value: { unknown: doubt } });
    else this.memory.change(name, { value: null, exported: false, transformed: null });
  }

  /**
   * Leaves open whether bash runs the lines from `at` on. False: they are assumed to run, as `when` says of the line.
   * In a script a start counts only if bash reads it, and so the lines above it.
   */
  leaveOpen(at: Range, reason: string, when: string): boolean {
    this.journal.unread.push({ reason, at });
    if (this.observer !== null) return true;
    if (this.decide({ ...at, when: `line ${this.lineOf(at.start)} ${when}` }) === true) return false;
    this.doubt.file ??= `${reason} (line ${this.lineOf(at.start)})`;
    this.journal.addIndeterminate({ variable: null, reason, at });
    return true;
  }

  /** As `taint`, for a command that may also export variables. */
  taintExports(reason: string): void {
    this.memory.exporter ??= this.here;
    this.taintByCommand(reason);
  }

  /** As `taint`, for a command of the script that is not followed. */
  taintByCommand(reason: string): void {
    this.observer?.tainted?.(this);
    this.taint(reason);
  }

  /** Makes every variable unknown, unless only what is written counts. */
  taint(reason: string): void {
    if (this.memory.exportAll) this.memory.exporter ??= this.here;
    // Commands of scripts change these by `cd` and `IFS=`, which are followed.
    const kept = this.observer === null ? [] : ['PWD', 'IFS'];
    const forgotten = this.isWritten ? 0 : this.memory.forget({ unknown: reason }, kept);
    this.steps.count(stepsPerEntry + forgotten);
    this.journal.indeterminate.push({ variable: null, reason, at: this.here });
  }
}

/** Bash computes them: assignments to them have no lasting effect. */
const dynamic = new Set(
  (
    'RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME BASHPID BASH_COMMAND BASH_SUBSHELL BASH_ARGV0 ' +
    'BASH_SOURCE BASH_LINENO BASH_ARGC BASH_ARGV FUNCNAME PIPESTATUS GROUPS DIRSTACK HISTCMD _ COMP_WORDBREAKS ' +
    'BASH_ALIASES BASH_CMDS BASHOPTS BASH_VERSINFO EUID PPID SHELLOPTS UID'
  ).split(' '),
);

/** Nearly every caller or the launcher sets them: their values are unknown, not empty. */
const environmental =
  /^(?:HOME|USER|LOGNAME|PATH|PWD|OLDPWD|SHELL|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|TERM|LANG|LANGUAGE|LC_\w+|TMPDIR|TMP|TEMP|MAIL|EDITOR|DISPLAY|TZ|SSH_\w+|SUDO_\w+|XDG_\w+|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_\w+|BASH|BASH_VERSION|BASH_ENV|BIN|CMD_HOME|CONF|LINES|COLUMNS|OPTIND|OPTARG|OPTERR|PS4|ENV|CDPATH|GLOBIGNORE|BASH_EXECUTION_STRING|BASH_LOADABLES_PATH|prog|lockfile|pidfile)$/;
