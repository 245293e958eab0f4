/** Words of a start as words of the node's command line. */

import type { CommandWord } from '../../dialect/word.js';
import type { Span } from '../../facts/span.js';
import { isKnown, type Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import type { WordPlaces } from '../text/word-places.js';

/** Why a text with an unknown part is unknown. */
export function whyUnknown(text: Placed): string {
  return `${unknownIn(text)} is not known`;
}

/** A word with an unknown part is unknown; after `--flag=` only the value is. */
export function replayWord(word: Placed, places: WordPlaces): CommandWord {
  const at = places.keep(word);
  const known = isKnown(word.text);
  const [name = '', flag] = /^--?([A-Za-z][\w.-]*)=/.exec(word.text) ?? [];
  const valueAt = flag === undefined ? at : word.slice(name.length).span();
  const isApart = valueAt.file !== at.file || valueAt.line !== at.line;
  return {
    text: known ? word.text : null,
    variable: null,
    at,
    cause: null,
    causeAt: null,
    indeterminate: known ? null : whyUnknown(word),
    maybe: null,
    written: true,
    ...(known ? {} : { partly: word.text, unknown: unknownIn(word) }),
    ...(flag !== undefined && (isApart || valueAt.column !== at.column + name.length) ? { valueAt } : {}),
  };
}

/** One unknown word for any number of words. */
export function unknownWord(at: Span, indeterminate: string): CommandWord {
  const unknown = { text: null, variable: null, cause: null, causeAt: null, maybe: null };
  return { ...unknown, at, indeterminate, written: true };
}
