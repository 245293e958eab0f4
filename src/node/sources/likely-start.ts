/** Where a text that was not recognised seems to start a node all the same. */
import type { Kind } from '../kinds/kind.js';
import type { Range } from './text/line-index.js';

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
