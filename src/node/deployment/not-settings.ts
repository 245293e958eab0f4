/** Errors for files that start no node. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Kind } from '../kinds/kind.js';
import { called, type LaunchedKind } from '../sources/formats.js';
import type { UnfollowedStart } from '../sources/launch/files.js';
import type { LineIndex, Range } from '../sources/text/line-index.js';
import { recognisable } from './classify.js';
import { type Program, setsUp } from './programs.js';

/** The file holds no node's settings: a search skips it, and for a file that the user named it is an error. */
export class NoNode extends KaiactlError {}

/** A file that seems to start a node in a way that cannot be followed: its node is undetermined. */
export class Unfollowed extends KaiactlError {}

/** `why`: what the file is instead, as a clause. */
export function noNode(kinds: readonly Kind[], path: string, why: string): NoNode {
  const name = path === '-' ? 'stdin' : visible(path);
  return new NoNode(`${name}: not a node's settings: ${why}`, { hint: recognisable(kinds) });
}

/** The error for a start that is not followed. */
export function unfollowedStart({ at: { file, line, column }, reason }: UnfollowedStart): Unfollowed {
  return new Unfollowed(
    `${visible(file)}:${line}:${column}: it seems to start a node, and is not followed: ${reason}`,
    { hint: 'Pass the files it needs too, or the node’s command with --command-line.' },
  );
}

/** The error for a program that starts a node. */
export function unfollowed(path: string, { called, hint }: Program): Unfollowed {
  return new Unfollowed(`${visible(path)}: ${called} are not followed`, { hint });
}

/**
 * The error for a file in which no start of a node was found. It differs where the file seems to start one.
 * @param rendered - the text that a template was rendered to
 */
export function startsNone(
  kinds: readonly Kind[],
  kind: LaunchedKind,
  file: LineIndex,
  rendered = file.text,
): KaiactlError {
  const isLikely =
    (kind === 'ansible' && kinds.some((one) => setsUp(one, file.text))) ||
    (kind === 'kubernetes' && release.test(file.text) && kinds.some((one) => namesImage(one, file.text)));
  const likely = likelyStart(kinds, rendered);
  const at = likely === null ? null : likelyStart(kinds, file.text);
  if (likely === null && !isLikely)
    return noNode(kinds, file.file, `no node is started by this ${called[kind]}`);
  const { line, column } = file.span(at ?? { start: 0, end: 0 });
  const node = likely?.kind ?? kinds[0];
  const program = node?.programOf(node.usualLauncher) ?? 'node';
  const conf = node?.launchers == null ? '' : ', or its conf as a file';
  return new Unfollowed(
    `${visible(file.file)}:${line}:${column}: it seems to start a node, or to contain a conf, in a way that cannot be followed`,
    { hint: `Pass the node's command with --command-line '${program} …'${conf}.` },
  );
}

/** An object that releases a chart, with values of its own. */
const release = /^kind:[ \t]*["']?(?:HelmRelease|HelmChart|Application(?:Set)?)\b/m;

function namesImage({ signs }: Kind, text: string): boolean {
  const images = text.matchAll(/^[ \t-]*["']?(?:image|repository|name)["']?[ \t]*:[ \t]*["']?([\w./:-]+)/gm);
  return [...images].some(([, name = '']) => signs.image.test(name) && /[/:]/.test(name));
}

/** The beginning of a comment, or of a command that prints to the terminal. */
const remark = /^[ \t]*(?:#|\/\/|(?:echo|printf)\b[^|>&;`]*$)/;

/** The place where a text seems to start a node or to hold a conf; null: there is none. */
export function likelyStart(kinds: readonly Kind[], text: string): (Range & { readonly kind: Kind }) | null {
  for (const kind of kinds) {
    const { byName } = kind.flags.of(kind.programOf(kind.usualLauncher));
    for (const { 0: all, index } of patternsOf(kind, text).flatMap((pattern) => [
      ...text.matchAll(pattern),
    ])) {
      const flag = /--?([A-Za-z][\w.-]*)$/.exec(all)?.[1];
      const [line = ''] = text.slice(text.lastIndexOf('\n', index) + 1).split('\n', 1);
      const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
      const isOther = remark.test(line) || kind.signs.otherProgram.test(before);
      const conf = /^([\w.-]+)["']?[ \t]*:$/.exec(all)?.[1];
      const isNone = conf !== undefined && kind.launchers?.ofConf(conf) == null;
      if (!isOther && !isNone && !isCommand(kind, text, index) && (flag === undefined || byName.has(flag)))
        return { kind, start: index, end: index + all.length };
    }
  }
  return null;
}

/** True for a program with a command that starts no node, such as `ken --datadir /d init genesis.json`. */
function isCommand(kind: Kind, text: string, start: number): boolean {
  const [line = ''] = text
    .slice(start, start + 4096)
    .replaceAll(/\\\n/g, ' ')
    .split(/[\n;&|]/, 1);
  const [program = '', ...words] = line.replaceAll(/["',]/g, ' ').trim().split(/\s+/);
  return kind.programs.includes(program) && !kind.startsNode(words);
}

/**
 * Patterns of a program with a flag, a launcher with `start`, a conf's name, and flags that few other programs have, unless
 * the text names one of these programs and no node of this kind.
 */
function patternsOf({ programs, launchers, signs }: Kind, text: string): RegExp[] {
  const code = text.replaceAll(/(?:^|\s)#.*/g, '');
  const isOther = signs.otherProgram.test(code) && !signs.name.test(code);
  return [
    `(?<![\\w.-])(?:${programs.join('|')})["']?,?[ \\t]+["']?--?[A-Za-z][\\w.-]*`,
    ...(launchers === null
      ? []
      : [
          `(?<![\\w.-])(?:${launchers.names.join('|')})["']?,?[ \\t]+["']?(?:re)?start`,
          `(?<![\\w.-])[\\w.-]+\\.conf["']?[ \\t]*:`,
        ]),
    ...(isOther ? [] : [signs.flag.source]),
  ].map((pattern) => new RegExp(`(?:${pattern})(?![\\w.-])`, 'g'));
}
