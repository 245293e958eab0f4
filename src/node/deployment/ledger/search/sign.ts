/** A sign: words at a place that say an RPC or admin interface is started, opened or widened. */
import type { Kind } from '../../../kinds/kind.js';
import type { OpenInterface, OtherClient } from '../../../kinds/others.js';
import type { Range } from '../../../sources/text/line-index.js';
import { lineStart } from '../blocks.js';
import type { PublishedTo } from '../published.js';

export interface Sign extends Range {
  readonly type: 'program' | 'script' | 'container' | 'image' | 'flag' | 'variable' | 'key' | 'call';
  /** The word as written. */
  readonly word: string;
  /** The statement or the block that it is part of. */
  readonly within: Range;
  /** The words of that part; null for a word that cannot be known offline. */
  readonly words: readonly (string | null)[];
  /** The kind of node it names; null for a word of several kinds, or of a client that is no kind. */
  readonly kind: Kind | null;
  /** A client that is no kind, with the interfaces that its words open; absent if it names none. */
  readonly other?: Other;
  /** The end of a script's path that tells it from other scripts. */
  readonly tail?: string;
}

/** The start of a client that is no kind. */
export interface Other {
  readonly client: OtherClient;
  readonly interfaces: readonly OpenInterface[];
  /** The ports that its container publishes, and whether it has the network of the machine. */
  readonly published: PublishedTo;
}

/** A sign of a kind, or of several, at a word. */
export function signAt(
  type: Sign['type'],
  start: number,
  word: string,
  { within, words = [], kind = null }: Partial<Pick<Sign, 'within' | 'words' | 'kind'>> = {},
): Sign {
  const range = { start, end: start + word.length };
  return { ...range, type, word, within: within ?? range, words, kind };
}

/** `--http.api=eth` → `http.api`; empty for a word that is no flag. */
export function flagName(word: string): string {
  return /^--?([A-Za-z][\w.-]*)/.exec(word)?.[1] ?? '';
}

/** The beginning of a comment before a place in its line. */
const comment = /^\s*(?:#|\/\/|;|\*|<!--|%|--\s|REM\b|rem\b|dnl\b)|[ \t](?:#|\/\/)[ \t]/;

/** A line that prints a message. */
const message = /^[ \t]*@?(?:echo|printf)\b[^|>&;`]*$/;

/** The matches of a pattern outside of comments and printed messages. */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpMatchArray & { index: number }> {
  for (const match of text.matchAll(pattern))
    if (!inComment(text, match.index)) yield match as RegExpMatchArray & { index: number };
}

/** Whether the place is in a comment, or in a printed message. */
export function inComment(text: string, at: number): boolean {
  const start = Math.max(lineStart(text, at), at - 2_000);
  if (comment.test(text.slice(start, at))) return true;
  const end = text.indexOf('\n', at);
  return message.test(text.slice(start, Math.min(end < 0 ? text.length : end, at + 2_000)));
}
