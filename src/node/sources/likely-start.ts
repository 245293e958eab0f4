/** Where a text that was not recognised seems to start a node all the same. */
import { flagsOf } from '../kinds/kaia/flags.js';
import { binaryOf, launchers, usualLauncher } from '../kinds/kaia/names.js';
import type { Range } from './text/range.js';

const anyLauncher = `(?:${launchers.join('|')})`;
/** A node with a flag, a launcher that is told to start, a conf by its name, or flags that only a node has. */
const likely = [
  `(?<![\\w.-])(?:${launchers.map(binaryOf).join('|')})["']?,?[ \\t]+["']?--?[A-Za-z][\\w.-]*`,
  `(?<![\\w.-])${anyLauncher}["']?,?[ \\t]+["']?(?:re)?start`,
  `(?<![\\w.-])${anyLauncher}(?:_kairos)?\\.conf["']?[ \\t]*:`,
  '--(?:http|ws)-rpc\\.[a-z]+|--(?:rpc|ws)(?:api|addr|origins|corsdomain|vhosts)',
].map((pattern) => new RegExp(`${pattern}(?![\\w.-])`, 'g'));
const nodeless = /^[ \t]*(?:#|\/\/)|\b(?:geth|bor|erigon)\b/;

/** Where a text seems to start a node, or to hold the conf of one; null: nowhere. */
export function likelyStart(text: string): Range | null {
  const { byName } = flagsOf(usualLauncher);
  for (const { 0: all, index } of likely.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const flag = /--?([A-Za-z][\w.-]*)$/.exec(all)?.[1];
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
    if (!nodeless.test(line) && (flag === undefined || byName.has(flag)))
      return { start: index, end: index + all.length };
  }
  return null;
}
