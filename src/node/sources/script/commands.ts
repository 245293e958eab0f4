/** The node that a command starts, with wrappers such as sudo removed. */

import { pairs } from '../../../util/pairs.js';
import { otherVariables } from '../../facts/settings.js';
import { type Starter, starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, wordsOf } from '../text/words.js';
import { callOfWords, commandedBy } from './console.js';
import { type ContainerCopy, type ContainerExec, containerCopy, containerExec } from './container-access.js';
import {
  type ContainerRun,
  containerPrograms,
  containerRun,
  type ImageBuild,
  imageBuild,
} from './container-run.js';
import { environmentRun, type Given } from './environment-runners.js';
import { typedBy } from './multiplexer.js';
import { type ContainerNetwork, type NetworkConnect, networkConnect, networkCreate } from './networks.js';
import { baseName } from './paths.js';

/** A node as a command starts it. */
export interface StartedNode extends Starter {
  /** The path of the launcher, where the command names it. */
  readonly program?: string;
  /** True when the words do not name the program. */
  readonly guessed?: true;
  /** The binary with these words; null: the launcher script, which reads a conf. */
  readonly words: readonly Placed[] | null;
}

/** A script handed to a shell as one word. */
export interface Inner {
  readonly script: Placed;
  /** $0 and the following words of a shell; null: another program gives them. */
  readonly words: readonly Placed[] | null;
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

/** Calls of a running node; null: they come from the standard input. */
export interface Attached {
  readonly console: Placed | null;
  /** True for requests: a file of them that is not among the files may hold any other. */
  readonly isRequest?: true;
}

/** The deployment that a program writes. */
export interface Generated {
  readonly generated: { readonly path: string; readonly text: string };
}

/** Commands that run another command, and their options that take a value. */
const wrappers = new Map(
  pairs(`
    catchsegv= chpst=-[uUbemdofpcrt/n] chrt= command= daemon= doas=-[uC] dumb-init=-r env=-[uSC] exec=-a flock=-[wE] gosu=
    ionice=-[cnp] nice=-n|--adjustment nohup= npx=-p|--package
    numactl=-[CNimp]|--(?:interleave|membind|cpunodebind|physcpubind|preferred)
    runuser=-[ugGsw]|--(?:user|group|supp-group|shell) s6-setuidgid= screen=-[A-Za-z]*[Sctp] setpriv= setsid= stdbuf=-[ioe]
    su-exec= sudo=-[ugCDhpRrTt] systemd-run=-[pEuMHt]|--(?:unit|property|setenv|description|slice) taskset= time=-[fo]
    timeout=-[ks] tini=-[p] xargs=-[adEILnPs]
  `).map(([name, options]) => [name, new RegExp(`^(?:${options})$`)]),
);
const shells = /^(?:ba|da|a|z|k)?sh$/;
/** Wrappers with an argument of their own before the command. */
const ownWord = new Set(['gosu', 'su-exec', 's6-setuidgid', 'timeout', 'chrt', 'taskset', 'flock']);

/** What the words of a command start, and the variables that they set for it; null: they start nothing. */
export function startedBy(
  kinds: readonly Kind[],
  words: readonly Placed[],
): (Startable & { readonly given: readonly Given[] }) | null {
  const given: Given[] = [];
  const started = unwrappedStart(kinds, words, given);
  return started === null ? null : { ...started, given };
}

/** A node, a script of one word, a file or a container. */
type Startable =
  | StartedNode
  | Inner
  | Interpreter
  | Run
  | Attached
  | ContainerRun
  | ContainerCopy
  | ContainerExec
  | ContainerNetwork
  | NetworkConnect
  | ImageBuild
  | Generated;

function unwrappedStart(kinds: readonly Kind[], words: readonly Placed[], given: Given[]): Startable | null {
  let rest = words;
  for (let depth = 0; depth < 8; depth++) {
    const name = baseName(rest[0]?.text ?? '');
    const inner = innerScript(name, rest);
    if (inner !== null) return inner;
    if (shells.test(name) || name === 'su' || name === 'ssh') return runOf(rest.slice(1)) ?? { input: true };
    const node = nodeOf(kinds, name, rest);
    if (node !== null) return node;
    const attached = attachedBy(kinds, name, rest);
    if (attached !== null) return attached;
    const generator = kinds.find(({ signs }) => signs.generator?.program === name)?.signs.generator;
    const generated = generator?.output(rest.slice(1).map(({ text }) => text)) ?? null;
    if (generated !== null) return { generated };
    const access = containerExec(rest) ?? containerCopy(rest);
    if (access !== null) return access;
    if (containerPrograms.test(name))
      return networkCreate(rest) ?? networkConnect(rest) ?? imageBuild(rest) ?? containerRun(rest);
    if (name === 'start-stop-daemon') {
      rest = daemonOf(rest);
      continue;
    }
    const run = environmentRun(name, rest);
    if (run !== null) {
      given.push(run.given);
      rest = run.words;
      const [only, ...others] = rest;
      if (only !== undefined && others.length === 0 && /\s/.test(only.text))
        return { script: only, words: null };
      continue;
    }
    if (!wrappers.has(name)) return sentBy(name, rest) ?? runOf(rest);
    const input = name === 'xargs' ? rest.slice(0, 1).map((word) => word.as(unfilled)) : [];
    rest = [...unwrapped(name, rest.slice(1), given), ...input];
  }
  return null;
}

/** The calls of `ken attach --exec SCRIPT`; null: another command. */
function attachedBy(kinds: readonly Kind[], name: string, words: readonly Placed[]): Attached | null {
  const starter = starterOfProgram(kinds, name);
  if (starter === null || !words.some(({ text }) => /^(?:attach|js)$/.test(text))) return null;
  return { console: consoleOf(words) };
}

/** The script that a console runs by its options and by the files of `js`; null: none. */
export function consoleOf(words: readonly Placed[]): Placed | null {
  const at = words.findIndex(({ text }) => text === 'js');
  const files = at < 0 ? [] : words.slice(at + 1).filter(({ text }) => /\.js$/.test(text));
  const paths = [...(optionIn(words, 'preload')?.split(/,/) ?? []), ...files];
  const script = optionIn(words, 'exec');
  const parts = [...paths.map((path) => loadOf(path.trim())), ...(script === null ? [] : [script])];
  return parts.length === 0 ? null : Placed.join(parts);
}

function loadOf(path: Placed): Placed {
  return path.as(`loadScript("${path.text}");`);
}

/** The requests in the words of a command, and in the files that they name; null: it sends none, and no input. */
function sentBy(name: string, words: readonly Placed[]): Attached | null {
  const args = words.slice(1);
  const sends = senders.test(name);
  const call = callOfWords(args);
  const requests = call === null ? args.filter((one) => commandedBy(one) !== null) : [call];
  if (!sends && (requests.length === 0 || prints.test(name))) return null;
  const files = args.flatMap((word) => {
    const path = /^(?:--[\w-]+=)?@(.*[^-].*)$|^--(?:post|body)-file=(.+)$|^([^-].*\.(?:py|[cm]?js))$/
      .exec(word.text)
      ?.slice(1)
      .join('');
    return path === undefined ? [] : [loadOf(word.slice(word.text.length - path.length))];
  });
  const parts = sends ? [...files, ...requests] : requests;
  return { console: parts.length === 0 ? null : Placed.join(parts), isRequest: true };
}

/** Programs that send or run their input, or the file that an argument names. */
const senders = /^(?:curl|wget2?|nc|ncat|netcat|socat|websocat|wscat|https?|xh|cast|node|python[\d.]*)$/;
/** Programs that send nothing. */
const prints =
  /^(?:echo|printf|cat|tee|[efr]?grep|rg|sed|awk|jq|logger|test|\[+|:|read|export|local|declare)$/;

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
  return wrappers.has(name) ? withoutWrappers(unwrapped(name, words.slice(1), [])) : words;
}

function nodeOf(kinds: readonly Kind[], name: string, words: readonly Placed[]): StartedNode | null {
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

function unwrapped(name: string, words: readonly Placed[], given: Given[]): readonly Placed[] {
  let at = 0;
  let own = ownWord.has(name) ? 1 : 0;
  for (; at < words.length; at++) {
    const { text } = words[at] as Placed;
    if (text === '--') return words.slice(at + 1);
    const set = name === 'env' || name === 'sudo' ? /^([A-Za-z_]\w*)=/.exec(text) : null;
    if (set !== null) {
      given.push({ name: set[1] as string, value: (words[at] as Placed).slice(set[0].length) });
    } else if (text.startsWith('-')) {
      if (name === 'systemd-run') given.push(...setByUnit(words.slice(at)));
      if (setsOthers(name, text)) given.push(others(name, words[at] as Placed));
      if (wrappers.get(name)?.test(text) === true) at += 1;
    } else if (name === 'env' && text.startsWith(unfilled)) {
      given.push(others(name, (words[at] as Placed).as('$(…)')));
    } else if (own > 0) own -= 1;
    else break;
  }
  return words.slice(at);
}

/** The variables that a word of a command may set. */
function others(name: string, word: Placed): Given {
  return { name: otherVariables, value: word.as(`${name} ${word.text.replaceAll(unfilled, '…')}`) };
}

/** True for an option whose value holds variables: of env a text, of chpst a folder. */
function setsOthers(name: string, option: string): boolean {
  return (name === 'env' && /^(?:-S|--split-string)/.test(option)) || (name === 'chpst' && option === '-e');
}

/** The variables of `--setenv=NAME=VALUE` and `--property=Environment=NAME=VALUE`, the first of these words. */
function setByUnit([word, next]: readonly Placed[]): Given[] {
  const [option = ''] = /^(?:--(?:setenv|property)(?:=|$)|-[Ep])/.exec(word?.text ?? '') ?? [];
  const value = word?.text === option && !option.endsWith('=') ? next : word?.slice(option.length);
  if (option === '' || word === undefined || value === undefined) return [];
  const [key, set] = pairOf(value);
  const assigned = /setenv|E/.test(option)
    ? [value]
    : key === 'Environment' && set !== null
      ? wordsOf(set)
      : [];
  if (key === 'EnvironmentFile' && set !== null)
    return [{ ...others('systemd-run', value), file: set.text.startsWith('-') ? set.slice(1) : set }];
  return assigned.map(pairOf).flatMap(([name, text]) => (text === null ? [] : [{ name, value: text }]));
}

/** The command of `start-stop-daemon --start --exec PROGRAM -- WORDS`. */
function daemonOf(words: readonly Placed[]): readonly Placed[] {
  const at = words.findIndex(({ text }) => /^(?:-x|--exec|-a|--startas)$/.test(text));
  const end = words.findIndex(({ text }) => text === '--');
  const program = at < 0 ? undefined : words[at + 1];
  return program === undefined ? [] : [program, ...(end < 0 ? [] : words.slice(end + 1))];
}

/** The script of eval, in one word of a shell’s -c or of ssh, or that a multiplexer runs. */
function innerScript(name: string, words: readonly Placed[]): Inner | null {
  const given = (script: Placed | undefined): Inner | null =>
    script === undefined ? null : { script, words: null };
  const typed = typedBy(words);
  if (typed !== null) return given(typed);
  if (name === 'ssh') return given(words.slice(1).findLast(({ text }) => /\s/.test(text)));
  if (name === 'eval')
    return given(Placed.join(words.flatMap((word, at) => (at === 0 ? [] : [word, word.as(' ')]))));
  const isShell = shells.test(name);
  if (!isShell && name !== 'su' && name !== 'runuser') return null;
  const at = words.findIndex(({ text }, index) => index > 0 && /^-[a-z]*c[a-z]*$/.test(text));
  const script = at < 0 ? undefined : words[at + 1];
  return script !== undefined && isShell ? { script, words: words.slice(at + 2) } : given(script);
}

/** The first word that is no option, where it is the path of a file. */
function runOf(words: readonly Placed[]): Run | null {
  const at = words.findIndex(({ text }) => !text.startsWith('-'));
  const path = words[at];
  if (path === undefined || path.text.includes(unfilled) || !/\/|\.sh$/.test(path.text)) return null;
  return { path, words: words.slice(at + 1) };
}
