/** The syntax of nginx: directives with words, each ended by a semicolon or a block. */

import { type Directive, maxDepth, tokensOf, type Word, wordAt } from './directive.js';

const token =
  /[\s]+|#[^\n]*|(?<mark>[;{}])|(?<quoted>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<bare>(?:\\[\s\S]|\$\{\w+\}|[^\s;{}"'\\])(?:\\[\s\S]|\$\{\w+\}|[^\s;{}\\])*)/gy;

/** The directives of a file; null if it is not of this syntax, or has a block in another language. */
export function parseNginx(text: string): readonly Directive[] | null {
  const open: { name: string; words: readonly Word[]; start: number; into: Directive[] }[] = [];
  let into: Directive[] = [];
  let words: Word[] = [];
  const tokens = tokensOf(text, token);
  for (const found of tokens ?? []) {
    const { mark, quoted, bare } = found.groups ?? {};
    const word = quoted?.slice(1, -1) ?? bare;
    if (word !== undefined) words.push(wordAt(word, found));
    if (mark === undefined) continue;
    const [first, ...others] = words;
    words = [];
    if (mark === '}') {
      const { into: outer, ...head } = open.pop() ?? {};
      if (outer === undefined || first !== undefined) return null;
      outer.push({ ...(head as Omit<Directive, 'block'>), block: into });
      into = outer;
      continue;
    }
    if (first === undefined || first.text.endsWith('_by_lua_block')) return null;
    const head = { name: first.text, words: others, start: first.start };
    if (mark === ';') into.push({ ...head, block: null });
    else if (open.length === maxDepth) return null;
    else {
      open.push({ ...head, into });
      into = [];
    }
  }
  return tokens === null || open.length > 0 || words.length > 0 ? null : into;
}
