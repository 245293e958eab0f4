/** Maps each character of a YAML scalar to its place in the file, through quotes, escapes, folding and indentation. */
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

/** Places a scalar's text, which is not empty. `start` and `end` include its quotes or block header. */
export function placeScalar(value: string, file: LineIndex, start: number, end: number): Placed {
  const raw = file.text.slice(start, end);
  if (raw === value) return Placed.at(file, start, end);
  const style = raw[0];
  if (style === '"' || style === "'") {
    if (raw.slice(1, -1) === value) return Placed.at(file, start + 1, end - 1);
    return aligned(value, file, start + 1, end - 1, style === '"' ? escaped : doubled);
  }
  if (style !== '|' && style !== '>') return aligned(value, file, start, end, itself);
  const body = raw.indexOf('\n') + 1;
  return aligned(value, file, start + body, end, itself, indentOf(raw.slice(body), value));
}

/** How many characters of the source at `at` make this character of the value; 0 if they do not. */
type Step = (text: string, at: number, char: string) => number;

const itself: Step = (text, at, char) => (text[at] === char ? 1 : 0);
const doubled: Step = (text, at, char) =>
  char === "'" ? (text.startsWith("''", at) ? 2 : 0) : itself(text, at, char);
const escaped: Step = (text, at, char) => {
  if (text[at] !== '\\') return itself(text, at, char);
  const size = { x: 4, u: 6, U: 10 }[text[at + 1] ?? ''] ?? 2;
  return text[at + 1] === '\n' ? 0 : size;
};

/** The indentation of a block, in spaces. */
function indentOf(body: string, value: string): number {
  const leading = (text: string) => /^ */.exec(/[^\n]*[^\s][^\n]*/.exec(text)?.[0] ?? '')?.[0].length ?? 0;
  return Math.max(0, leading(body) - leading(value));
}

function aligned(
  value: string,
  file: LineIndex,
  start: number,
  end: number,
  step: Step,
  indent: number | null = null,
): Placed {
  const { text } = file;
  const parts: Placed[] = [];
  let at = indent === null ? start : skipIndent(text, start, indent);
  let run = at;
  let from = 0;
  const flush = (to: number) => {
    if (to > from) parts.push(Placed.at(file, run, run + to - from));
    from = to;
  };
  for (let index = 0; index < value.length; index++) {
    const char = value[index] as string;
    if (at >= end) {
      flush(index);
      return Placed.join([...parts, Placed.for(value.slice(index), file, Math.max(start, end - 1), end)]);
    }
    let before = at;
    let size = step(text, at, char);
    if (size === 0 && /\s|\\/.test(text[at] ?? '')) {
      before = skipFold(text, at, end, char);
      size = step(text, before, char);
      if (size === 0 && /\s/.test(char)) [before, size] = [at, skipFold(text, at, end, '') - at];
    }
    if (size === 0) {
      flush(index);
      return Placed.join([...parts, Placed.for(value.slice(index), file, at, end)]);
    }
    const straight = size === 1 && text[before] === char;
    if (!straight || before !== at) flush(index);
    if (from === index) run = before;
    if (!straight) {
      parts.push(Placed.for(char, file, before, before + size));
      from = index + 1;
      run = before + size;
    }
    at = before + size;
    if (straight && char === '\n' && indent !== null) {
      flush(index + 1);
      at = skipIndent(text, at, indent);
      run = at;
    }
  }
  flush(value.length);
  return Placed.join(parts);
}

function skipIndent(text: string, at: number, indent: number): number {
  let next = at;
  while (next < at + indent && text[next] === ' ') next += 1;
  return next;
}

/** Skips blanks, line ends and a folded line's backslash, up to `char`. */
function skipFold(text: string, at: number, end: number, char: string): number {
  let next = at;
  while (next < end && text[next] !== char && /[\s\\]/.test(text[next] as string)) {
    if (text[next] === '\\' && text[next + 1] !== '\n') break;
    next += 1;
  }
  return next;
}
