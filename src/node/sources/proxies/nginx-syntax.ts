/** The syntax of nginx: directives with words, each ended by a semicolon or a block. */

import { type Directive, maxDepth, type Word } from './directive.js';

const token =
  /[\s]+|#[^\n]*|(?<mark>[;{}])|(?<quoted>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<bare>(?:\\[\s\S]|\$\{\w+\}|[^\s;{}"'\\])(?:\\[\s\S]|\$\{\w+\}|[^\s;{}\\])*)/gy;

/** The directives of a file; null: it is not of this syntax. Blocks in another language are empty. */
export function parseNginx(text: string): readonly Directive[] | null {
  const open: { name: string; words: Word[]; start: number; into: Directive[] }[] = [];
  let into: Directive[] = [];
  const top = into;
  let words: Word[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const found = token.exec(text);
    if (found === null) return null;
    const { mark, quoted, bare } = found.groups ?? {};
    const word = quoted?.slice(1, -1) ?? bare;
    if (word !== undefined) words.push({ text: word, start, end: token.lastIndex });
    if (mark === undefined) continue;
    const [first, ...others] = words;
    if (mark === '}') {
      const block = open.pop();
      if (block === undefined || first !== undefined) return null;
      const { name, words: own, start: from, into: outer } = block;
      outer.push({ name, words: own, start: from, block: into });
      into = outer;
      continue;
    }
    if (first === undefined) return null;
    words = [];
    const head = { name: first.text, words: others, start: first.start };
    if (mark === ';') into.push({ ...head, block: null });
    else if (first.text.endsWith('_by_lua_block')) {
      const end = blockEnd(text, token.lastIndex);
      if (end === null) return null;
      token.lastIndex = end;
      into.push({ ...head, block: [] });
    } else {
      if (open.length === maxDepth) return null;
      open.push({ ...head, into });
      into = [];
    }
  }
  return open.length > 0 || words.length > 0 ? null : top;
}

/** The offset behind the brace that closes a block of Lua. */
function blockEnd(text: string, from: number): number | null {
  const brace = /[{}]/g;
  brace.lastIndex = from;
  let depth = 1;
  for (let found = brace.exec(text); found !== null; found = brace.exec(text)) {
    depth += found[0] === '{' ? 1 : -1;
    if (depth === 0) return brace.lastIndex;
  }
  return null;
}
