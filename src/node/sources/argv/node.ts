/** Derives a node's settings from its words and its environment: the last step of every source. */
import { isDeepStrictEqual } from 'node:util';
import type { Program } from '../../dialect/dialect.js';
import { firstReading, type Occurrence, type ParsedWords } from '../../dialect/occurrence.js';
import type { CommandWord } from '../../dialect/word.js';
import {
  isLocal,
  isStartRefused,
  type Listener,
  type MissingFile,
  otherVariables,
  type Setting,
  type Settings,
  type StartProblem,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { unlessOf } from '../../facts/worlds.js';
import { withUnchecked } from '../../kinds/interfaces.js';
import type { FlagSet, KindWords } from '../../kinds/kind.js';
import { isKnown } from '../text/placed.js';
import { type FileLayer, fileNamed, type Sources, settle } from './layers.js';
import { meantWords } from './meant.js';
import { worstReading } from './readings.js';
import { shadedByUnseen } from './shade.js';
import { unknownFlag } from './unknown-flag.js';

/** The settings that follow from the words. */
type StartedSettings = Pick<
  Settings,
  'kind' | 'release' | 'start' | 'values' | 'listeners' | 'startable' | 'problems'
>;

/** What was not read and may set more: its name, and why it was not read. */
export type Unseen = Pick<MissingFile, 'name' | 'reason'>;

export interface NodeStart extends Sources {
  readonly words: readonly CommandWord[];
  /** Problems to report before and after those of the words. */
  readonly before: readonly StartProblem[];
  readonly after: readonly StartProblem[];
  /** What may set more variables of the environment, and was not read; absent or null if there is nothing. */
  readonly unseen?: Unseen | null;
  /** Whether calls to the running node are among the words, such as one that unlocks an account. */
  readonly called?: boolean;
  /** Replaces origins, after all settings are derived. */
  renamed?(settings: Settings['values']): Settings['values'];
  /** The place of a piece of a setting's value. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** The flags of the program that a launcher starts. */
export function flagsOf({ flags, programOf }: KindWords, launcher: string): FlagSet {
  return flags.of(programOf(launcher));
}

/** The flag whose effect a call to the running node has too, unless the node refuses it. */
const calledFlag = 'unlock';

/** The settings, their listeners and start problems; and the same for other readings of the words. */
export function settingsOfWords(start: NodeStart) {
  const { kind, launcher, environment, file, before, after, locate, unseen = null } = start;
  const flags = flagsOf(kind, launcher);
  const program: Program = {
    flags,
    rules: kind.flags,
    consoles: kind.consoles,
    unknown: (written, name) => unknownFlag(kind, start.release, written, name),
    isKnown,
  };
  const { words, problems: refusals } = meantWords(program, start.words);
  const parsed = kind.dialect.parse(program, words);
  const settleWords = (occurrences: readonly Occurrence[], isWritten = false) =>
    settle(start, { ...parsed, occurrences }, isWritten);
  const given = words.map((word) => (parsed.values.has(word) ? { ...word, maybe: [] } : word));
  const open = (settled: Settings['values'], isWritten: boolean) => {
    const values = start.renamed?.(settled) ?? settled;
    const all = isWritten ? given.filter(({ text, maybe }) => text !== null || maybe !== null) : given;
    const listeners = kind.listeners({ dialect: kind.dialect, launcher, values, words: all, locate });
    return { values, listeners: listeners.map((one) => withUnchecked(one, kind.interfaces.checks)) };
  };
  const settled = settleWords(firstReading(parsed.occurrences));
  const shaded = shadedByUnseen(settled.settings, unseen?.reason ?? null, kind.configFile);
  const first = open(shaded, false);
  const isCertain =
    parsed.maybe.length === 0 && Object.values(shaded).every((one) => one.indeterminate === null);
  const written = isCertain ? shaded : settleWords(firstReading(parsed.occurrences), true).settings;
  const unless =
    !isCertain && opensMore(first.listeners, open(written, true).listeners)
      ? changing(kind, parsed, file, unseen, environment.get(otherVariables)?.indeterminate ?? null)
      : [];
  const worst = worstReading(kind, parsed.occurrences, written, (some) => settleWords(some, true).settings);
  const all = [
    ...before,
    ...refusals,
    ...parsed.problems,
    ...settled.problems,
    ...after,
    ...kind.startProblems(launcher, first.values, first.listeners),
  ];
  // A running node refuses the call and goes on.
  const refused = start.called === true ? all.filter(({ flags }) => flags[0] === calledFlag) : [];
  const problems = all.filter((one) => !refused.includes(one));
  const kept = (values: Settings['values']): Settings['values'] => {
    const untouched = refused.length > 0 ? flags.defaults[calledFlag] : undefined;
    return untouched === undefined ? values : { ...values, [calledFlag]: untouched };
  };
  const started = ({ values: given, listeners }: ReturnType<typeof open>): StartedSettings => ({
    kind: kind.id,
    release: start.release,
    start: words.map(({ text, variable, at, valueAt }) => ({
      text,
      variable,
      at,
      ...(valueAt === undefined ? {} : { valueAt }),
    })),
    values: kept(given),
    listeners: isStartRefused(problems) ? listeners.map(onceStarted) : listeners,
    startable: !problems.some(({ fatal }) => fatal),
    problems,
  });
  const others = [
    ...(unless.length === 0 ? [] : [{ values: written, when: null }]),
    ...(worst === null ? [] : [worst]),
  ].map(({ values, when }) => ({ ...started(open(values, true)), when, ...unlessOf(unless) }));
  return { ...started(first), others };
}

/** Whether an interface is open as it is not, or not for certain, in the first reading. */
export function opensMore(first: readonly Listener[], written: readonly Listener[]): boolean {
  return written.some(
    (one) =>
      one.state === 'on' &&
      !isLocal(one.kind) &&
      !first.some((other) => other.kind === one.kind && isDeepStrictEqual(other, one)),
  );
}

/** The names of what is unknown and may change settings that are written. */
function changing(
  { configFile }: KindWords,
  { maybe, occurrences }: ParsedWords,
  file: FileLayer | null,
  unseen: Unseen | null,
  setter: string | null,
): string[] {
  const parts = occurrences.flatMap(({ unknown }) => (unknown?.written == null ? [] : [unknown.name]));
  const unread = file === null && configFile !== null ? fileNamed(configFile, occurrences) : null;
  return [
    ...maybe.flatMap(({ flags, name }) => (flags === null ? [name] : [])),
    ...parts,
    ...(unread === null ? [] : [unread.name]),
    ...(setter === null ? [] : [setter]),
    ...(unseen === null ? [] : [unseen.name ?? 'a file that is not read']),
  ];
}

function onceStarted(listener: Listener): Listener {
  return listener.state === 'off' ? listener : { ...listener, refused: true };
}
