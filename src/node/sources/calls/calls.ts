/** The commands of a folder that start its deployments, with the variables, files and folders that they give them. */
import { posix } from 'node:path';
import { oncePer } from '../../../util/once-per.js';
import { variableOf } from '../environment/environment.js';
import type { Files } from '../launch/files.js';
import type { Environment, LaunchVariable } from '../launch/launch.js';
import { conditionKey, Follower, type ToolCall } from '../script/follow.js';
import type { Change } from '../script/followed-files.js';
import { isMakefile, scriptOf } from '../script/makefile.js';
import { isShellScript } from '../script/names.js';
import { fileAt } from '../script/paths.js';
import { fileOf } from '../script/script.js';
import { mayRunTool, type Tool } from '../script/tools.js';
import { commandsOfUnit } from '../systemd/unit.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';
import { Lost, Steps } from '../text/steps.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';

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
  callersIn(files, (text) => mayRunTool.test(text) || postRenders.test(text)).flatMap((one) =>
    callsIn(one, files),
  ),
);

/** What the commands of files with these words write and hand on. */
export function changesOf(files: Files, words: RegExp): readonly (Change & Pick<Call, 'by'>)[] {
  return callersIn(files, (text) => words.test(text)).flatMap((one) =>
    runsOf(one, files).flatMap(({ changes }) => changes.map((change) => ({ ...change, by: one.file }))),
  );
}

function callsIn(commands: Commands, files: Files): Call[] {
  const calls = runsOf(commands, files).flatMap(({ tools }) =>
    tools.map((one) => ({ ...one, by: commands.file })),
  );
  return [...new Map(calls.map((one) => [keyOf(one), one])).values()].slice(0, maxCalls);
}

