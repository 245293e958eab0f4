/** Brace expansion: one word {a,b} or {1..3} becomes several. */
import type { Steps } from '../text/steps.js';
import type { Part, Word } from './syntax/tree.js';
import { cut } from './syntax/word.js';

/** Words that one becomes at most; a word of more stays as it is written. */
const maxWords = 1_000;

/** The words of a word, in order; null: they are not known. */
export function bracedWords(word: Word, steps: Steps): readonly Word[] | null {
  if (!word.parts.some(isOpen)) return [word];
  const found = expanded(word.parts, { left: maxWords, steps });
  // Bash reads $A{b,c} as $Ab and $Ac.
  if (found === null || found.some((parts) => parts.some((part, at) => joinsName(part, parts[at + 1]))))
    return null;
  return found.map((parts) => ({ ...word, parts }));
}

function joinsName(part: Part, next: Part | undefined): boolean {
  const isBare = part.type === 'parameter' && part.end - part.start === part.name.length + 1;
  return isBare && next?.type === 'text' && !next.quoted && /^\w/.test(next.text);
}

type Parts = readonly Part[];
/** A place between two characters: in a part that is a text, or before another one. */
type Place = readonly [part: number, char: number];

function isOpen(part: Part): boolean {
  return part.type === 'text' && !part.quoted && part.text.includes('{');
}

function expanded(parts: Parts, limit: { left: number; readonly steps: Steps }): readonly Parts[] | null {
  const marks = marksIn(parts);
  limit.steps.take(1 + marks.length);
  for (const [at, open] of marks.entries()) {
    if (open.char !== '{') continue;
    const list = listAt(parts, marks, at);
    if (list === null) continue;
    const before = between(parts, [0, 0], open.place);
    const rests = expanded(between(parts, list.end, [parts.length, 0]), limit);
    const all: Parts[] = [];
    for (const one of list.items) {
      const inner = typeof one === 'string' ? [[literal(one, parts, open.place)]] : expanded(one, limit);
      if (rests === null || inner === null) return null;
      limit.left -= inner.length * rests.length;
      if (limit.left < 0) return null;
      for (const left of inner) for (const right of rests) all.push([...before, ...left, ...right]);
    }
    return all;
  }
  return [parts];
}

interface Mark {
  readonly char: string;
  readonly place: Place;
}

/** The braces and commas that no quotes protect. A brace behind $ is none. */
function marksIn(parts: Parts): Mark[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'text' || part.quoted) return [];
    const marks = [...part.text.matchAll(/(?<!\$)\{|[},]/g)];
    return marks.map(({ 0: char, index: at }) => ({ char, place: [index, at] as const }));
  });
}

/** The items of the list or sequence that opens at a mark, and the place behind it; null: it is none. */
function listAt(parts: Parts, marks: readonly Mark[], open: number) {
  const places = [marks[open] as Mark];
  let depth = 0;
  for (const mark of marks.slice(open)) {
    if (mark.char === '{') depth += 1;
    if (depth === 1 && mark.char === ',') places.push(mark);
    if (mark.char !== '}') continue;
    depth -= 1;
    if (depth > 0) continue;
    const end = behind(mark.place);
    const ends = [...places.slice(1), mark];
    const items = ends.map(({ place }, at) => between(parts, behind((places[at] as Mark).place), place));
    if (items.length > 1) return { items, end };
    const [only] = items[0] ?? [];
    const values =
      items[0]?.length === 1 && only?.type === 'text' && !only.quoted ? sequence(only.text) : null;
    // In a{b}{c,d} the first brace opens nothing.
    return values && { items: values, end };
  }
  return null;
}

function behind([part, char]: Place): Place {
  return [part, char + 1];
}

/** The texts of 1..3, 01..10..2 or a..e; null: it is no sequence. */
function sequence(text: string): string[] | null {
  const [, first = '', last = '', step = '1'] =
    /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text) ??
    /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text) ??
    [];
  if (first === '') return null;
  const isNumber = /\d/.test(first);
  const [from, to] = [first, last].map((one) => (isNumber ? Number(one) : one.charCodeAt(0))) as [
    number,
    number,
  ];
  const by = Math.max(Math.abs(Number(step)), 1);
  const count = Math.min(Math.floor(Math.abs(to - from) / by) + 1, maxWords + 1);
  const width = [first, last].some((one) => /^-?0\d/.test(one)) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, at) => {
    const value = from + (to < from ? -at : at) * by;
    if (!isNumber) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
}

/** The parts between two places. */
function between(parts: Parts, [first, from]: Place, [last, to]: Place): Parts {
  return parts.flatMap((part, index): Parts => {
    if (index < first || index > last || (index === last && to === 0)) return [];
    if (part.type !== 'text') return [part];
    const [start, end] = [index === first ? from : 0, index === last ? to : part.text.length];
    return start < end || (part.quoted && part.text === '') ? [cut(part, start, end)] : [];
  });
}

function literal(text: string, parts: Parts, [at]: Place): Part {
  const part = parts[at];
  const runs = part?.type === 'text' ? part.runs : [];
  const [start, end] = [runs[0]?.start ?? 0, runs.at(-1)?.end ?? 0];
  return { type: 'text', text, quoted: false, runs: [{ text, start, end }] };
}
