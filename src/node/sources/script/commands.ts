/** The node that a command starts, with wrappers such as sudo removed. */
import { type Starter, starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { type ContainerCopy, type ContainerExec, containerCopy, containerExec } from './container-access.js';
import {
  type ContainerRun,
  containerPrograms,
  containerRun,
  type ImageBuild,
  imageBuild,
} from './container-run.js';
import { baseName } from './paths.js';

/** A node as a command starts it. */
export interface Started extends Starter {
  /** The path of the launcher, where the command names it. */
  readonly program?: string;
  /** True when the words do not name the program. */
  readonly guessed?: true;
  /** The binary with these words; null: the launcher script, which reads a conf. */
  readonly words: readonly Placed[] | null;
  /** Variables set for this command alone. */
  readonly environment: readonly { readonly name: string; readonly value: Placed }[];
}

/** A script handed to a shell as one word. */
export interface Inner {
  readonly script: Placed;
}

/** A shell that runs its standard input. */
export interface Interpreter {
  readonly input: true;
}

/** A script or program that is run by its path, with its own words after the path. */
export interface Run {
  readonly path: Placed;
  readonly words: readonly Placed[];
}

/** A script for the console of a running node; null: it comes from the standard input. */
export interface Attached {
  readonly kind: Kind;
  readonly console: Placed | null;
}

/** The deployment that a program writes. */
export interface Generated {
  readonly generated: { readonly path: string; readonly text: string };
}

/** Commands that run another command, and their options that take a value. */
const wrappers: Readonly<Record<string, RegExp>> = {
  exec: /^-a$/,
  nohup: /^$/,
  setsid: /^$/,
  nice: /^(?:-n|--adjustment)$/,
  ionice: /^-[cnp]$/,
  chrt: /^$/,
  taskset: /^$/,
  stdbuf: /^-[ioe]$/,
  time: /^-[fo]$/,
  timeout: /^-[ks]$/,
  sudo: /^-[ugCDhpRrTt]$/,
  doas: /^-[uC]$/,
  env: /^-[uSC]$/,
  tini: /^-[p]$/,
  'dumb-init': /^-r$/,
  catchsegv: /^$/,
  gosu: /^$/,
  'su-exec': /^$/,
  's6-setuidgid': /^$/,
  chpst: /^-[uUbemdofpcrt/n]$/,
  runuser: /^(?:-[ugGsw]|--(?:user|group|supp-group|shell))$/,
  daemon: /^$/,
  flock: /^-[wE]$/,
  'systemd-run': /^(?:-[pEuMHt]|--(?:unit|property|setenv|description|slice))$/,
  setpriv: /^$/,
  command: /^$/,
  numactl: /^(?:-[CNimp]|--(?:interleave|membind|cpunodebind|physcpubind|preferred))$/,
  screen: /^-[A-Za-z]*[Sctp]$/,
  xargs: /^-[adEILnPs]$/,
};
/** Wrappers with an argument of their own before the command. */
const ownWord = new Set(['gosu', 'su-exec', 's6-setuidgid', 'timeout', 'chrt', 'taskset', 'flock']);

/** What the words of a command start: a node, a script of one word, a file or a container; null: none of them. */
export function startedBy(
  kinds: readonly Kind[],
  words: readonly Placed[],
):
  | Started
  | Inner
  | Interpreter
  | Run
  | Attached
  | ContainerRun
  | ContainerCopy
  | ContainerExec
  | ImageBuild
  | Generated
  | null {
  const environment: Started['environment'][number][] = [];
  let rest = words;
  for (let depth = 0; depth < 8; depth++) {
    const name = baseName(rest[0]?.text ?? '');
    const script = innerScript(name, rest);
    if (script !== null) return { script };
    if (/^(?:(?:ba|da|a|z|k)?sh|su|ssh)$/.test(name)) return runOf(rest.slice(1)) ?? { input: true };
    const node = nodeOf(kinds, name, rest);
    if (node !== null) return { ...node, environment };
    const attached = attachedBy(kinds, name, rest);
    if (attached !== null) return attached;
    const generator = kinds.find(({ signs }) => signs.generator?.program === name)?.signs.generator;
    const generated = generator?.output(rest.slice(1).map(({ text }) => text)) ?? null;
    if (generated !== null) return { generated };
    const access = containerExec(rest) ?? containerCopy(rest);
    if (access !== null) return access;
    if (containerPrograms.test(name)) return imageBuild(rest) ?? containerRun(rest);
    if (name === 'start-stop-daemon') {
      rest = daemonOf(rest);
      continue;
    }
    if (!Object.hasOwn(wrappers, name)) return runOf(rest);
    const given = name === 'xargs' ? rest.slice(0, 1).map((word) => word.as(unfilled)) : [];
    rest = [...unwrapped(name, rest.slice(1), environment), ...given];
  }
  return null;
}

/** The console of `ken attach --exec SCRIPT`; null: another command. */
function attachedBy(kinds: readonly Kind[], name: string, words: readonly Placed[]): Attached | null {
  const starter = starterOfProgram(kinds, name);
  if (starter === null || !words.some(({ text }) => text === 'attach')) return null;
  const script = optionIn(words, 'exec');
  const paths = optionIn(words, 'preload')?.split(/,/) ?? [];
  const loaded = paths.map((path) => path.as(`loadScript("${path.trim().text}");`));
  const parts = [...loaded, ...(script === null ? [] : [script])];
  return { kind: starter.kind, console: parts.length === 0 ? null : Placed.join(parts) };
}

/** The value of `--name VALUE` or `--name=VALUE`; null: the option is absent. */
function optionIn(words: readonly Placed[], name: string): Placed | null {
  const at = words.findIndex(({ text }) => new RegExp(`^--?${name}(?:=|$)`).test(text));
  const [option, next] = words.slice(Math.max(0, at));
  if (at < 0 || option === undefined) return null;
  return option.text.includes('=') ? option.slice(option.text.indexOf('=') + 1) : (next ?? null);
}

/** The command that sudo and other wrappers run. */
export function withoutWrappers(words: readonly Placed[]): readonly Placed[] {
  const name = baseName(words[0]?.text ?? '');
  return Object.hasOwn(wrappers, name) ? withoutWrappers(unwrapped(name, words.slice(1), [])) : words;
}

function nodeOf(
  kinds: readonly Kind[],
  name: string,
  words: readonly Placed[],
): Omit<Started, 'environment'> | null {
  const given = words.slice(1);
  const starter = starterOfProgram(
    kinds,
    name,
    given.map(({ text }) => text),
  );
  if (starter !== null)
    return starter.kind.startsNode(given.map(({ text }) => text)) ? { ...starter, words: given } : null;
  const verb = given[0]?.text;
  const isManager = name === 'service' || name === 'systemctl';
  const starts = isManager
    ? given.some(({ text }) => isStart(text.replace(/\.service$/, '')))
    : verb === undefined || isStart(verb) || !isKnown(verb);
  if (!starts) return null;
  const named = isManager ? given.map(({ text }) => text.replace(/\.service$/, '')) : [name];
  for (const kind of kinds) {
    const launcher = kind.launchers?.names.find((one) => named.includes(one));
    if (launcher !== undefined)
      return { kind, launcher, words: null, program: isManager ? '' : (words[0]?.text ?? '') };
  }
  return null;
}

function isStart(verb: string): boolean {
  return /^(?:re)?start/.test(verb);
}

function unwrapped(
  name: string,
  words: readonly Placed[],
  environment: Started['environment'][number][],
): readonly Placed[] {
  let at = 0;
  let own = ownWord.has(name) ? 1 : 0;
  for (; at < words.length; at++) {
    const { text } = words[at] as Placed;
    if (text === '--') return words.slice(at + 1);
    const set = name === 'env' || name === 'sudo' ? /^([A-Za-z_]\w*)=/.exec(text) : null;
    if (set !== null) {
      environment.push({
        name: set[1] as string,
        value: (words[at] as Placed).slice(set[0].length),
      });
    } else if (text.startsWith('-')) {
      if (wrappers[name]?.test(text) === true) at += 1;
    } else if (own > 0) own -= 1;
    else break;
  }
  return words.slice(at);
}

/** The command of `start-stop-daemon --start --exec PROGRAM -- WORDS`. */
function daemonOf(words: readonly Placed[]): readonly Placed[] {
  const at = words.findIndex(({ text }) => /^(?:-x|--exec|-a|--startas)$/.test(text));
  const end = words.findIndex(({ text }) => text === '--');
  const program = at < 0 ? undefined : words[at + 1];
  return program === undefined ? [] : [program, ...(end < 0 ? [] : words.slice(end + 1))];
}

/** The script of eval, or in one word of a shell’s -c, of ssh, and of the multiplexers tmux and screen, which type it into a window. */
function innerScript(name: string, words: readonly Placed[]): Placed | null {
  if (name === 'ssh' || name === 'tmux' || (name === 'screen' && words.some(({ text }) => text === 'stuff')))
    return words.slice(1).findLast(({ text }) => /\s/.test(text)) ?? null;
  if (name === 'eval')
    return Placed.join(words.flatMap((word, at) => (at === 0 ? [] : [word, word.as(' ')])));
  if (!/^(?:(?:ba|da|a|z|k)?sh|su|runuser)$/.test(name)) return null;
  const at = words.findIndex(({ text }, index) => index > 0 && /^-[a-z]*c[a-z]*$/.test(text));
  return (at < 0 ? undefined : words[at + 1]) ?? null;
}

/** The first word that is no option, where it is the path of a file. */
function runOf(words: readonly Placed[]): Run | null {
  const at = words.findIndex(({ text }) => !text.startsWith('-'));
  const path = words[at];
  if (path === undefined || path.text.includes(unfilled) || !/\/|\.sh$/.test(path.text)) return null;
  return { path, words: words.slice(at + 1) };
}