/** The runs where no unknown condition holds, where each one does, and where all do. */
function runsOf(commands: Commands, files: Files): Follower[] {
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
  const others = first.undecided.slice(0, maxConditions).map(conditionKey);
  return [
    first,
    ...others.map((one) => run((place) => place === one)),
    ...(others.length < 2 ? [] : [run(() => true)]),
  ];
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
  return foldersOf(posix.dirname(by.file)).flatMap((from) =>
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

/** The file at a place, if it is among the files. */
export function readAt(place: Situated | undefined, read: Files['peek']): LineIndex[] {
  const file = place && read(relativeTo(place), place.from);
  return file === undefined || 'problem' in file ? [] : [file];
}

export function relativeTo({ path, from }: Situated): string {
  return posix.relative(posix.dirname(from.file), path);
}

/** A folder and those above it. */
export function foldersOf(folder: string): string[] {
  const above = posix.dirname(folder);
  return above === folder || folder === '.' ? [folder] : [folder, ...foldersOf(above)];
}

/** The values of the options with these names, in order; `-f x`, `-fx`, `--file=x`. */
export function optionValues(words: readonly Placed[], names: RegExp): Placed[] {
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

/** Commands that run in one environment. */
interface Commands {
  readonly file: LineIndex;
  readonly scripts: readonly Placed[];
  readonly words: readonly (readonly Placed[])[];
  readonly environment: Environment;
  readonly folder: string;
}

/** Files in YAML or JSON whose texts are commands. */
const runners =
  /(?:^|[\\/])(?:\.github[\\/]workflows[\\/][^\\/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci[\\/]config\.yml|\.(?:drone|woodpecker)\.ya?ml|(?:azure|bitbucket)-pipelines\.ya?ml|[Tt]askfile\.ya?ml|package\.json|(?:helmfile|skaffold)[\w.-]*|[\w-]*release[\w-]*\.ya?ml)$/;
const postRenders = /\bpost-?[rR]enderers?["']?:|--post-renderer/;

/** The commands in the files whose text passes the test. */
function callersIn(files: Files, mayRun: (text: string) => boolean): Commands[] {
  const named = files.named(/sh$/).filter(({ file, text }) => isShellScript(file, text));
  const shells = [...files.all('script'), ...files.all('command line'), ...named];
  const byPath = new Map([...shells, ...files.named(isMakefile)].map((file) => [file.file, file]));
  const wanted = (all: Iterable<LineIndex>) => [...all].filter(({ text }) => mayRun(text));
  return [
    ...wanted(byPath.values()).map((file) => commandsOfScript(files.written(file), files)),
    ...wanted(files.all('systemd')).flatMap((file) =>
      commandsOfUnit(file, files).map((one) => ({ ...one, file, scripts: [] })),
    ),
    ...wanted(files.named(runners)).flatMap(commandsOfRunner),
  ];
}

function commandsOfScript(file: LineIndex, files: Files): Commands {
  const text = Placed.at(file);
  const included = (path: string) => {
    const read = fileOf({ read: (one, from) => files.peek(one, from) }, path, file, 'included');
    return 'problem' in read ? null : read;
  };
  const script = isMakefile.test(file.file) ? scriptOf(text, included) : text;
  return { file, scripts: [script], words: [], environment: new Map(), folder: ownFolder };
}

/** Keys whose maps set variables, whose texts are commands, and whose text is the folder of the commands. */
const variables = /^(?:env|environment|variables|vars)$/;
const commands = /^(?:run|script|before_script|after_script|commands?|cmds?|scripts)$/;
const folders = /^(?:working[-_]directory|dir)$/;
const maxDepth = 12;

/** A map sets variables for all commands below it; the texts of its keys for commands run in one shell. */
function commandsOfRunner(file: LineIndex): Commands[] {
  const found: Commands[] = [];
  const walk = (tree: Tree, above: Environment, folder: string, depth: number): void => {
    if (depth > maxDepth) return;
    const under = (names: RegExp) => tree.entries.filter(({ key }) => names.test(key.text));
    const environment = new Map([...above, ...under(variables).flatMap(({ value }) => variablesIn(value))]);
    const [place] = under(folders).flatMap(({ value }) => value?.text?.text ?? []);
    const own = place === undefined ? folder : `${ownFolder}/${place}`;
    const texts = under(commands).flatMap(({ key, value }) =>
      value === null ? [] : textsIn(value, key.text),
    );
    const [chart] = under(/^chart(?:Path)?$/).flatMap(({ value }) => value?.text ?? []);
    if (chart !== undefined && postRenders.test(file.text)) {
      const words = ['helm', 'upgrade', 'x', chart.text, '--post-renderer', 'x'].map((word) =>
        chart.as(word),
      );
      found.push({ file, scripts: [], words: [words], environment, folder: own });
    }
    if (texts.length > 0) {
      // Variables of Task.
      const script = Placed.join(texts, '\n').replace(
        /\{\{[ \t]*\.(\w+)[^{}]*\}\}/g,
        ([, name = ''], at) => environment.get(name)?.value ?? at.as(unfilled),
      );
      found.push({ file, scripts: [script], words: [], environment, folder: own });
    }
    for (const one of [...tree.entries.map(({ value }) => value), ...tree.items])
      if (one !== null) walk(one, environment, own, depth + 1);
  };
  for (const { root } of readYaml(file)) if (root !== null) walk(root, new Map(), ownFolder, 0);
  return found;
}

function textsIn(value: Tree, key: string): Placed[] {
  const all =
    key === 'scripts' ? value.entries.map((entry) => entry.value) : value.isList ? value.items : [value];
  return all.flatMap((one) => one?.text ?? []);
}

/** An expression of the runner is not known. */
function variablesIn(map: Tree | null): [string, LaunchVariable][] {
  return (map?.entries ?? []).flatMap(({ key, value }): [string, LaunchVariable][] => {
    const text = value?.text ?? value?.get('value')?.text;
    if (text == null) return [];
    const known = variableOf(text);
    return [[key.text, /\$\{\{|\{\{/.test(text.text) ? { ...known, value: null } : known]];
  });
}
