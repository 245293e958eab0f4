/** The commands of docker, podman and kubectl that run a container or build its image, and those that act in a running one. */
import { pairs } from '../../../util/pairs.js';
import { otherVariables } from '../../facts/settings.js';
import { environmentLines, variableOf } from '../environment/environment.js';
import { type Recipe, shellForm, startWords } from '../image/recipe.js';
import type { Scope } from '../launch/files.js';
import type { LaunchVariable } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { pairOf, splitWords } from '../text/words.js';
import { type Mount, mountBetween, mountOf } from './mounts.js';
import { baseName, fileAt } from './paths.js';

/** Programs with `run IMAGE`. */
export const containerPrograms = /^(?:docker|podman|nerdctl)$/;

/** A container as a command line starts it. */
export interface ContainerRun {
  readonly image: Placed;
  /** The options before the image, each with its value; null if it has none. */
  readonly options: readonly (readonly [name: string, value: Placed | null])[];
  /** The words after the image. */
  readonly words: readonly Placed[];
}

/** Options without a value; every other one takes one. */
const switches =
  /^--(?:no-cache|stdin|no-TTY|pull|push|load|detach|interactive|tty|rm|init|privileged|publish-all|read-only|no-healthcheck|internal|attachable|ingress|ipv6|config-only|no-hosts|oom-kill-disable|quiet|replace|tls-verify|build|no-deps|service-ports|use-aliases|remove-orphans|quiet-pull|env-host|http-proxy|disable-content-trust|sig-proxy)$/;
const short = new Map(pairs('p=publish P=publish-all e=env v=volume f=file'));
const shortSwitches = 'ditPqT';

/** Reads the words after the program's name; null if they start no container. */
export function containerRun(words: readonly Placed[]): ContainerRun | null {
  const verb = words.findIndex(({ text }) => text === 'run' || text === 'create');
  const before = words.slice(0, Math.max(0, verb)).map(({ text }) => text);
  if (verb < 0 || before.some((text) => /^(?:compose|build|exec|network|volume|image|pod)$/.test(text)))
    return null;
  const { options, at } = optionsFrom(words, verb + 1);
  const image = words[at];
  return image === undefined ? null : { image, options, words: words.slice(at + 1) };
}

/** The files that may hold commands of docker. */
export const scripts = /\.(?:sh|bash|mk)$|(?:^|\/)(?:GNU)?[Mm]akefile$/;

/** The words of the commands in a file that the pattern finds, read as they are written; comments and messages have none. */
export function commandsIn(file: LineIndex, command: RegExp): Placed[][] {
  return [...file.text.matchAll(command)].flatMap(({ 0: { length }, index }) => {
    const before = file.text.slice(file.text.lastIndexOf('\n', index) + 1, index);
    const isText = /^\s*@?(?:#|echo\b|printf\b)|\s#\s/.test(before);
    return isText ? [] : [splitWords(Placed.at(file, index, index + length))];
  });
}

/** The options from here, and the place of the first other word. */
export function optionsFrom(words: readonly Placed[], from: number) {
  const options: [string, Placed | null][] = [];
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at] as Placed;
    if (!word.text.startsWith('-') || word.text === '-') break;
    const [name, value] = optionOf(word);
    const takesNext = value === null && !switches.test(`--${name}`);
    options.push([name, takesNext ? (words[at + 1] ?? null) : value]);
    if (takesNext) at += 1;
  }
  return { options, at };
}

/** An image that a command line builds. */
export interface ImageBuild {
  readonly context: Placed;
  readonly options: ContainerRun['options'];
}

/** Reads `docker build -t NAME -f FILE FOLDER`; null if the words build no image. */
export function imageBuild(words: readonly Placed[]): ImageBuild | null {
  const verb = words.findIndex(({ text }) => text === 'build');
  if (verb < 1 || words.slice(1, verb).some(({ text }) => !/^(?:image|buildx)$/.test(text))) return null;
  // -t is --tty of other commands.
  const long = words.map((word) => (word.text === '-t' ? word.as('--tag') : word));
  const { options, at } = optionsFrom(long, verb + 1);
  const context = words[at];
  return context === undefined ? null : { context, options };
}

/** `--publish=8551`, `-p8551:8551`, `-dit`, `-itp`. */
function optionOf(word: Placed): [string, Placed | null] {
  if (word.text.startsWith('--')) {
    const [name, value] = pairOf(word);
    return [name.slice(2), value];
  }
  let at = 1;
  while (at < word.text.length - 1 && shortSwitches.includes(word.text[at] ?? '')) at += 1;
  const letter = word.text[at] ?? '';
  if (shortSwitches.includes(letter)) return [letter === 'P' ? 'publish-all' : 'detach', null];
  const value = at + 1 < word.text.length ? word.slice(at + 1) : null;
  return [short.get(letter) ?? letter, value];
}

export function optionsNamed(
  { options }: Pick<ContainerRun, 'options'>,
  ...names: readonly string[]
): Placed[] {
  return options.flatMap(([name, value]) => (names.includes(name) && value !== null ? [value] : []));
}

