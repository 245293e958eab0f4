/** A finding as text: rule, message, place, source line, fix and alternatives. */
import { columns, fold, graphemes, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Finding, Place } from '../facts/report.js';
import { fixesOf, patchLines } from './patched.js';
import type { Paint } from './text-paint.js';

/** First columns of place, message and source line. */
export interface Layout {
  readonly place: number;
  readonly message: number;
  readonly source: number;
  /** False: the source line is below its place. */
  readonly beside: boolean;
}
export const roomy: Layout = { place: 9, message: 30, source: 17, beside: false };
/** Columns of a line in a file or a pipe. */
export const maxLine = 300;
/** Narrower terminals use `tight`, which puts everything below each other. */
export const narrow = 60;
export const tight: Layout = { place: 2, message: 2, source: 4, beside: false };
/** Longer places get their own line. */
const maxPlace = 28;

export function layoutFor(width: number, findings: readonly Finding[]): Layout {
  if (width < narrow) return tight;
  const places = findings.flatMap(({ at, related }) => [at, ...related.map((one) => one.at)]);
  const longest = Math.max('fix'.length, ...places.map((at) => columns(formatPlace(at))));
  // Source lines are beside their places unless a place is too long.
  if (longest > maxPlace) return roomy;
  return { ...roomy, source: Math.max(roomy.source, roomy.place + longest + 3), beside: true };
}

/** The label padded between two columns, followed by at least one blank. */
function pad(label: string, from: number, to: number): string {
  return ' '.repeat(from) + label + ' '.repeat(Math.max(1, to - from - columns(label)));
}

/** `file:line:column`, or the endpoint. */
export function formatPlace(at: Place): string {
  return 'endpoint' in at ? visible(at.endpoint) : `${visible(at.file)}:${at.line}:${at.column}`;
}

/** Without a newline at the end. `paint` colours the severity; `page` explains the rule. */
export function findingBlock(
  finding: Finding,
  width: number,
  layout: Layout,
  paint: Paint,
  page: string | null = null,
): string {
  const { rule, severity, suppressed } = finding;
  const reason = suppressed === null ? '' : ` Suppressed: ${suppressed.reason}.`;
  const label = paint(severity, severity) + ' '.repeat(roomy.place - severity.length);
  const name = paint.rule?.(rule) ?? rule;
  const message = wrap(visible(finding.message + reason, 2_000), width, layout.message, textColumn(layout));
  const head =
    layout === tight
      ? [`${paint(severity, severity)} ${name}`, message]
      : [
          `${label}${name}${' '.repeat(Math.max(0, layout.message - layout.place - 1 - rule.length))} ${message.trimStart()}`,
        ];
  const lines = [...head, ...placed(finding.at, finding.source, null, width, layout)];
  for (const one of finding.related)
    lines.push(...placed(one.at, one.source, visible(one.note), width, layout));
  for (const [at, one] of fixesOf(finding).entries()) {
    lines.push(formatLabelled(at === 0 ? 'fix' : 'or', visible(one.fix, 2_000), width, layout));
    // Wrapped as seldom as a file allows, so that they can be pasted.
    for (const line of patchLines(finding, one.edits))
      lines.push(
        fold(' '.repeat(textColumn(layout)) + visible(line, 2_000), maxLine, textColumn(layout) + 2),
      );
  }
  if (page !== null) lines.push(formatLabelled('rule', visible(page), Number.POSITIVE_INFINITY, layout));
  return lines.join('\n');
}

/** `fix      List only eth and net.`, wrapped beside its label. */
export function formatLabelled(label: string, text: string, width: number, layout: Layout): string {
  const column = textColumn(layout);
  const start = pad(label, layout.place, column);
  return start + wrap(text, width, columns(start), column).trimStart();
}

/** The first column of text below that of the message. */
function textColumn({ source }: Layout): number {
  return Math.min(source, roomy.source);
}

