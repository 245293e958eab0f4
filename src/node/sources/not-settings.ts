/** A file that starts no node, as its user is told. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Kind } from '../kinds/kind.js';
import { called, type LaunchedKind } from './formats.js';
import { recognisable } from './recognise.js';
import type { LineIndex, Range } from './text/line-index.js';

/** The file holds settings of no node: what a search passes over, and whoever named it has to be told. */
export class NoNode extends KaiactlError {}

/** `why`: what the file is instead. */
export function noNode(kinds: readonly Kind[], path: string, why: string): NoNode {
  const name = path === '-' ? 'stdin' : visible(path);
  return new NoNode(`${name}: not a node's settings: ${why}`, { hint: recognisable(kinds) });
}

/** Nothing was found: no node is started, or one is by words that were not followed, which must not look like none. */
export function startsNone(kinds: readonly Kind[], kind: LaunchedKind, file: LineIndex): KaiactlError {
  const at = likelyStart(kinds, file.text);
  if (at === null) return noNode(kinds, file.file, `no node is started by this ${called[kind]}`);
  const { line, column } = file.span(at);
  const program = kinds[0]?.programOf(kinds[0].usualLauncher);
  return new KaiactlError(
    `${visible(file.file)}:${line}:${column}: a node is started, or its conf is held, in a way that is not followed`,
    { hint: `Give the node's own words with --command-line '${program} …', or its conf alone.` },
  );
}

const remark = /^[ \t]*(?:#|\/\/)/;

/** Where a text seems to start a node, or to hold the conf of one; null: nowhere. */
export function likelyStart(kinds: readonly Kind[], text: string): Range | null {
  for (const kind of kinds) {
    const { byName } = kind.flags.of(kind.programOf(kind.usualLauncher));
    for (const { 0: all, index } of patternsOf(kind).flatMap((pattern) => [...text.matchAll(pattern)])) {
      const flag = /--?([A-Za-z][\w.-]*)$/.exec(all)?.[1];
      const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
      const isOther = remark.test(line) || kind.signs.otherProgram.test(line);
      const conf = /^([\w.-]+)["']?[ \t]*:$/.exec(all)?.[1];
      const isNone = conf !== undefined && kind.launchers?.ofConf(conf) == null;
      if (!isOther && !isNone && (flag === undefined || byName.has(flag)))
        return { start: index, end: index + all.length };
    }
  }
  return null;
}

/** A program with a flag, a launcher that is told to start, a conf by its name, or flags that few other programs have. */
function patternsOf({ programs, launchers, signs }: Kind): RegExp[] {
  return [
    `(?<![\\w.-])(?:${programs.join('|')})["']?,?[ \\t]+["']?--?[A-Za-z][\\w.-]*`,
    ...(launchers === null
      ? []
      : [
          `(?<![\\w.-])(?:${launchers.names.join('|')})["']?,?[ \\t]+["']?(?:re)?start`,
          `(?<![\\w.-])[\\w.-]+\\.conf["']?[ \\t]*:`,
        ]),
    signs.flag.source,
  ].map((pattern) => new RegExp(`(?:${pattern})(?![\\w.-])`, 'g'));
}
