/** Text of a conf → everything known about it. Pure: no file, no environment, no clock. */
import type { Conf } from '../../facts/facts.js';
import type { Key, Setting, Settings, Source, StartProblem } from '../../facts/settings.js';
import type { Assignment, IndeterminateValue, Shell, SyntaxIssue } from '../../facts/shell.js';
import type { Span } from '../../facts/span.js';
import { flagsOf } from '../../kinds/kaia/flags.js';
import { variablesByFlag } from '../../kinds/kaia/keys.js';
import type { Launcher, Package } from '../../kinds/kaia/names.js';
import { knownVariables, readBy, readersByName } from '../../kinds/kaia/variables.js';
import { parseWords } from '../argv/argv.js';
import { bindProblems } from '../argv/bind.js';
import { listenersOf } from '../argv/listeners.js';
import { type EnvironmentVariable, settle } from '../argv/settings.js';
import { maskPlaceholders } from '../placeholders.js';
import { type Reading, readShell } from '../shell/read.js';
import { isUnknown, type Shell as ShellState, type Value } from '../shell/state.js';
import { decode } from './decode.js';
import { infer } from './infer.js';
import { LineIndex, pieceOf } from './line-index.js';
import { type Locate, replay } from './replay.js';
import { beforeAnything, ignoredNetwork } from './startup.js';
import { switchesOf } from './switches.js';

export interface ConfOptions {
  /** Default: inferred. */
  readonly launcher?: Launcher | undefined;
  readonly package?: Package | undefined;
  /** The environment of whoever starts the launcher. Default: nothing is known of it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where the file lies, if `path` does not say: its folder tells launcher and package. */
  readonly absolutePath?: string | undefined;
  /** Permission bits and owner of the file; null when it is not a file. */
  readonly file?: Source['file'] | undefined;
}

/** A conf is a script: beside the settings there is always the shell's side of them. */
export type ReadConf = Conf & { readonly shell: Shell };

/**
 * Reads a conf as its launcher does and derives the node's settings.
 * @throws {KaiactlError} when the bytes are not a conf: too large, or binary (exit 2)
 */
export function readConf(path: string, bytes: Uint8Array, options: ConfOptions = {}): ReadConf {
  const { text, syntaxIssues } = decode(path, bytes);
  const lineIndex = new LineIndex(path, text);
  const inferred = infer(options.absolutePath ?? path, text, options);
  const env = options.env ?? {};
  const template = maskPlaceholders(text);
  const reading = readShell(template.text, surroundings(env, inferred.package), template.optional);
  const { shell } = reading;
  const assignments = settledAssignments(shell, lineIndex);
  const variables = variablesOf(shell);
  const environment = environmentOf(shell, env, assignments);
  const exported = [...shell.memory.exported].filter(
    (name) => shell.memory.variables.has(name) && !(name in env),
  );
  const switches = switchesOf(shell, inferred.launcher, inferred.package);
  const started = start(reading, lineIndex, assignments, inferred, environment);
  const lines = lineIndex.lines();
  const syntax = [...syntaxIssues, ...shell.journal.syntaxIssues]
    .sort((a, b) => a.at.start - b.at.start)
    .map((one): SyntaxIssue => ({ ...one, at: lineIndex.span(one.at) }));
  const source: Source = {
    kind: 'conf',
    path,
    lines,
    comments: commentsOf(text, lineIndex),
    multiline: assignments.filter(({ at }) => at.endLine > at.line).map(({ at }) => at),
    file: options.file ?? null,
  };
  const bash: Shell = {
    assignments,
    variables,
    exported: exported.sort(),
    syntaxIssues: syntax,
    indeterminate: shell.journal.indeterminate.map(
      (one): IndeterminateValue => ({ ...one, at: lineIndex.span(one.at) }),
    ),
    reads: readBy(inferred.launcher, inferred.package),
    readers: readersOf(assignments),
    switches,
  };
  const { launcher, package: from } = inferred;
  const keys = keysOf(bash, launcher, from, text);
  return {
    settings: { launcher, package: from, inferredFrom: inferred.from, source, keys, ...started },
    shell: bash,
  };
}

/** What the file says of each flag by the variable its launcher makes it from. */
function keysOf(shell: Shell, launcher: Launcher, from: Package, text: string): Record<string, Key> {
  const byName = grouped(shell.assignments.filter(({ effective }) => effective));
  const malformed = new Set(
    shell.syntaxIssues.flatMap(({ variable, likelyMistake }) => (likelyMistake ? [variable] : [])),
  );
  const used = new Set([...text.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name]) => name));
  const keys = [...variablesByFlag(launcher, from)].map(([flag, { name, isSwitch }]): [string, Key] => {
    const value = isSwitch ? shell.switches[name] : shell.variables[name];
    const [one, ...more] = byName.get(name) ?? [];
    const alone = one?.kind === 'assign' && !one.conditional && more.length === 0 && !used.has(name);
    const at = (more.at(-1) ?? one)?.valueAt ?? null;
    return [flag, { name, value: value ?? null, at, alone, malformed: malformed.has(name) }];
  });
  return Object.fromEntries(keys);
}

/** What the launcher script sets before it sources the conf. */
function surroundings(env: Readonly<Record<string, string>>, from: Package) {
  const preset: Record<string, Value> = { ...env };
  if (from === 'tar') preset.STOP_TIMEOUT = '10';
  return { variables: preset, exported: Object.keys(env) };
}

