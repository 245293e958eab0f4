/** Derives a node's settings from its words and its environment: the last step of every source. */
import type { ReleaseFound } from '../../facts/release.js';
import {
  isStartRefused,
  type Listener,
  type Setting,
  type Settings,
  type StartProblem,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { FlagSet, Kind } from '../../kinds/kind.js';
import { parseWords } from './argv.js';
import { type EnvironmentVariable, type FileLayer, settle } from './layers.js';
import { firstReading, type Occurrence } from './occurrence.js';
import { type WorstReading, worstReading } from './readings.js';
import type { CommandWord } from './word.js';

/** The settings that follow from the words. */
type StartedSettings = Pick<
  Settings,
  'kind' | 'release' | 'start' | 'values' | 'listeners' | 'startable' | 'problems'
>;

export interface Started {
  /** At the release that reads the words. */
  readonly kind: Kind;
  readonly release: ReleaseFound;
  readonly launcher: string;
  readonly words: readonly CommandWord[];
  readonly environment: ReadonlyMap<string, EnvironmentVariable>;
  /** The node's own file of flags, if it was read. */
  readonly file: FileLayer | null;
  /** Problems to report before and after those of the words. */
  readonly before: readonly StartProblem[];
  readonly after: readonly StartProblem[];
  /** Replaces origins, after all settings are derived. */
  renamed?(settings: Settings['values']): Settings['values'];
  /** The place of a piece of a setting's value. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** The flags of the program that a launcher starts. */
export function flagsOf({ flags, programOf }: Kind, launcher: string): FlagSet {
  return flags.of(programOf(launcher));
}

/** The settings, their listeners and start problems; and the same for the worst reading, where one is worse. */
export function settingsOfWords(start: Started): StartedSettings & {
  readonly worst: (StartedSettings & Pick<WorstReading, 'when'>) | null;
} {
  const { kind, launcher, words, environment, file, before, after, locate } = start;
  const flags = flagsOf(kind, launcher);
  const parsed = parseWords(kind, start.release, words, flags);
  const settleWords = (occurrences: readonly Occurrence[]) =>
    settle(kind, kind.programOf(launcher), { ...parsed, occurrences }, environment, file);
  const settled = settleWords(firstReading(parsed.occurrences));
  const worst = worstReading(
    kind,
    parsed.occurrences,
    settled.settings,
    (some) => settleWords(some).settings,
  );
  const open = (settled: Settings['values']) => {
    const values = start.renamed?.(settled) ?? settled;
    return { values, listeners: kind.listeners({ launcher, values, words, locate }) };
  };
  const first = open(settled.settings);
  const problems = [
    ...before,
    ...parsed.problems,
    ...settled.problems,
    ...after,
    ...kind.startProblems(launcher, first.values, first.listeners),
  ];
  const started = ({ values, listeners }: ReturnType<typeof open>): StartedSettings => ({
    kind: kind.id,
    release: start.release,
    start: words.map(({ text, variable, at, valueAt }) => ({
      ...{ text, variable, at },
      ...(valueAt === undefined ? {} : { valueAt }),
    })),
    values,
    listeners: isStartRefused(problems) ? listeners.map(onceStarted) : listeners,
    startable: !problems.some(({ fatal }) => fatal),
    problems,
  });
  return {
    ...started(first),
    worst: worst === null ? null : { ...started(open(worst.values)), when: worst.when },
  };
}

function onceStarted(listener: Listener): Listener {
  return listener.state === 'off' ? listener : { ...listener, refused: true };
}
