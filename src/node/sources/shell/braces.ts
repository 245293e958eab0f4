/** Brace expansion: one word {a,b} or {1..3} becomes several. */
import type { Steps } from '../text/steps.js';
import type { Part, Word } from './syntax/tree.js';
import { cut, WordParts } from './syntax/word.js';

/** Words that one becomes at most, and characters of one that is read. */
const maxWords = 1_000;
const maxUnits = 4_096;

/** Characters that no quotes protect, and the other parts of a word. */
type Units = readonly Part[];

/** The words of a word, in order; null if they are not known. */
export function bracedWords(word: Word, steps: Steps): readonly Word[] | null {
  if (!word.parts.some((part) => part.type === 'text' && !part.quoted && part.text.includes('{')))
    return [word];
  const units = word.parts.flatMap(
    (part): Units =>
      part.type === 'text' && !part.quoted ? [...part.text].map((_, at) => cut(part, at, at + 1)) : [part],
  );
  const found = units.length > maxUnits ? null : expanded(units, { left: maxWords, steps });
  if (found === null || found.some((one) => one.some((part, at) => joinsName(part, one[at + 1]))))
    return null;
  return found.map((one) => ({ ...word, parts: joined(one) }));
}

/** Bash reads $A{b,c} as $Ab and $Ac. */
function joinsName(part: Part, next: Part | undefined): boolean {
  const isBare = part.type === 'parameter' && part.end - part.start === part.name.length + 1;
  return isBare && next?.type === 'text' && !next.quoted && /^\w/.test(next.text);
}

function joined(units: Units): Part[] {
  const parts = new WordParts();
  for (const unit of units) {
    if (unit.type !== 'text') parts.push(unit);
    else
      for (const run of unit.runs.length > 0 ? unit.runs : [{ text: '', start: 0, end: 0 }])
        parts.add(run.text, unit.quoted, run);
  }
  parts.flush();
  return parts.list;
}

function expanded(units: Units, limit: { left: number; readonly steps: Steps }): readonly Units[] | null {
  limit.steps.take(1 + units.length / 8);
  for (const [open, unit] of units.entries()) {
    const list = isMark(unit, '{') ? listAt(units, open) : null;
    if (list === null) continue;
    const rests = expanded(units.slice(list.end), limit);
    const all: Units[] = [];
    for (const item of list.items) {
      const inner = expanded(item, limit);
      if (rests === null || inner === null) return null;
      limit.left -= inner.length * rests.length;
      if (limit.left < 0) return null;
      for (const left of inner)
        for (const right of rests) all.push([...units.slice(0, open), ...left, ...right]);
    }
    return all;
  }
  return [units];
}

function isMark(unit: Part | undefined, mark: string): boolean {
  return unit?.type === 'text' && !unit.quoted && unit.text === mark;
}

/** The items of the list or sequence that opens here, and the place behind it; null if it is none. */
function listAt(
  units: Units,
  open: number,
): { readonly items: readonly Units[]; readonly end: number } | null {
  const marks = [open];
  let depth = 0;
  for (let at = open; at < units.length; at++) {
    if (isMark(units[at], '{')) depth += 1;
    if (depth === 1 && isMark(units[at], ',')) marks.push(at);
    if (!isMark(units[at], '}')) continue;
    depth -= 1;
    if (depth > 0) continue;
    const items = [...marks.slice(1), at].map((end, index) => units.slice((marks[index] ?? 0) + 1, end));
    if (items.length > 1) return { items, end: at + 1 };
    const [inner = []] = items;
    const text = inner.map((one) => (one.type === 'text' && !one.quoted ? one.text : '\0')).join('');
    const [first] = inner;
    if (first?.type !== 'text') return null;
    const [start, end] = [first.runs[0]?.start ?? 0, first.runs[0]?.end ?? 0];
    const values = sequence(text)?.map(
      (one): Units => [{ ...first, text: one, runs: [{ text: one, start, end }] }],
    );
    return values === undefined ? null : { items: values, end: at + 1 };
  }
  return null;
}

/** The texts of 1..3, 01..10..2 or a..e; null if it is no sequence. */
function sequence(text: string): string[] | null {
  const [, first = '', last = '', step = '1'] =
    /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text) ?? [];
  const isNumber = /\d/.test(first);
  if (first === '' || isNumber !== /\d/.test(last)) return null;
  const [from = 0, to = 0] = [first, last].map((one) => (isNumber ? Number(one) : one.charCodeAt(0)));
  const by = Math.max(Math.abs(Number(step)), 1);
  const width = [first, last].some((one) => /^-?0\d/.test(one)) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: Math.min(Math.floor(Math.abs(to - from) / by), maxWords) + 1 }, (_, at) => {
    const value = from + (to < from ? -at : at) * by;
    if (!isNumber) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
}