/** Its name; null if it has none. */
export function containerName(run: ContainerRun): string | null {
  const name = optionsNamed(run, 'name').at(-1)?.text ?? null;
  return name !== null && isKnown(name) ? name : null;
}

/** What runs in it: `--entrypoint` is a single word. */
export function commandOf(run: ContainerRun, recipe: Recipe | null = null): Placed[] {
  const entrypoint = optionsNamed(run, 'entrypoint').slice(-1);
  return startWords(
    recipe,
    entrypoint.length === 0 ? null : entrypoint,
    run.words.length === 0 ? null : run.words,
  );
}

export function checksOf(run: ContainerRun, recipe: Recipe | null = null): (readonly Placed[])[] {
  const own = optionsNamed(run, 'health-cmd').map(shellForm);
  return own.length === 0 && recipe !== null ? [recipe.check] : own;
}

/** Its environment; `from` is the file with the command. A name without a value has that of the command's environment. */
export function environmentOf(
  run: ContainerRun,
  exported: ReadonlyMap<string, LaunchVariable>,
  from: LineIndex,
  files: Scope,
): Map<string, LaunchVariable> {
  const map = new Map<string, LaunchVariable>();
  const setter = exported.get(otherVariables)?.indeterminate;
  const unknown = setter == null ? 'it comes from the environment of the command' : `${setter} may set it`;
  for (const path of optionsNamed(run, 'env-file')) {
    const file = files.read(fileAt(path.text) ?? path.text, from, 'environment');
    if ('problem' in file)
      files.miss({ name: path.text, decides: 'settings', reason: `--env-file: ${file.problem}` });
    else for (const { name, value } of environmentLines(file)) map.set(name, variableOf(value));
  }
  for (const word of optionsNamed(run, 'env')) {
    const [name, value] = pairOf(word);
    const own = { value, at: word.span(), indeterminate: value === null ? unknown : null };
    map.set(name, value === null ? (exported.get(name) ?? own) : own);
  }
  return map;
}

/** What it mounts. */
export function mountsOf(run: ContainerRun, from: LineIndex): Mount[] {
  const bound = optionsNamed(run, 'volume').flatMap(({ text }) => mountOf(text, from) ?? []);
  const others = optionsNamed(run, 'mount').flatMap(({ text }) => {
    const fields = new Map(
      text.split(',').map((field) => field.split('=', 2) as [string, string | undefined]),
    );
    const field = (...names: readonly string[]) => names.map((name) => fields.get(name)).find(Boolean) ?? '';
    if (field('type') === 'tmpfs') return [];
    return mountBetween(field('source', 'src'), field('target', 'destination', 'dst'), from) ?? [];
  });
  return [...bound, ...others];
}

const programs = /^(?:docker|docker-compose|podman|podman-compose|nerdctl|kubectl|oc)$/;

/** A file that a command copies into a container. */
export interface ContainerCopy {
  readonly container: string;
  readonly from: Placed;
  readonly to: string;
}

/** A command that runs in a container. */
export interface ContainerExec {
  /** The name of the container, its pod or its service, as far as it is known. */
  readonly inside: string;
  readonly words: readonly Placed[];
  /** `env` and the variables of its options, which come before the words; empty without any. */
  readonly environment: readonly Placed[];
}

/** Reads `docker cp FILE NAME:PATH`, `docker compose cp` and `kubectl cp`; null for another command. */
export function containerCopy(words: readonly Placed[]): ContainerCopy | null {
  const verb = verbIn(words, 'cp');
  const at = words.findLastIndex(({ text }) => target.test(text));
  const from = words[at - 1];
  const next = words[at + 1]?.text ?? '-';
  if (verb < 0 || from === undefined || at - 1 <= verb || !next.startsWith('-')) return null;
  const [, container = '', to = ''] = target.exec(words[at]?.text ?? '') ?? [];
  return { container, from, to };
}

/** A container's name, after a namespace, and a path in the container. */
const target = /^(?:[^/:]*\/)?([^/:]+):(\/.*)$/;

/** Reads `docker exec NAME COMMAND`, `docker compose exec` and `kubectl exec POD -- COMMAND`; null for another command. */
export function containerExec(words: readonly Placed[]): ContainerExec | null {
  const verb = verbIn(words, 'exec');
  if (verb < 0) return null;
  const { at, options } = optionsFrom(words, verb + 1);
  const given = optionsNamed({ options }, 'env');
  const environment =
    given.length === 0 ? [] : [...words.slice(verb, verb + 1).map((word) => word.as('env')), ...given];
  const end = words.findIndex(({ text }, index) => index > at && text === '--');
  const command = words.slice(end < 0 ? at + 1 : end + 1);
  return command.length === 0 ? null : { inside: words[at]?.text ?? '', words: command, environment };
}

/** The place of the program's verb; -1: the words are of another program or verb. */
function verbIn(words: readonly Placed[], verb: 'cp' | 'exec'): number {
  if (!programs.test(baseName(words[0]?.text ?? ''))) return -1;
  const first = words.findIndex(({ text }) => /^(?:run|create|build|cp|exec)$/.test(text));
  return words[first]?.text === verb ? first : -1;
}
