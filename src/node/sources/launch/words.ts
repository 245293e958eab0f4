/** The words of a start as the node gets them, and where a piece of one stands. */
import type { Span } from '../../facts/span.js';
import type { CommandWord } from '../argv/word.js';
import { isKnown, type Placed } from '../text/placed.js';

/** Why what holds a placeholder is unknown. */
export const filledIn = 'it is filled in later, by a template or by the environment';

/** A word with a placeholder is unknown; after `--flag=` only that flag is. */
export function replayWord(word: Placed, texts: Map<Span, Placed>): CommandWord {
  const at = word.span();
  texts.set(at, word);
  const known = isKnown(word.text);
  const flag = /^--?([A-Za-z][\w.-]*)=/.exec(word.text)?.[1];
  return {
    text: known ? word.text : null,
    variable: null,
    at,
    cause: null,
    causeAt: null,
    indeterminate: known ? null : filledIn,
    maybe: known || flag === undefined ? null : [`--${flag}`],
    written: true,
  };
}

/** Any words, of which nothing is known but why. */
export function unknownWord(at: Span, indeterminate: string): CommandWord {
  const unknown = { text: null, variable: null, cause: null, causeAt: null, maybe: null };
  return { ...unknown, at, indeterminate, written: true };
}

/** The first place of a piece in a text, behind `after`; else the text itself. */
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
