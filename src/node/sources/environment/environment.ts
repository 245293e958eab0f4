/** Environment files: NAME=value lines, as docker, compose and systemd take them. */

import { type Context, type Launches, loneLaunch } from '../launch.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

export interface EnvironmentLine {
  readonly name: string;
  readonly value: Placed;
  readonly line: Placed;
}

const maxLines = 20_000;

/** The assignments of a file, quotes around values taken off; what is not an assignment is left out. */
export function environmentLines(file: LineIndex): EnvironmentLine[] {
  const lines: EnvironmentLine[] = [];
  let start = 0;
  while (start < file.text.length && lines.length < maxLines) {
    const newline = file.text.indexOf('\n', start);
    const end = newline < 0 ? file.text.length : newline;
    const line = assignment(Placed.at(file, start, end).trim());
    if (line !== null) lines.push(line);
    start = end + 1;
  }
  return lines;
}

function assignment(line: Placed): EnvironmentLine | null {
  const match = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*/.exec(line.text);
  if (match === null) return null;
  const rest = line.slice(match[0].length);
  return { name: match[1] as string, value: unquoted(rest), line };
}

function unquoted(text: Placed): Placed {
  const mark = text.text[0];
  const end = mark === '"' || mark === "'" ? text.text.indexOf(mark, 1) : -1;
  if (end > 0) return end === 1 ? text.slice(0, 2).as('') : text.slice(1, end);
  const comment = /(?:^|\s)#/.exec(text.text);
  const value = comment === null ? text : text.slice(0, comment.index).trim();
  return value.text === '' ? text.as('') : value;
}

/** An environment file by itself: the node it is for is started by something else, with these variables. */
export function readEnvironment(file: LineIndex, { kinds: [kind] }: Context): Launches {
  const lines = environmentLines(file);
  const own = lines.filter(({ name }) => kind?.signs.variable.test(name));
  const [first] = own;
  if (kind === undefined || first === undefined) return { launches: [], problems: [], notes: [] };
  const environment = own.map(
    ({ name, value }) => [name, { value, at: value.span(), indeterminate: null }] as const,
  );
  const launch = loneLaunch({ kind, at: first.line.span(), environment: new Map(environment) });
  return { launches: [launch], problems: [], notes: [] };
}
