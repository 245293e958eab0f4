/** Reads environment files: NAME=value lines, of compose also `NAME: value`, as docker, compose and systemd read them. */

import { type Context, type Launches, type LaunchVariable, loneLaunch } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

export interface EnvironmentLine {
  readonly name: string;
  readonly value: Placed;
  /** Whether the value is in single quotes, so that nothing in it is expanded. */
  readonly isLiteral: boolean;
  readonly line: Placed;
}

const maxLines = 20_000;
const maxValue = 1 << 16;

/** The assignments of a file, without the quotes around values. Other lines are ignored. */
export function environmentLines(file: LineIndex | Placed): EnvironmentLine[] {
  const lines: EnvironmentLine[] = [];
  const whole = file instanceof Placed ? file : Placed.at(file);
  let start = 0;
  while (start < file.text.length && lines.length < maxLines) {
    const newline = file.text.indexOf('\n', start);
    const end = newline < 0 ? file.text.length : newline;
    const line = assignment(whole.slice(start, closeOf(file.text, start, end)).trim());
    if (line !== null) lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** An assignment whose quote is open at the end of its line. */
const open = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*[:=]\s*(?:(")(?:\\[\s\S]|[^"\\])*|(')[^']*)$/;

/** The end of a value that may span lines. The lines within are read by themselves too: not every program joins them. */
function closeOf(text: string, start: number, end: number): number {
  const [, double, single] = open.exec(text.slice(start, end)) ?? [];
  const quote = double ?? single;
  const close = quote === undefined ? -1 : text.indexOf(quote, end);
  return close < 0 || close - start > maxValue ? end : close + 1;
}

function assignment(line: Placed): EnvironmentLine | null {
  const match = /^(?:export\s+)?([A-Za-z_]\w*)\s*[:=]\s*/.exec(line.text);
  if (match === null) return null;
  const rest = line.slice(match[0].length);
  return { name: match[1] as string, value: unquoted(rest), isLiteral: rest.text.startsWith("'"), line };
}

function unquoted(text: Placed): Placed {
  const mark = text.text[0];
  const end = mark === '"' || mark === "'" ? text.text.indexOf(mark, 1) : -1;
  if (end > 0) return end === 1 ? text.slice(0, 2).as('') : text.slice(1, end);
  const comment = /(?:^|\s)#/.exec(text.text);
  const value = comment === null ? text : text.slice(0, comment.index).trim();
  return value.text === '' ? text.as('') : value;
}

/** The node that an environment file is for, whatever starts it. */
export function readEnvironment(file: LineIndex, { kinds: [kind] }: Context): Launches {
  const lines = environmentLines(file);
  const own = lines.filter(({ name }) => kind?.signs.variable.test(name));
  const [first] = own;
  if (kind === undefined || first === undefined) return { launches: [], problems: [], notes: [] };
  const environment = new Map(own.map(({ name, value }) => [name, variableOf(value)]));
  const launch = loneLaunch({ kind, at: first.line.span(), environment });
  return { launches: [launch], problems: [], notes: [] };
}

/** A variable whose value is written in a file. */
export function variableOf(value: Placed): LaunchVariable {
  return { value, at: value.span(), indeterminate: null };
}
