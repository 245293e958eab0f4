/** The syntax of Caddyfiles: a directive for each line, with words and blocks. */
import { type Directive, maxDepth, tokensOf, type Word, wordAt } from './directive.js';

const token =
  /(?<end>\n)|[^\S\n]+|\\\r?\n|#[^\n]*|"(?<quoted>(?:\\[\s\S]|[^"\\])*)"|`(?<raw>[^`]*)`|<<(?<mark>[A-Za-z0-9_-]+)\r?\n(?<text>[\s\S]*?)\n[ \t]*\k<mark>(?=\s|$)|(?<bare>(?:\\[^\r\n]|[^\s\\]|\\(?=\s*$))+)/gy;

/** The directives of a file; null if it is not of this syntax. A block without a name has the options of the program. */
export function parseCaddyfile(text: string): readonly Directive[] | null {
  const open: { words: Word[]; start: number; into: Directive[] }[] = [];
  let into: Directive[] = [];
  let words: Word[] = [];
  const tokens = tokensOf(`${text}\n`, token);
  for (const found of tokens ?? []) {
    const { end, quoted, raw, text: long, bare } = found.groups ?? {};
    const word = quoted?.replace(/\\"/g, '"') ?? raw ?? long ?? bare;
    if (word !== undefined) words.push(wordAt(word, found));
    // A list of addresses goes on behind a comma.
    if (end === undefined || words.at(-1)?.text.endsWith(',')) continue;
    const line = words;
    words = [];
    const opens = line.at(-1)?.text === '{';
    const [first] = line;
    if (first?.text === '}') {
      const block = open.pop();
      if (block === undefined || line.length > 1) return null;
      block.into.push(directive(block.words, block.start, into));
      into = block.into;
    } else if (opens && first !== undefined) {
      if (open.length === maxDepth) return null;
      open.push({ words: line.slice(0, -1), start: first.start, into });
      into = [];
    } else if (first !== undefined) into.push(directive(line, first.start, null));
  }
  return tokens === null || open.length > 0 ? null : into;
}

function directive([first, ...words]: readonly Word[], start: number, block: Directive['block']): Directive {
  return { name: first?.text ?? '', words, start, block };
}
