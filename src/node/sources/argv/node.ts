/** What a node makes of its words and its environment: the last step, the same from every source. */
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
import { type EnvironmentVariable, settle, type YamlLayer } from './layers.js';
import { firstReading, type Occurrence } from './occurrence.js';
import { type WorstReading, worstReading } from './readings.js';
import type { CommandWord } from './word.js';

/** What a node makes of its words. */
type StartedSettings = Pick<Settings, 'kind' | 'start' | 'values' | 'listeners' | 'startable' | 'problems'>;

export interface Started {
  readonly kind: Kind;
  readonly launcher: string;
  readonly words: readonly CommandWord[];
  readonly environment: ReadonlyMap<string, EnvironmentVariable>;
  /** The file that --conf names, if it was read. */
  readonly file: YamlLayer | null;
  /** Problems met before the node reads its words, and behind those of the words. */
  readonly before: readonly StartProblem[];
  readonly after: readonly StartProblem[];
  /** Names origins better, once all is settled. */
  renamed?(settings: Settings['values']): Settings['values'];
  /** Where a piece of a setting's value stands. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** The flags of the program that a launcher starts. */
export function flagsOf({ flags, programOf }: Kind, launcher: string): FlagSet {
  return flags.of(programOf(launcher));
}

/** The settings, what they open, whether the node starts; and the same in another reading, where one is worse. */
export function settingsOfWords(start: Started): StartedSettings & {
  readonly worst: (StartedSettings & Pick<WorstReading, 'when'>) | null;
} {
  const { kind, launcher, words, environment, file, before, after, locate } = start;
  const flags = flagsOf(kind, launcher);
  const parsed = parseWords(kind, words, flags);
  const settleWords = (occurrences: readonly Occurrence[]) =>
    settle(kind, flags, { ...parsed, occurrences }, environment, file);
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
    start: words.map(({ text, variable, at }) => ({ text, variable, at })),
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
