/** Text of a conf → everything known about it. Pure: no file, no environment, no clock. */
import type { Conf } from '../../facts/facts.js';
import type { Key, Origin, Settings, Source, StartProblem } from '../../facts/settings.js';
import type { Assignment, IndeterminateValue, Shell, SyntaxIssue } from '../../facts/shell.js';
import type { Span } from '../../facts/span.js';
import { variablesByFlag } from '../../kinds/kaia/keys.js';
import type { Launcher, Package } from '../../kinds/kaia/names.js';
import { knownVariables, readBy, readersByName } from '../../kinds/kaia/variables.js';
import { settingsOfWords } from '../argv/node.js';
import type { EnvironmentVariable, YamlLayer } from '../argv/settings.js';
import { maskPlaceholders } from '../placeholders.js';
import { isExact, remember } from '../reading.js';
import { type Reading, readShell } from '../shell/read.js';
import { type Decide, isUnknown, type Shell as ShellState, type Value } from '../shell/state.js';
import type { Range } from '../shell/syntax.js';
import { decode, type RawSyntaxIssue } from './decode.js';
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
  /** The file that --conf names, once it was read. */
  readonly yaml?: YamlLayer | undefined;
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
  const { launcher, package: from, guessed, from: inferredFrom } = inferred;
  const env = Object.entries(options.env ?? {}).map(
    ([name, value]) => [name, { value, at: null, indeterminate: null }] as const,
  );
  const source = {
    kind: 'conf' as const,
    path,
    lines: lineIndex.lines(),
    comments: commentsOf(text, lineIndex),
    file: options.file ?? null,
  };
  const conf = settingsOfConf({
    lineIndex,
    syntaxIssues,
    launcher,
    package: from,
    inferredFrom,
    guessed,
    env: new Map(env),
    packaged: {},
    file: options.yaml ?? null,
    source,
  });
  const exact = isExact(text) && !syntaxIssues.some(({ kind }) => kind === 'nul-byte');
  const read = (other: string) => [readConf(path, Buffer.from(other), options)];
  if (exact) remember({ text, confs: [conf], read });
  return conf;
}

/** The text of a conf, wherever it stands, and what its launcher is started with. */
export interface ConfText {
  readonly lineIndex: LineIndex;
  readonly syntaxIssues: readonly RawSyntaxIssue[];
  readonly launcher: Launcher;
  readonly package: Package;
  readonly inferredFrom: string;
  readonly guessed?: boolean;
  readonly env: ReadonlyMap<string, GivenVariable>;
  /** Variables of the packaged conf that the text is appended to. */
  readonly packaged: Readonly<Record<string, string>>;
  /** The file that --conf names, if it was read. */
  readonly file: YamlLayer | null;
  readonly source: Omit<Source, 'multiline'>;
}

/** A variable of the environment; value null: it cannot be known. */
export interface GivenVariable {
  readonly value: string | null;
  readonly at: Span | null;
  readonly indeterminate: string | null;
}

/** The settings a launcher derives from a conf. */
export function settingsOfConf(conf: ConfText): ReadConf {
  const undecided = new Map<number, Range>();
  const tried = Math.min(maxConditions, Math.ceil(maxReread / (2 * conf.lineIndex.text.length + 1)));
  const known = read(conf, (test) => {
    if (undecided.size < tried) undecided.set(test.start, test);
    return null;
  });
  if (undecided.size === 0) return known;
  const text = conf.lineIndex.text;
  const alternatives = [...undecided.values()].flatMap((test) =>
    [true, false].map((holds) => {
      const written = text.slice(test.start, test.end).trim().replace(/\s+/g, ' ');
      const other = read(conf, ({ start }) => (start === test.start ? holds : null));
      return { when: holds ? written : `not ${written}`, conf: other };
    }),
  );
  return { ...known, alternatives };
}

/** Conditions of one conf whose outcomes are tried one by one. */
const maxConditions = 6;
/** Characters read again for that; in a longer conf fewer are tried, and what hangs on the others stays undecided. */
const maxReread = 1_000_000;

