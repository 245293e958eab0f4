/** The node that a command starts, with wrappers such as sudo removed. */

import { type Starter, starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { type Attached, attachedBy, sentBy } from './console.js';
import {
  type ContainerCopy,
  type ContainerExec,
  type ContainerRun,
  containerCopy,
  containerExec,
  containerPrograms,
  containerRun,
  type ImageBuild,
  imageBuild,
} from './container-run.js';
import { environmentRun, type Given } from './environment-runners.js';
import { typedBy } from './multiplexer.js';
import { isShell } from './names.js';
import { type ContainerNetwork, type ContainerUpdate, containerUpdate, networkCreate } from './networks.js';
import { baseName } from './paths.js';
import { type ToolRun, toolRun } from './tools.js';
import { daemonOf, isWrapper, unwrap } from './wrappers.js';

/** A node as a command starts it. */
export interface StartedNode extends Starter {
  /** The path of the launcher, where the command names it. */
  readonly program?: string;
  /** Whether the words do not name the program. */
  readonly guessed?: true;
  /** The binary with these words; null for the launcher script, which reads a conf. */
  readonly words: readonly Placed[] | null;
}

/** A script handed to a shell as one word. */
export interface Inner {
  readonly script: Placed;
  /** $0 and the following words of a shell; null if another program gives them. */
  readonly words: readonly Placed[] | null;
  readonly isBash?: boolean;
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

/** The deployment that a program writes. */
export interface Generated {
  readonly generated: { readonly path: string; readonly text: string };
}

/** What the words of a command start, and the variables that they set for it; null if they start nothing. */
export function startedBy(kinds: readonly Kind[], words: readonly Placed[]) {
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
  | ContainerUpdate
  | ImageBuild
  | Generated
  | ToolRun;

function unwrappedStart(kinds: readonly Kind[], words: readonly Placed[], given: Given[]): Startable | null {
  let rest = words;
  for (let depth = 0; depth < 8; depth++) {
    const name = baseName(rest[0]?.text ?? '');
    const inner = innerScript(name, rest);
    if (inner !== null) return inner;
    if (isShell(name) || name === 'su' || name === 'ssh') return runOf(rest.slice(1)) ?? { input: true };
    const own = nodeOf(kinds, name, rest) ?? attachedBy(kinds, name, rest) ?? generatedBy(kinds, name, rest);
    const known = own ?? toolRun(name, rest) ?? containerExec(rest) ?? containerCopy(rest);
    if (known !== null) return known;
    if (containerPrograms.test(name))
      return networkCreate(rest) ?? containerUpdate(rest) ?? imageBuild(rest) ?? containerRun(rest);
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
    if (!isWrapper(name)) return sentBy(name, rest) ?? runOf(rest);
    const input = name === 'xargs' ? rest.slice(0, 1).map((word) => word.as(unfilled)) : [];
    rest = [...unwrap(name, rest.slice(1), given), ...input];
  }
  return null;
}

function generatedBy(kinds: readonly Kind[], name: string, words: readonly Placed[]): Generated | null {
  const generator = kinds.find(({ signs }) => signs.generator?.program === name)?.signs.generator;
  const generated = generator?.output(words.slice(1).map(({ text }) => text)) ?? null;
  return generated && { generated };
}

function nodeOf(kinds: readonly Kind[], name: string, words: readonly Placed[]): StartedNode | null {
  const given = words.slice(1);
  const texts = given.map(({ text }) => text);
  const starter = starterOfProgram(kinds, name, texts);
  if (starter !== null) return starter.kind.startsNode(texts) ? { ...starter, words: given } : null;
  const [verb] = texts;
  const isManager = name === 'service' || name === 'systemctl';
  const named = isManager ? texts.map((text) => text.replace(/\.service$/, '')) : [name];
  const starts = isManager ? named.some(isStart) : verb === undefined || isStart(verb) || !isKnown(verb);
  if (!starts) return null;
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

/** The script of eval, in one word of a shell’s -c or of ssh, or that a multiplexer runs. */
function innerScript(name: string, words: readonly Placed[]): Inner | null {
  const given = (script: Placed | undefined): Inner | null =>
    script === undefined ? null : { script, words: null };
  const typed = typedBy(words);
  if (typed !== null) return given(typed);
  if (name === 'ssh') return given(words.slice(1).findLast(({ text }) => /\s/.test(text)));
  if (name === 'eval')
    return given(Placed.join(words.flatMap((word, at) => (at === 0 ? [] : [word, word.as(' ')]))));
  if (!isShell(name) && name !== 'su' && name !== 'runuser') return null;
  const at = words.findIndex(({ text }, index) => index > 0 && /^-[a-z]*c[a-z]*$/.test(text));
  const script = at < 0 ? undefined : words[at + 1];
  return script !== undefined && isShell(name)
    ? { script, words: words.slice(at + 2), isBash: name === 'bash' }
    : given(script);
}

/** The first word that is no option, where it is the path of a file. */
function runOf(words: readonly Placed[]): Run | null {
  const at = words.findIndex(({ text }) => !text.startsWith('-'));
  const path = words[at];
  if (path === undefined || path.text.includes(unfilled) || !/\/|\.sh$/.test(path.text)) return null;
  return { path, words: words.slice(at + 1) };
}
