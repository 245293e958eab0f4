/** Where the characters of an assigned value are written. */
import { unfilled } from '../text/placeholders.js';
import { maxRuns } from './journal.js';
import type { Shell } from './state.js';
import type { Part, Run, Word } from './syntax/tree.js';
import { partOf, type Value } from './value.js';

/**
 * The value of a word by the places of its parts; the characters of a variable have the places in its assignment. One run
 * for the whole word where the parts cannot be told apart.
 */
export function runsOf(shell: Shell, word: Word, value: Value): readonly Run[] {
  const text = partOf(value);
  return runsIn(shell, word, text) ?? [{ text, start: word.start, end: word.end }];
}

/** null: the parts cannot be told apart, or the word makes another text. */
function runsIn(shell: Shell, { parts, start, end }: Word, text: string): readonly Run[] | null {
  const texts = parts.map((part) => textOf(shell, part));
  const known = texts.reduce((sum: number, one) => sum + (one?.length ?? 0), 0);
  // The one text that is not known is what the others leave.
  if (texts.filter((one) => one === null).length > 1 || known > text.length) return null;
  let at = 0;
  let from = start;
  const runs: Run[] = [];
  for (const [index, part] of parts.entries()) {
    const length = texts[index]?.length ?? text.length - known;
    const range = 'start' in part ? part : { start: from, end: startOf(parts[index + 1]) ?? end };
    if (part.type === 'text') runs.push(...part.runs);
    else runs.push(...ofExpansion(shell, part, { ...range, text: text.slice(at, at + length) }));
    from = runs.at(-1)?.end ?? from;
    at += length;
  }
  return runs.length <= maxRuns && joined(runs) === text ? runs : null;
}

function joined(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** A variable's text where it was assigned, a default where it is written; any other at the expansion. */
function ofExpansion(shell: Shell, part: Part, { text, start, end }: Run): readonly Run[] {
  const { journal } = shell;
  const whole = [{ text, start, end }];
  if (part.type !== 'parameter') return whole;
  const { name, operand } = part;
  const own = journal.written.get(name) ?? [];
  if (joined(own) === text) return own;
  return operand === null ? whole : (runsIn(shell, operand, text) ?? whole);
}

/** The text that the part has become; null: not known from the part alone. */
function textOf(shell: Shell, part: Part): string | null {
  if (part.type === 'text') return part.text;
  if (part.type === 'command' || part.type === 'other') return unfilled;
  if (part.type !== 'parameter' || part.operator !== '') return null;
  return partOf(shell.look(part.name) ?? '');
}

function startOf(part: Part | undefined): number | undefined {
  if (part === undefined) return undefined;
  if (part.type === 'text') return part.runs[0]?.start;
  return 'start' in part ? part.start : undefined;
}
