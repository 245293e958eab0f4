/** Derives the settings of a conf as its launcher does, also for conditions that cannot be known. */
import { isDeepStrictEqual } from 'node:util';
import type { Alternative } from '../../facts/facts.js';
import type { ReleaseFound } from '../../facts/release.js';
import { isLocal, type Listener, otherVariables } from '../../facts/settings.js';
import type { Assignment, ConfShell, SyntaxIssue } from '../../facts/shell.js';
import { unlessOf } from '../../facts/worlds.js';
import type { ScriptedKind } from '../../kinds/kind.js';
import { opensMore } from '../argv/node.js';
import { alternativesOf, withAlternatives, withReadings } from '../argv/readings.js';
import { readShell } from '../shell/shell.js';
import type { Decide, Fields, Question, Shell } from '../shell/state.js';
import type { Value } from '../shell/value.js';
import type { LineIndex, Range } from '../text/line-index.js';
import { Placed, PlacedIndex } from '../text/placed.js';
import { maskPlaceholders } from '../text/placeholders.js';
import { unknownIn } from '../text/unknown.js';
import type { RawSyntaxIssue } from './decode.js';
import { start } from './start.js';
import type { ConfText, ReadConf } from './text.js';
import { environmentOf, isOn, keysOf, readersOf, settledAssignments, variablesOf } from './variables.js';

/** Reads the text once, also with Unix line ends, with open quotes closed, and for each condition that cannot be known. */
export function readerOfConf(conf: ConfText): Reader {
  const own = readerOfQuotes(conf);
  if (conf.lineIndex.text.search(carriageReturn) < 0) return own;
  const repaired = readerOfQuotes({ ...conf, isRepaired: true });
  return (kind, release) => withRepaired(own(kind, release), repaired(kind, release));
}

/** The rest of a quote that swallows the lines behind it is also read as if it were closed at the end of its line. */
function readerOfQuotes(conf: ConfText): Reader {
  const own = readerOfText(conf);
  const written = Placed.at(conf.lineIndex);
  const text = written.replace(openQuote, ([, quote = ''], at) =>
    at.joined([at, at.slice(at.text.length).as(quote)]),
  );
  if (text === written) return own;
  const closed = readerOfText({ ...conf, lineIndex: new PlacedIndex(text) });
  return (kind, release) => {
    const read = own(kind, release);
    if (!read.shell.syntaxIssues.some((one) => /^(?:unclosed-quote|syntax-error)$/.test(one.kind)))
      return read;
    const others = alternativesOf({ when: 'each quote is closed on its line' }, closed(kind, release));
    return withAlternatives(read, others);
  };
}