function variablesOf(shell: ShellState): Record<string, string | null> {
  // Without a prototype: a conf may well assign `constructor`.
  const variables: Record<string, string | null> = Object.create(null);
  const { rest } = shell.memory;
  if (rest !== null) for (const name of knownVariables()) variables[name] = null;
  for (const name of shell.memory.removed) delete variables[name];
  for (const [name, value] of shell.memory.variables) variables[name] = isUnknown(value) ? null : value;
  if (variables.STOP_TIMEOUT === '10' && !shell.touched.has('STOP_TIMEOUT')) delete variables.STOP_TIMEOUT;
  return variables;
}

/** Marks which assignments decide a variable's final value: the last one, those it appends to, and any that may. */
function settledAssignments(shell: ShellState, lineIndex: LineIndex): Assignment[] {
  const list = shell.journal.assignments.map((one) => ({
    ...one,
    at: lineIndex.span(one.at),
    valueAt: lineIndex.span(one.valueAt),
  }));
  const settled = new Set<string>();
  for (const one of list.toReversed()) {
    const counts = one.effective && !settled.has(one.variable);
    one.effective = counts;
    if (counts && one.kind !== 'append' && !one.conditional) settled.add(one.variable);
  }
  return list;
}

function environmentOf(
  shell: ShellState,
  env: Readonly<Record<string, string>>,
  assignments: readonly Assignment[],
): ReadonlyMap<string, EnvironmentVariable> {
  const map = new Map<string, EnvironmentVariable>();
  const last = new Map(assignments.map((one) => [one.variable, one.at]));
  for (const name of shell.memory.exported) {
    const value = shell.memory.variables.get(name);
    if (value === undefined) continue;
    const at = value === env[name] ? null : (last.get(name) ?? null);
    const origin = { kind: 'environment', variable: name, at } as const;
    map.set(
      name,
      isUnknown(value)
        ? { value: null, indeterminate: value.unknown, origin }
        : { value, indeterminate: null, origin },
    );
  }
  return map;
}

function readersOf(assignments: readonly Assignment[]): Record<string, readonly string[]> {
  const readers: Record<string, readonly string[]> = Object.create(null);
  for (const { variable } of assignments) {
    const names = readersByName(variable);
    if (names !== null) readers[variable] = names;
  }
  return readers;
}

function commentsOf(text: string, lineIndex: LineIndex): Source['comments'] {
  const found = [...text.matchAll(/(?:^|[ \t;&|()])(#[^\n]*)/gm)];
  return found.map((match) => {
    const comment = match[1] as string;
    const start = match.index + match[0].length - comment.length;
    return { text: comment.replace(/\r$/, ''), at: lineIndex.span({ start, end: start + comment.length }) };
  });
}

function grouped(assignments: readonly Assignment[]): ReadonlyMap<string, readonly Assignment[]> {
  const groups = new Map<string, Assignment[]>();
  for (const one of assignments) {
    const group = groups.get(one.variable);
    if (group === undefined) groups.set(one.variable, [one]);
    else group.push(one);
  }
  return groups;
}

type Started = Pick<Settings, 'start' | 'values' | 'listeners' | 'startable' | 'problems'>;

/** Lets the launcher build its command line and the node read it. */
function start(
  reading: Reading,
  lineIndex: LineIndex,
  assignments: readonly Assignment[],
  { launcher, package: from }: { launcher: Launcher; package: Package },
  environment: ReadonlyMap<string, EnvironmentVariable>,
): Started {
  const { shell } = reading;
  const byName = grouped(assignments);
  const locate: Locate = (variable, word, after) =>
    pieceOf(lineIndex, byName.get(variable) ?? [], word, after);
  const problems: StartProblem[] = beforeAnything(reading, lineIndex, locate, launcher, from);
  const separators = shell.memory.variables.get('IFS');
  if (separators !== undefined && separators !== ' \t\n')
    shell.taint('IFS is changed, so words end elsewhere');
  const script = replay(shell, launcher, from, locate);
  const flags = flagsOf(launcher);
  const parsed = parseWords(script.words, flags);
  const settled = settle(flags, parsed, environment);
  problems.push(
    ...script.problems,
    ...parsed.problems,
    ...settled.problems,
    ...ignoredNetwork(shell, launcher, locate),
  );
  const { settings } = settled;
  const inSetting = (setting: Setting, piece: string, after: Span | null) => {
    const { origin } = setting;
    if (origin.kind === 'assignment') return locate(origin.variable, piece, after);
    return 'at' in origin && origin.at !== null ? within(lineIndex, origin.at, piece, after) : null;
  };
  const listeners = listenersOf({ launcher, settings, words: script.words, locate: inSetting });
  problems.push(...bindProblems(launcher, settings, listeners));
  return {
    start: script.words.map(({ text, variable, at }) => ({ text, variable, at })),
    values: settings,
    listeners,
    startable: !problems.some(({ fatal }) => fatal),
    problems,
  };
}

/** Where a piece of a flag's value stands inside the word it was written as. */
function within(lineIndex: LineIndex, at: Span, piece: string, after: Span | null): Span | null {
  const start = lineIndex.offset(at.line, at.column);
  const end = lineIndex.offset(at.endLine, at.endColumn);
  const from = after === null ? start : Math.max(start, lineIndex.offset(after.endLine, after.endColumn));
  const found = lineIndex.text.slice(from, end).indexOf(piece);
  return found < 0 ? at : lineIndex.span({ start: from + found, end: from + found + piece.length });
}
