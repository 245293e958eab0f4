/** The lines of a unit. */
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

export interface Directive {
  readonly name: string;
  readonly value: Placed;
}

/** The directives of a section, continued lines joined. */
export function directives(file: LineIndex, wanted = 'Service'): Directive[] {
  return inSection(logicalLines(file, isContinued), wanted);
}

/** The options of a section of an INI file, in which a line that is indented more than its option continues it. */
export function options(file: LineIndex, wanted: string): Directive[] {
  const lines: Placed[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (const line of logicalLines(file, (text) => text.search(/\\\s*$/))) {
    const comment = line.text.search(/\s;/);
    const own = comment < 0 ? line : line.slice(0, comment);
    const at = own.text.search(/\S/);
    const option = lines.at(-1);
    if (at > indent && option !== undefined) lines.splice(-1, 1, Placed.join([option, own], ' '));
    else if (at >= 0) {
      lines.push(own);
      indent = own.text.startsWith('[', at) ? Number.POSITIVE_INFINITY : at;
    }
  }
  return inSection(lines, wanted);
}

function inSection(lines: readonly Placed[], wanted: string): Directive[] {
  const found: Directive[] = [];
  let section = '';
  for (const line of lines) {
    const header = /^\s*\[([^\]]*)\]/.exec(line.text);
    if (header !== null) section = header[1] ?? '';
    const match = /^\s*([A-Za-z]\w*)\s*=\s*/.exec(line.text);
    // An excerpt of a unit may lack its section header.
    if (match === null || (section !== wanted && section !== '')) continue;
    const start = match[0].length;
    const value = line.slice(start, Math.max(start, line.text.trimEnd().length));
    found.push({ name: match[1] as string, value });
  }
  return found;
}

/** A line that systemd ignores, and the line before it, which was meant to continue. */
export interface DroppedLine {
  readonly line: Placed;
  readonly before: Placed;
}

/** The lines of a unit that are neither a section nor an assignment: systemd says "Missing '=', ignoring line". */
export function droppedLines(file: LineIndex): DroppedLine[] {
  const lines = logicalLines(file, isContinued);
  return lines.flatMap((line, at) => {
    const before = lines[at - 1];
    const isDropped =
      /\S/.test(line.text) && !/^\s*\[/.test(line.text) && !/^\s*[A-Za-z][\w-]*\s*=/.test(line.text);
    return isDropped && before !== undefined ? [{ line: line.trim(), before }] : [];
  });
}

/** As systemd up to 253 reads a line: an odd number of backslashes at its very end continues it. */
function isContinued(line: string): number {
  const [run = ''] = /\\*$/.exec(line) ?? [];
  return run.length % 2 === 1 ? line.length - 1 : -1;
}

/** Lines joined at trailing backslashes; comments are skipped. `continued`: the place of the backslash; -1: there is none. */
function logicalLines(file: LineIndex, continued: (line: string) => number): Placed[] {
  const lines: Placed[] = [];
  let parts: Placed[] = [];
  for (const line of Placed.at(file).split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line.text)) continue;
    const end = continued(line.text);
    parts.push(end < 0 ? line : Placed.join([line.slice(0, end), line.slice(end).as(' ')]));
    if (end >= 0) continue;
    lines.push(Placed.join(parts));
    parts = [];
  }
  return parts.length === 0 ? lines : [...lines, Placed.join(parts)];
}
