/** Splits a line into words and removes quotes and backslashes, as compose and systemd do. Expands nothing. */
import { Placed } from './placed.js';

const maxWords = 10_000;

/** The words of a text. An unclosed quote ends at the end of the text. */
export function splitWords(text: Placed): Placed[] {
  const words: Placed[] = [];
  let at = 0;
  while (words.length < maxWords) {
    at += /^(?:\s|\\\n)*/.exec(text.text.slice(at))?.[0].length ?? 0;
    if (at >= text.text.length) break;
    const [word, end] = readWord(text, at);
    words.push(word);
    at = end;
  }
  return words;
}

function readWord(text: Placed, start: number): [Placed, number] {
  const parts: Placed[] = [];
  let quote = '';
  let at = start;
  let from = start;
  const flush = (next: number) => {
    if (at > from) parts.push(text.slice(from, at));
    at = next;
    from = next;
  };
  for (;;) {
    const char = text.text[at];
    if (char === undefined || (quote === '' && /\s/.test(char))) break;
    if (char === '\\' && quote !== "'" && at + 1 < text.text.length) {
      flush(text.text[at + 1] === '\n' ? at + 2 : at + 1);
      if (text.text[at - 1] === '\\') at += 1;
    } else if (char === quote) {
      flush(at + 1);
      quote = '';
    } else if (quote === '' && (char === '"' || char === "'")) {
      flush(at + 1);
      quote = char;
    } else at += 1;
  }
  const end = at;
  flush(at);
  const [first] = parts;
  return [
    first === undefined ? text.slice(start, end).as('') : parts.length === 1 ? first : Placed.join(parts),
    end,
  ];
}

/** NAME=value as a pair; the value is null where there is no `=`. */
export function pairOf(word: Placed): readonly [name: string, value: Placed | null] {
  const at = word.text.indexOf('=');
  return at < 0 ? [word.text, null] : [word.text.slice(0, at), word.slice(at + 1)];
}
