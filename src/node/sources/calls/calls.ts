/** The commands of a folder that start its deployments, with the variables, files and folders that they give them. */
import { posix } from 'node:path';
import { oncePer } from '../../../util/once-per.js';
import type { Files } from '../launch/files.js';
import type { Environment } from '../launch/launch.js';
import { Follower, placeOf, type ToolCall } from '../script/follow.js';
import { fileAt } from '../script/paths.js';
import { fileOf } from '../script/script.js';
import { mayRunTool, type Tool } from '../script/tools.js';
import { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';
import { Lost, Steps } from '../text/steps.js';
import { type Commands, callersIn } from './callers.js';

/** A command of a tool, and the file that it is in. */
export interface Call extends ToolCall {
  readonly by: LineIndex;
}

/** Of one file; conditions that cannot be known are tried one by one. */
const [maxSteps, maxConditions, maxCalls] = [50_000, 8, 100];

/** The commands of this tool in the files of the folder. */
export function callsOf(tool: Tool, files: Files): readonly Call[] {
  return allCalls(files.plain).filter((one) => one.tool === tool);
}

const allCalls = oncePer((files: Files): readonly Call[] =>
  callersIn(files, (text) => mayRunTool.test(text)).flatMap((one) => callsIn(one, files)),
);

/** The calls where no unknown condition holds, where each one does, and where all do. */
function callsIn(commands: Commands, files: Files): Call[] {
  const { file } = commands;
  const steps = new Steps(maxSteps);
  const run = (holds: (place: string) => boolean) => {
    const open = (path: string) => fileOf({ read: (one, from) => files.peek(one, from) }, path, file, 'run');
    const follower = new Follower({ kinds: [], steps, open, holds });
    try {
      followAll(follower, commands);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    return follower;
  };
  const first = run(() => false);
  const others = first.undecided.slice(0, maxConditions).map(placeOf);
  const runs = [
    first,
    ...others.map((one) => run((place) => place === one)),
    ...(others.length < 2 ? [] : [run(() => true)]),
  ];
  const calls = runs.flatMap(({ tools }) => tools.map((one) => ({ ...one, by: file })));
  return [...new Map(calls.map((one) => [keyOf(one), one])).values()].slice(0, maxCalls);
}

function followAll(follower: Follower, { scripts, words, environment, folder }: Commands): void {
  for (const script of scripts) follower.follow(script, environment, { folder });
  for (const [first, ...rest] of words)
    if (first !== undefined) follower.run([first, ...rest], first, environment, folder);
}

/** Equal for commands that do the same. */
function keyOf({ tool, words, exported, folder, written }: Call): string {
  const variables = [...exported].map(([name, { value, at }]) => [name, value?.text ?? at]);
  const texts = [...written].map(([path, { text }]) => [path, text]);
  return JSON.stringify([tool, words.map(({ text }) => text), variables, folder, texts]);
}

/**
 * Where a path of a call may lie, the most likely first: a command runs in the folder of its file, or in one above it, and
 * the first folders of an absolute path may be those of the machine. Places of two paths with one index agree.
 */
export function placesOf({ by, folder }: Pick<Call, 'by' | 'folder'>, path: string): Situated[] {
  const isKnown = (one: string) => one.startsWith('/') || one.startsWith(ownFolder);
  const shown = path.replace(leading, '');
  const own = isKnown(shown) ? shown : `${folder}/${shown}`;
  const at = fileAt(own.replace(leading, `${ownFolder}/`)) ?? shown;
  const parts = at.split('/').slice(at.startsWith('/') ? 1 : 0);
  return above(by.file).flatMap((from) =>
    Array.from({ length: maxDropped }, (_, dropped) => {
      const rest = at.startsWith('/') ? parts.slice(Math.min(dropped, parts.length - 1)) : parts;
      return { from: new LineIndex(posix.join(from, 'x'), ''), path: posix.join(from, ...rest) };
    }),
  );
}

const leading = new RegExp(`^${unfilled}+/`);
/** Folders of a machine before those of the project. */
const maxDropped = 5;

/** A path of the folder, seen from a folder that a command may run in. */
export interface Situated {
  readonly path: string;
  readonly from: LineIndex;
}

/** The folders of a file, the innermost first. */
function above(file: string): string[] {
  const folder = posix.dirname(file);
  return folder === posix.dirname(folder) || folder === '.' ? [folder] : [folder, ...above(folder)];
}

/** The values of the options with these names, in order; `-f x`, `-fx`, `--file=x`. */
export function valuesOf(words: readonly Placed[], names: RegExp): Placed[] {
  return words.flatMap((word, at) => {
    const [, name = '', equals] = /^(--?[A-Za-z][\w-]*)(=?)/.exec(word.text) ?? [];
    if (names.test(name)) return equals === '' ? (words[at + 1] ?? []) : word.slice(name.length + 1);
    const short = /^-[A-Za-z]/.exec(word.text)?.[0] ?? '';
    return short !== '' && !word.text.startsWith('--') && names.test(short) ? word.slice(2) : [];
  });
}

/** The known variables of the environment of a call. */
export function environmentOf(exported: Environment): Map<string, Placed | null> {
  return new Map([...exported].map(([name, { value }]) => [name, value]));
}
