/** The files of a folder that run commands: scripts, Makefiles, units, and the steps of CI and of package.json. */
import { variableOf } from '../environment/environment.js';
import type { Files } from '../launch/files.js';
import type { Environment, LaunchVariable } from '../launch/launch.js';
import { isMakefile, scriptOf } from '../script/makefile.js';
import { fileOf } from '../script/script.js';
import { commandsOfUnit } from '../systemd/unit.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { ownFolder } from '../text/placeholders.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';

/** Commands that run in one environment. */
export interface Commands {
  readonly file: LineIndex;
  readonly scripts: readonly Placed[];
  readonly words: readonly (readonly Placed[])[];
  readonly environment: Environment;
  readonly folder: string;
}

const scripts = /\.(?:ba|da|a|k|z)?sh$/;
/** Files in YAML or JSON whose texts are commands. */
const runners =
  /(?:^|[\\/])(?:\.github[\\/]workflows[\\/][^\\/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci[\\/]config\.yml|\.(?:drone|woodpecker)\.ya?ml|(?:azure|bitbucket)-pipelines\.ya?ml|[Tt]askfile\.ya?ml|package\.json)$/;

/** The commands in the files whose text passes the test. */
export function callersIn(files: Files, mayRun: (text: string) => boolean): Commands[] {
  const shells = [...files.all('script'), ...files.all('command line'), ...files.named(scripts)];
  const byPath = new Map([...shells, ...files.named(isMakefile)].map((file) => [file.file, file]));
  const wanted = (all: Iterable<LineIndex>) => [...all].filter(({ text }) => mayRun(text));
  return [
    ...wanted(byPath.values()).map((file) => ofScript(files.written(file), files)),
    ...wanted(files.all('systemd')).flatMap((file) => ofUnit(file, files)),
    ...wanted(files.named(runners)).flatMap(ofRunner),
  ];
}

function ofScript(file: LineIndex, files: Files): Commands {
  const text = Placed.at(file);
  const included = (path: string) => {
    const read = fileOf({ read: (one, from) => files.peek(one, from) }, path, file, 'included');
    return 'problem' in read ? null : read;
  };
  const script = isMakefile.test(file.file) ? scriptOf(text, included) : text;
  return { file, scripts: [script], words: [], environment: new Map(), folder: ownFolder };
}

function ofUnit(file: LineIndex, files: Files): Commands[] {
  return commandsOfUnit(file, files).map((one) => ({ ...one, file, scripts: [] }));
}

/** Keys whose maps set variables, whose texts are commands, and whose text is the folder of the commands. */
const variables = /^(?:env|environment|variables)$/;
const commands = /^(?:run|script|before_script|after_script|commands?|cmds?|scripts)$/;
const folders = /^(?:working[-_]directory|dir)$/;
const maxDepth = 12;

/** A map sets variables for all commands below it; the texts of its keys for commands run in one shell. */
function ofRunner(file: LineIndex): Commands[] {
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
    if (texts.length > 0) {
      const script = Placed.join(texts, '\n');
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
    const text = value?.text ?? null;
    if (text === null) return [];
    const known = variableOf(text);
    return [[key.text, /\$\{\{|\{\{/.test(text.text) ? { ...known, value: null } : known]];
  });
}
