/** Images that are published for a node, or for another client, in the place of an image. */
import { posix } from 'node:path';
import type { Kind } from '../../../kinds/kind.js';
import { otherOfImage, otherOfProgram } from '../../../kinds/others.js';
import type { Range } from '../../../sources/text/line-index.js';
import { blockAt, commandIn, statementAt, valueAt, wordsIn } from '../blocks.js';
import type { Vocabulary } from '../vocabulary.js';
import { otherSign } from './other-start.js';
import { matchesIn, type Sign, signAt } from './sign.js';

/** Of a variable, its default. */
const image =
  /(?:(?<!\w)image["']?[ \t]*[:=][ \t]*["']?|\brepository["']?[ \t]*[:=][ \t]*["']?|^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*)(?:\$\{\w+:?-)?([\w.@:/-]+(?:\$\{\w+(?::-[\w.-]*)?\})?)/gim;
const containers = /\b(?:docker|podman|nerdctl)\b[^\n]{0,200}?[ \t](?:run|create)[ \t]/g;
export function imageSigns({ words }: Vocabulary, text: string): Sign[] {
  const signOf = (name: string, start: number, within: Range): Sign[] => {
    const own = wordsIn(text.slice(within.start, within.end)).filter((one) => one !== name);
    const sign = signAt('image', start, name, { within, words: own });
    const client = otherOfImage(name, own);
    if (client !== null) return otherSign(text, sign, client, within);
    const kind = words().find((one) => startsNode(one.kind, name))?.kind;
    if (kind === undefined) return [];
    const commands = commandsIn(text, within);
    if (isIdle(kind, commands)) return [];
    const tool = toolIn(kind, commands);
    const started = tool === null ? null : otherOfProgram(tool, own);
    if (started !== null) return otherSign(text, sign, started, within);
    return tool === null ? [{ ...sign, kind }] : [];
  };
  const keyed = [...matchesIn(text, image)].flatMap((match) => {
    const name = match[1] ?? '';
    const start = match.index + match[0].length - name.length;
    return signOf(name, start, blockAt(text, start));
  });
  const run = [...matchesIn(text, containers)].flatMap((match): Sign[] => {
    const within = statementAt(text, match.index);
    for (const name of wordsIn(text.slice(match.index, within.end))) {
      if (name === null || !/^[\w.-]+[/:][\w.@:/-]*$/.test(name)) continue;
      const start = text.indexOf(name, match.index);
      const [sign] = signOf(name, start, within);
      if (sign === undefined) continue;
      const [command = ''] = text.slice(start + name.length, within.end).split(/[);|&`]/, 1);
      const literal = wordsIn(command).filter((word) => word !== null);
      return sign.kind?.startsNode(literal) === false ? [] : [sign];
    }
    return [];
  });
  return [...keyed, ...run];
}

/** Whether the image is of a known release, or starts the node by itself, whatever its tag. */
function startsNode({ evidence, signs }: Kind, name: string): boolean {
  return evidence.ofImage(name) !== null || signs.entrypoint?.image.test(name) === true;
}

/** What precedes the command of a container. */
const given = /(?:^|[\s{,])["']?(?:command|args|entrypoint)["']?[ \t]*[:=]|--entrypoint[ =]/g;

function commandsIn(text: string, { start, end }: Range): string[][] {
  const keys = [...text.slice(start, end).matchAll(given)];
  return keys.map(({ 0: { length }, index }) => commandIn(valueAt(text, start + index + length)));
}

/** Whether the commands are one of the node that starts none, such as `init`: behind a flag, only its own is one. */
function isIdle({ programs, startsNode }: Kind, commands: readonly string[][]): boolean {
  const words = commands.flat().filter((word, at) => at > 0 || !programs.includes(posix.basename(word)));
  return !startsNode(['--datadir=.', ...words]);
}

/** The program of the image that is no node, where a command runs one. */
function toolIn({ signs: { tools = [] } }: Kind, commands: readonly string[][]): string | null {
  return commands.map(([name = '']) => posix.basename(name)).find((name) => tools.includes(name)) ?? null;
}
