/** Words of a start as words of the node's command line, and the places of pieces in them. */
import type { Span } from '../../facts/span.js';
import type { CommandWord } from '../argv/word.js';
import { isKnown, type Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';

/** Why a text with an unknown part is unknown. */
export function whyUnknown(text: Placed): string {
  return `${unknownIn(text)} is not known`;
}

/** A word with an unknown part is unknown; after `--flag=` only the value is. */
export function replayWord(word: Placed, texts: Map<Span, Placed>): CommandWord {
  const at = word.span();
  texts.set(at, word);
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

/** The first place of a piece in a text, after `after`; else the place of the whole text. */
export function pieceIn(text: Placed, piece: string, after: Span | null): Span {
  const found = pieces(text, piece).find((span) => after === null || isBehind(span, after));
  return found ?? text.span();
}

const maxPieces = 100;

function pieces(text: Placed, piece: string): Span[] {
  const spans: Span[] = [];
  for (
    let at = text.text.indexOf(piece);
    at >= 0 && spans.length < maxPieces;
    at = text.text.indexOf(piece, at + 1)
  ) {
    const alone = /[\s,=]/;
    if (alone.test(text.text[at - 1] ?? ',') && alone.test(text.text[at + piece.length] ?? ','))
      spans.push(text.span({ start: at, end: at + piece.length }));
  }
  return spans;
}

function isBehind(span: Span, after: Span): boolean {
  return span.line > after.endLine || (span.line === after.endLine && span.column >= after.endColumn);
}
