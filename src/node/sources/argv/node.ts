/** What a node makes of its words and its environment: the last step, the same from every source. */
import type { Setting, Settings, StartProblem } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { flagsOf } from '../../kinds/kaia/flags.js';
import type { Launcher } from '../../kinds/kaia/names.js';
import type { ReplayWord } from '../conf/replay.js';
import { parseWords } from './argv.js';
import { bindProblems } from './bind.js';
import { listenersOf } from './listeners.js';
import { type EnvironmentVariable, settle, type YamlLayer } from './settings.js';

export interface Started {
  readonly launcher: Launcher;
  readonly words: readonly ReplayWord[];
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

/** The settings, what they open, and whether the node starts. */
export function settingsOfWords(
  started: Started,
): Pick<Settings, 'start' | 'values' | 'listeners' | 'startable' | 'problems'> {
  const { launcher, words, environment, file, before, after, locate } = started;
  const flags = flagsOf(launcher);
  const parsed = parseWords(words, flags);
  const settled = settle(flags, parsed, environment, file);
  const values = started.renamed?.(settled.settings) ?? settled.settings;
  const listeners = listenersOf({ launcher, settings: values, words, locate });
  const problems = [
    ...before,
    ...parsed.problems,
    ...settled.problems,
    ...after,
    ...bindProblems(launcher, values, listeners),
  ];
  return {
    start: words.map(({ text, variable, at }) => ({ text, variable, at })),
    values,
    listeners,
    startable: !problems.some(({ fatal }) => fatal),
    problems,
  };
}
