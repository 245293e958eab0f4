/** Lets the launcher check a conf, and build its command line from it, and the node read that. */

import type { CommandWord } from '../../dialect/word.js';
import type { ReleaseFound } from '../../facts/release.js';
import type { Origin, Settings, StartProblem } from '../../facts/settings.js';
import type { Assignment } from '../../facts/shell.js';
import type { Launchers } from '../../kinds/kind.js';
import type { EnvironmentVariable } from '../argv/layers.js';
import { settingsOfWords } from '../argv/node.js';
import type { Reading } from '../shell/shell.js';
import type { Shell } from '../shell/state.js';
import type { Run } from '../shell/syntax/tree.js';
import { testStatus } from '../shell/test.js';
import { isUnknown } from '../shell/value.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import { WordPlaces } from '../text/word-places.js';
import { type Places, Replay, scratchOf, split } from './replay.js';
import type { ConfText } from './text.js';

/** Lets the launcher build its command line and the node read it. */
export function start(
  reading: Reading,
  assignments: readonly Assignment[],
  { kind, lineIndex, launcher, package: from, packaged, file, unseen = null }: ConfText,
  release: ReleaseFound,
  environment: ReadonlyMap<string, EnvironmentVariable>,
): ReturnType<typeof settingsOfWords> {
  const { shell } = reading;
  const { launchers } = kind;
  const effective = assignments.filter((one) => one.effective);
  const lastOf = new Map(effective.map(({ variable, valueAt }) => [variable, valueAt]));
  const kept = new WordPlaces();
  const valueAt = (variable: string) => lastOf.get(variable) ?? null;
  const places: Places = {
    valueAt,
    placed: (variable, text) => placedIn(lineIndex, shell.journal.written.get(variable) ?? [], text),
    at(variable, word) {
      const whole = valueAt(variable);
      return whole === null || word === undefined ? whole : kept.keepIn(whole, word);
    },
  };
  const problems = beforeAnything(reading, lineIndex, places, launchers.neededFolder(launcher, from));
  const separators = shell.memory.valueOf('IFS');
  if (separators !== undefined && separators !== ' \t\n')
    shell.taint('IFS is changed, so words end elsewhere');
  const script = new Replay(scratchOf(shell), launchers.extraFlags, places);
  script.take(launchers.steps(launcher, from));
  return settingsOfWords({
    kind,
    release,
    launcher,
    words: script.words.map((word) => nameUnknown(word, reading, lineIndex)),
    environment,
    file: file?.(kind) ?? null,
    before: [...problems, ...script.problems],
    after: ignoredNetwork(shell, launchers.networkVariables(launcher), places),
    unseen,
    renamed: (settings) => packagedOrigins(settings, packaged),
    locate: ({ origin }, piece, after) => kept.locate('at' in origin ? origin.at : null, piece, after),
  });
}

/** The value that these characters make; null if it is another one. */
function placedIn(lineIndex: LineIndex, runs: readonly Run[], text: string): Placed | null {
  const placed = Placed.join(runs.map((run) => Placed.for(run.text, lineIndex, run.start, run.end)));
  return placed.text === text && text !== '' ? placed : null;
}

/** The word with the name of what is unknown: the command that is not followed, else in the line of its variable. */
function nameUnknown(word: CommandWord, { shell }: Reading, lineIndex: LineIndex): CommandWord {
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
  const entries = Object.entries(settings).map(([name, setting]) => {
    const shadowed = setting.shadowed.map((one) => ({ ...one, origin: named(one.origin) }));
    return [name, { ...setting, origin: named(setting.origin), shadowed }] as const;
  });
  return Object.fromEntries(entries);
}

/** Why the launcher ends, or may end, before it builds a command line. */
function beforeAnything(
  { shell, ends }: Reading,
  lineIndex: LineIndex,
  places: Places,
  neededFolder: ReturnType<Launchers['neededFolder']>,
): StartProblem[] {
  const refusal = { kind: 'launcher-refuses', fatal: true, variable: null, flags: [] } as const;
  if (ends !== null) return [{ ...refusal, message: ends.reason, at: lineIndex.span(ends) }];
  const maybe = shell.journal.mayExit.map(({ reason, at }): StartProblem => {
    const message = `the launcher may end here: ${reason}`;
    return { ...refusal, fatal: false, message, at: lineIndex.span(at) };
  });
  if (neededFolder === null) return maybe;
  const { variable, flag } = neededFolder;
  const folder = shell.look(variable) ?? '';
  if (isUnknown(folder)) return maybe;
  const at = places.valueAt(variable);
  const missing = { kind: 'data-dir-missing', fatal: true, at, variable, flags: [flag] } as const;
  if (testStatus(['-z', ...split(folder)], () => null) === 0) {
    const message =
      split(folder).length === 0
        ? `${variable} is empty: the launcher prints an error and exits`
        : `the launcher reads the words of ${variable} as a test that holds, and exits`;
    return [...maybe, { ...missing, message }];
  }
  if (!/[\0-\x1f\x7f]/.test(split(folder)[0] ?? '')) return maybe;
  const message = `${variable} ends in a control character, so no such folder exists and the launcher exits`;
  return [...maybe, { ...missing, message }];
}

/** A network's name beside its id is ignored: with a warning, or unread. */
function ignoredNetwork(
  shell: Shell,
  variables: ReturnType<Launchers['networkVariables']>,
  places: Places,
): StartProblem[] {
  if (variables === null) return [];
  const [id, network] = [shell.look(variables.id) ?? '', shell.look(variables.name) ?? ''];
  if (isUnknown(id) || isUnknown(network) || id === '' || network === '') return [];
  const { name: variable, flag } = variables;
  const message = `${variables.id} is set, so the launcher ignores ${variable}=${network} and starts a private network ${id}`;
  const at = places.valueAt(variable) ?? places.valueAt(variables.id);
  return [{ kind: 'network-ignored', fatal: false, message, at, variable, flags: [flag] }];
}