/** The value of a line that opens a quote before another assignment, a comment or the end. */
const openQuote =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*\+?=(["'])(?:\\.|(?!\1)[^\r\n\\])*(?=\r?\n\s*(?:#|(?:export[ \t]+)?[A-Za-z_]\w*\+?=|(?![\s\S]))|(?![\s\S]))/gm;

type Reader = (kind: ScriptedKind, release: ReleaseFound) => ReadConf;

function readerOfText(conf: ConfText): Reader {
  const undecided = new Map<number, Question>();
  const before = conf.steps.taken;
  const { read: known, unfollowed } = reading(conf, (test) => {
    if (undecided.size < maxConditions) undecided.set(test.start, test);
    return null;
  });
  const readings = Math.floor(conf.steps.left / (conf.steps.taken - before));
  const isTried = unfollowed.length > 0 && readings > 0;
  // Lines that are not followed may replace those of the packaged conf.
  const written = isTried ? reading({ ...conf, packaged: {} }, () => null, true).read : null;
  const affordable = Math.floor((readings - (isTried ? 1 : 0)) / 2);
  const tried = [...undecided.values()].slice(0, affordable);
  const text = conf.lineIndex.text;
  const others = tried.flatMap((test) =>
    (test.when === undefined ? [true, false] : [true]).map((holds) => {
      const written = text.slice(test.start, test.end).trim().replace(/\s+/g, ' ');
      const { read: other } = reading(conf, ({ start }) => (start === test.start ? holds : null));
      return { when: test.when ?? (holds ? written : `not ${written}`), other };
    }),
  );
  return (kind, release) => {
    const own = known(kind, release);
    const more = written?.(kind, release);
    const isWider = more !== undefined && opensMore(own.settings.listeners, more.settings.listeners);
    const alternatives = [
      ...(isWider ? alternativesOf({ when: null, ...unlessOf(unfollowed) }, more) : []),
      ...others.flatMap(({ when, other }) => alternativesOf({ when }, other(kind, release))),
    ];
    return withAlternatives(own, alternatives);
  };
}

/** The limit of unknown conditions that are tried one by one; for a conf that takes many steps fewer are tried. */
const maxConditions = 6;

/**
 * The lines mean the same to the shell in every release; the launcher may take them otherwise.
 * @param isWritten commands that are not followed change nothing, and templates leave no line out
 */
function reading(conf: ConfText, decide: Decide, isWritten = false) {
  const { launcher, package: from, by, packageBy, env } = conf;
  const own = conf.lineIndex.text;
  const template = maskPlaceholders(conf.isRepaired === true ? withUnixEnds(own) : own);
  let script: Placed | null = null;
  const sourced = (_shell: Shell, { values: [name, path] }: Fields) => {
    const file = name !== 'eval' && typeof path === 'string' ? (conf.open?.(path) ?? null) : null;
    if (file === null) return null;
    const before: Placed = script ?? Placed.at(conf.lineIndex);
    script = Placed.join([before, before.as('\n'), file]);
    return { text: file.text, path: path ?? null };
  };
  const read = readShell(
    template.text,
    { ...surroundings(conf), sourced, decide, steps: conf.steps, isWritten },
    isWritten ? null : template.optional,
  );
  // With the files that it sources behind it.
  const lineIndex = script === null ? conf.lineIndex : new PlacedIndex(script);
  const ofAll = read.shell.journal.indeterminate.filter(({ variable }) => variable === null);
  const unfollowed = [
    ...ofAll.map(({ at }) => at),
    ...(template.optional === null ? [] : [template.optional]),
  ];
  const assignments = settledAssignments(read.shell, lineIndex);
  // The launcher's own steps come after: they may change the variables.
  const environment = environmentOf(read.shell, env, assignments);
  const multiline = assignments.filter(({ at }) => at.endLine > at.line).map(({ at }) => at);
  const source = { ...conf.source, multiline };
  /** The names of commands that are not followed, and of the first statement of a template. */
  const names = unfollowed.map(({ start, end }) => unknownIn(Placed.at(lineIndex, start, end)));
  const readAs: Reader = (kind, release) => {
    const own = { ...conf, kind, lineIndex };
    const left = shellOf(read.shell, assignments, own);
    const { others, ...started } = start(read, assignments, own, release, environment);
    const keys = keysOf(left, kind.launchers.variablesByFlag(launcher, from), lineIndex.text);
    const settings = { launcher, by, package: from, packageBy, source, keys, ...started };
    return withReadings({ settings, shell: left }, others);
  };
  return { read: readAs, unfollowed: names };
}

/** The state of the shell after the last line of a conf. */
function shellOf(
  shell: Shell,
  assignments: readonly Assignment[],
  { kind: { launchers }, lineIndex, launcher, package: from, packageBy, env, syntaxIssues }: ConfText,
): ConfShell {
  const { memory, journal } = shell;
  const spanned = <T extends { readonly at: Range }>(one: T) => ({ ...one, at: lineIndex.span(one.at) });
  const exported = [...memory.all()]
    .filter(([name, one]) => one.exported && (one.value ?? null) !== null && !env.has(name))
    .map(([name]) => name);
  return {
    assignments,
    variables: variablesOf(shell, launchers, from),
    exported: exported.sort(),
    syntaxIssues: [...syntaxIssues, ...carriageReturns(lineIndex), ...journal.syntaxIssues]
      .sort((a, b) => a.at.start - b.at.start)
      .map(spanned),
    indeterminate: journal.indeterminate.map(spanned),
    reads: launchers.readBy(launcher, packageBy === 'guess' ? null : from),
    readers: readersOf(assignments, launchers),
    // Of those that the launcher tests with `-eq 1`; null when that cannot be known.
    switches: Object.fromEntries(launchers.switches(launcher, from).map((name) => [name, isOn(shell, name)])),
  };
}

/** The variables that are set before the launcher script sources the conf. */
function surroundings({ kind: { launchers }, env, packaged, package: from, isOpen, ...given }: ConfText) {
  const preset: Record<string, Value> = {};
  const { indeterminate: setter = null } = env.get(otherVariables) ?? {};
  const unseen = given.unseen?.reason ?? (setter === null ? null : `${setter} may set it`);
  const named = [...env].filter(([name]) => name !== otherVariables);
  for (const [name, { value, indeterminate }] of named)
    preset[name] = value ?? { unknown: indeterminate ?? 'it cannot be known' };
  const variables: Record<string, Value> = { ...preset, ...launchers.presets(from), ...packaged };
  // Unseen flags are not assumed to override the text.
  const rest = unseen === null ? {} : { rest: { unknown: unseen } };
  if (unseen !== null) variables[launchers.extraFlags] ??= '';
  const caller = isOpen === true ? { unknown: 'the environment of the caller may set it' } : null;
  const exported = named.map(([name]) => name);
  return { variables, ...rest, caller, exported, isSetting: launchers.isKnownVariable };
}

/** At the end of a line bash takes it for a part of the value. */
const carriageReturn = /\r(?=\n|$)/g;

/** The text with Unix line ends, of the same length: each carriage return is a blank, before a backslash that ends the line. */
function withUnixEnds(text: string): string {
  return text.replace(/(\\?)\r(?=\n|$)/g, ' $1');
}

/** The carriage returns of a text as one issue; none without any. */
function carriageReturns(lineIndex: LineIndex): RawSyntaxIssue[] {
  const { text } = lineIndex;
  const places = [...text.matchAll(carriageReturn)].map(({ index }) => ({ start: index, end: index + 1 }));
  const [first, ...more] = places;
  if (first === undefined) return [];
  const isEvery = text.split('\n').every((line) => line === '' || line.endsWith('\r'));
  return [
    {
      kind: 'carriage-return',
      at: first,
      variable: variableOn(text, first.start),
      becomes:
        isEvery && more.length > 0
          ? 'every line ends in a carriage return, which becomes part of every value: 1 is no longer 1'
          : 'the carriage return at the end of the line becomes part of the value',
      likelyMistake: true,
      more: more.map((at) => lineIndex.span(at)),
    },
  ];
}

function variableOn(text: string, at: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\+?=/.exec(line)?.[1] ?? null;
}

/** The conf as it is, with its reading with Unix line ends as an alternative. */
function withRepaired(own: ReadConf, repaired: ReadConf): ReadConf {
  const difference = {
    isSame: isDeepStrictEqual(startAndExports(own), startAndExports(repaired)),
    opens: repaired.settings.listeners.flatMap((listener) => {
      const before = own.settings.listeners.find(({ kind }) => kind === listener.kind);
      return listener.state === 'on' && !isLocal(listener.kind) && offersMore(listener, before)
        ? [{ kind: listener.kind, modules: listener.modules }]
        : [];
    }),
    starts: repaired.settings.startable && !own.settings.startable,
  };
  const explained = (issue: SyntaxIssue) =>
    issue.kind === 'carriage-return' ? { ...issue, repaired: difference } : issue;
  const { shell } = repaired;
  const conf = { ...repaired, shell: { ...shell, syntaxIssues: shell.syntaxIssues.map(explained) } };
  const readings = alternativesOf({ when: null }, conf).map(
    (one): Alternative => ({ ...one, isRepaired: true }),
  );
  return withAlternatives(own, readings);
}

function startAndExports({ settings: { start }, shell: { exported, variables } }: ReadConf) {
  return [start?.map(({ text }) => text) ?? null, exported.map((name) => [name, variables[name]])];
}

function offersMore({ modules }: Listener, before: Listener | undefined): boolean {
  if (before?.state !== 'on') return true;
  return modules?.some((name) => before.modules?.includes(name) === false) === true;
}
