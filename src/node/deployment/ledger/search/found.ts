/** Matches of a pattern outside of comments and printed messages. */
import { lineStart } from '../blocks.js';

/** The beginning of a comment before a place in its line. */
const comment = /^\s*(?:#|\/\/|;|\*|<!--|%|--\s|REM\b|rem\b|dnl\b)|[ \t](?:#|\/\/)[ \t]/;

/** A line that prints a message. */
const message = /^[ \t]*@?(?:echo|printf)\b[^|>&;`]*$/;

/** The matches of a pattern outside of comments and printed messages. */
export function* found(text: string, pattern: RegExp): Generator<RegExpMatchArray & { index: number }> {
  for (const match of text.matchAll(pattern))
    if (!inComment(text, match.index)) yield match as RegExpMatchArray & { index: number };
}

/** True for a place in a comment, or in a printed message. */
export function inComment(text: string, at: number): boolean {
  const start = Math.max(lineStart(text, at), at - 2_000);
  if (comment.test(text.slice(start, at))) return true;
  const end = text.indexOf('\n', at);
  return message.test(text.slice(start, Math.min(end < 0 ? text.length : end, at + 2_000)));
}
