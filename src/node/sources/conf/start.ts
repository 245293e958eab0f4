/** Lets the launcher build its command line from a conf and the node read it. */
import { groupBy } from '../../../util/group-by.js';
import type { CommandWord } from '../../dialect/word.js';
import type { ReleaseFound } from '../../facts/release.js';
import type { Origin, Settings, StartProblem } from '../../facts/settings.js';
import type { Assignment } from '../../facts/shell.js';
import type { EnvironmentVariable } from '../argv/layers.js';
import { settingsOfWords } from '../argv/node.js';
import type { Reading } from '../shell/shell.js';
import type { Run } from '../shell/syntax/tree.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import { WordPlaces } from '../text/word-places.js';
import { beforeAnything, ignoredNetwork } from './launcher-checks.js';
import { type Places, replay } from './replay.js';
import { scratchOf } from './scratch.js';
import type { ConfText } from './text.js';

/** Lets the launcher build its command line and the node read it. */
export function start(
  reading: Reading,
  lineIndex: LineIndex,
  assignments: readonly Assignment[],
  { kind, launcher, package: from, packaged, file, unseen = null }: ConfText,
  release: ReleaseFound,
  environment: ReadonlyMap<string, EnvironmentVariable>,
): ReturnType<typeof settingsOfWords> {
  const { shell } = reading;
  const { launchers } = kind;
  const byName = groupBy(assignments, ({ variable }) => variable);
  const kept = new WordPlaces();
  const valueAt = (variable: string) =>
    byName.get(variable)?.findLast(({ effective }) => effective)?.valueAt ?? null;
  const places: Places = {
    valueAt,
    placed: (variable, text) => placedIn(lineIndex, shell.journal.written.get(variable) ?? [], text),
    at(variable, word) {
      const whole = valueAt(variable);
      return whole === null || word === undefined ? whole : kept.keepIn(whole, word);
    },
  };
  const problems: StartProblem[] = beforeAnything(
    reading,
    lineIndex,
    places,
    launchers.neededFolder(launcher, from),
  );
  const separators = shell.memory.valueOf('IFS');
  if (separators !== undefined && separators !== ' \t\n')
    shell.taint('IFS is changed, so words end elsewhere');
  const script = replay(scratchOf(shell), launchers.steps(launcher, from), launchers.extraFlags, places);
  return settingsOfWords({
    kind,
    release,
    launcher,
    words: script.words.map((word) => named(word, reading, lineIndex)),
    environment,
    file: file?.(kind) ?? null,
    before: [...problems, ...script.problems],
    after: ignoredNetwork(shell, launchers.networkVariables(launcher), places),
    unseen,
    renamed: (settings) => packagedOrigins(settings, packaged),
    locate: ({ origin }, piece, after) => kept.locate('at' in origin ? origin.at : null, piece, after),
  });
}

/** The value that these characters make; null: it is another one. */
function placedIn(lineIndex: LineIndex, runs: readonly Run[], text: string): Placed | null {
  const placed = Placed.join(runs.map((run) => Placed.for(run.text, lineIndex, run.start, run.end)));
  return placed.text === text && text !== '' ? placed : null;
}

/** The word with the name of what is unknown: the command that is not followed, else in the line of its variable. */
function named(word: CommandWord, { shell }: Reading, lineIndex: LineIndex): CommandWord {
  const { indeterminate } = shell.journal;
  const command = indeterminate.findLast(
    ({ variable, reason }) => variable === null && reason === word.indeterminate,
  );
  const at = command?.at ?? (word.at === null ? null : lineIndex.range(word.at));
  if (word.text !== null || at === null) return word;
  const { start, end } = at;
  const unknown = unknownIn(Placed.at(lineIndex, start, end), word.variable ?? word.cause ?? undefined);
  return { ...word, unknown, indeterminate: `${unknown}: ${word.indeterminate}` };
}

/** A variable that no line assigns comes from the packaged conf where that has it, and else from the environment. */
function packagedOrigins(settings: Settings['values'], packaged: ConfText['packaged']): Settings['values'] {
  if (Object.keys(packaged).length === 0) return settings;
  const named = (origin: Origin): Origin => {
    const variable = origin.kind === 'environment' && origin.at === null ? origin.variable : null;
    return variable === null || !Object.hasOwn(packaged, variable) ? origin : { kind: 'packaged', variable };
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