function read(conf: ConfText, decide: Decide): ReadConf {
  const { lineIndex, launcher, package: from, env } = conf;
  const template = maskPlaceholders(lineIndex.text);
  const reading = readShell(template.text, { ...surroundings(conf), decide }, template.optional);
  const { shell } = reading;
  const assignments = settledAssignments(shell, lineIndex);
  const variables = variablesOf(shell);
  const environment = environmentOf(shell, env, assignments);
  const exported = [...shell.memory.exported].filter(
    (name) => shell.memory.variables.has(name) && !env.has(name),
  );
  const switches = switchesOf(shell, launcher, from);
  const started = start(reading, lineIndex, assignments, conf, environment);
  const syntax = [...conf.syntaxIssues, ...shell.journal.syntaxIssues]
    .sort((a, b) => a.at.start - b.at.start)
    .map((one): SyntaxIssue => ({ ...one, at: lineIndex.span(one.at) }));
  const multiline = assignments.filter(({ at }) => at.endLine > at.line).map(({ at }) => at);
  const bash: Shell = {
    assignments,
    variables,
    exported: exported.sort(),
    syntaxIssues: syntax,
    indeterminate: shell.journal.indeterminate.map(
      (one): IndeterminateValue => ({ ...one, at: lineIndex.span(one.at) }),
    ),
    reads: readBy(launcher, from),
    readers: readersOf(assignments),
    switches,
  };
  const { inferredFrom, guessed = false } = conf;
  const keys = keysOf(bash, launcher, from, lineIndex.text);
  const source = { ...conf.source, multiline };
  return {
    settings: { launcher, package: from, inferredFrom, guessed, source, keys, ...started },
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

/** What is set before the launcher script sources the conf, or comes before the text in it. */
function surroundings({ env, packaged, package: from }: ConfText) {
  const preset: Record<string, Value> = {};
  for (const [name, { value, indeterminate }] of env)
    preset[name] = value ?? { unknown: indeterminate ?? 'it cannot be known' };
  if (from === 'tar') preset.STOP_TIMEOUT = '10';
  return { variables: { ...preset, ...packaged }, exported: [...env.keys()] };
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
  env: ReadonlyMap<string, GivenVariable>,
  assignments: readonly Assignment[],
): ReadonlyMap<string, EnvironmentVariable> {
  const map = new Map<string, EnvironmentVariable>();
  const last = new Map(assignments.map((one) => [one.variable, one.at]));
  for (const name of shell.memory.exported) {
    const value = shell.memory.variables.get(name);
    if (value === undefined) continue;
    const given = env.get(name);
    const at = last.get(name) ?? given?.at ?? null;
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

/** The comments of a text in which # begins one. */
export function commentsOf(text: string, lineIndex: LineIndex): Source['comments'] {
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
  { launcher, package: from, env, packaged, file }: ConfText,
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
  return settingsOfWords({
    launcher,
    words: script.words,
    environment,
    file,
    before: [...problems, ...script.problems],
    after: ignoredNetwork(shell, launcher, locate),
    renamed: (settings) => packagedOrigins(settings, packaged, env),
    locate: ({ origin }, piece, after) => {
      if (origin.kind === 'assignment') return locate(origin.variable, piece, after);
      return 'at' in origin && origin.at !== null ? within(lineIndex, origin.at, piece, after) : null;
    },
  });
}

/** A variable that no line assigns comes from the packaged conf where that has it, and else from the environment. */
function packagedOrigins(
  settings: Settings['values'],
  packaged: ConfText['packaged'],
  env: ConfText['env'],
): Settings['values'] {
  if (Object.keys(packaged).length === 0) return settings;
  const named = (origin: Origin): Origin => {
    const variable = origin.kind === 'environment' && origin.at === null ? origin.variable : null;
    return variable === null || env.has(variable) || !Object.hasOwn(packaged, variable)
      ? origin
      : { kind: 'packaged', variable };
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      {
        ...setting,
        origin: named(setting.origin),
        shadowed: setting.shadowed.map((one) => ({ ...one, origin: named(one.origin) })),
      },
    ]),
  );
}

/** Where a piece of a flag's value stands inside the word it was written as. */
function within(lineIndex: LineIndex, at: Span, piece: string, after: Span | null): Span | null {
  const { start, end } = lineIndex.range(at);
  const from = after === null ? start : Math.max(start, lineIndex.range(after).end);
  const found = lineIndex.text.slice(from, end).indexOf(piece);
  return found < 0 ? at : lineIndex.span({ start: from + found, end: from + found + piece.length });
}