/** `file:line:column`, the source line, and carets below it or the note of a related place. */
function placed(
  at: Place,
  line: string | null,
  note: string | null,
  width: number,
  layout: Layout,
): string[] {
  const name = formatPlace(at);
  const { place, source: column, beside } = layout;
  if (line === null || 'endpoint' in at) {
    return [
      fold(note === null ? ' '.repeat(place) + name : pad(`${name} `, place, column) + note, width, column),
    ];
  }
  const to = at.endLine === at.line ? at.endColumn : Number.POSITIVE_INFINITY;
  const room = Math.max(24, width - column);
  const indent = at.column - 1 - line.slice(0, at.column - 1).trimStart().length;
  const drawn = excerpt(line.slice(indent), at.column - indent, to - indent, room);
  const fits = note !== null && columns(drawn.text) + 4 + columns(note) <= room;
  const [first = '', ...more] =
    note === null ? [drawn.text] : fits ? [`${drawn.text}    ${note}`] : [drawn.text, note];
  const below = more.map((text) => wrap(text, width, column, column));
  const lines = beside
    ? [pad(name, place, column) + first, ...below]
    : [' '.repeat(place) + name, ' '.repeat(column) + first, ...below];
  if (note === null) lines.push(' '.repeat(column) + drawn.caret);
  return lines;
}

interface Excerpt {
  readonly text: string;
  /** Blanks, then carets in the width of the marked text. */
  readonly caret: string;
}

/** One grapheme of the line as it is shown. */
interface Cell {
  readonly shown: string;
  readonly width: number;
  readonly marked: boolean;
}

const tab = '    ';

/**
 * Draws `from` (inclusive) to `to` (exclusive), columns counted from 1 in UTF-16 units, in at most `width` columns.
 * Tabs become blanks, control characters visible, wide characters count twice; a long line is cut around the mark.
 */
export function excerpt(line: string, from: number, to: number, width: number): Excerpt {
  const cells = cellsOf(line, from, to);
  const first = cells.findIndex(({ marked }) => marked);
  const start = first === -1 ? cells.length : first;
  const [begin, end] = windowAround(cells, start, width);
  const head = begin > 0 ? '…' : '';
  const tail = end < cells.length ? '…' : '';
  const kept = cells.slice(begin, end);
  const before = head.length + widthOf(kept.slice(0, start - begin));
  const marked = Math.max(1, widthOf(kept.filter(({ marked }) => marked)));
  return {
    text: (head + kept.map(({ shown }) => shown).join('') + tail).trimEnd(),
    caret: ' '.repeat(before) + '^'.repeat(Math.min(marked, Math.max(1, width - before))),
  };
}

function cellsOf(line: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  let at = 1;
  for (const character of graphemes(line)) {
    // Fast path for ASCII.
    const plain = character >= ' ' && character <= '~';
    const shown = plain ? character : character === '\t' ? tab : visible(character);
    cells.push({ shown, width: plain ? 1 : columns(shown), marked: at + character.length > from && at < to });
    at += character.length;
  }
  return cells;
}

/** The cells to show: all if they fit, otherwise a part in which the mark begins in the first third. */
function windowAround(cells: readonly Cell[], start: number, width: number): [number, number] {
  if (widthOf(cells) <= width) return [0, cells.length];
  const room = Math.max(1, width - 2);
  let begin = start;
  let used = 0;
  while (begin > 0 && used + (cells[begin - 1]?.width ?? 0) <= room / 3) used += cells[--begin]?.width ?? 0;
  if (widthOf(cells.slice(begin)) < room) {
    begin = cells.length;
    used = 0;
    while (begin > 0 && used + (cells[begin - 1]?.width ?? 0) <= room) used += cells[--begin]?.width ?? 0;
    return [begin, cells.length];
  }
  let end = start;
  while (end < cells.length && used + (cells[end]?.width ?? 0) <= room) used += cells[end++]?.width ?? 0;
  return [begin, end];
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
