/** A sign: words at a place that say an RPC or admin interface is started, opened or widened. */
import type { Kind } from '../../../kinds/kind.js';
import type { OpenInterface, OtherClient } from '../../../kinds/others.js';
import type { Range } from '../../../sources/text/line-index.js';
import type { Published } from '../published.js';

export interface Sign extends Range {
  readonly type: 'program' | 'script' | 'container' | 'image' | 'flag' | 'variable' | 'key' | 'call';
  /** The word as written. */
  readonly word: string;
  /** The statement or the block that it is part of. */
  readonly within: Range;
  /** The words of that part; null: a word that cannot be known offline. */
  readonly words: readonly (string | null)[];
  /** The kind of node it names; null: a word of several kinds, or of a client that is no kind. */
  readonly kind: Kind | null;
  /** A client that is no kind, with the interfaces that its words open; absent: it names none. */
  readonly other?: Other;
  /** The end of a script's path that tells it from other scripts. */
  readonly tail?: string;
}

/** The start of a client that is no kind. */
export interface Other {
  readonly client: OtherClient;
  readonly interfaces: readonly OpenInterface[];
  /** The ports that its container publishes, and whether it has the network of the machine. */
  readonly published: Published;
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
export function nameOf(word: string): string {
  return /^--?([A-Za-z][\w.-]*)/.exec(word)?.[1] ?? '';
}
