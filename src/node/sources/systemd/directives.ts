/** The lines of a unit. */
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

export interface Directive {
  readonly name: string;
  readonly value: Placed;
}

/** The directives of a section, continued lines joined. */
export function directives(file: LineIndex, wanted = 'Service'): Directive[] {
  return inSection(logicalLines(file), wanted);
}

/** The options of a section of an INI file, in which a line that is indented more than its option continues it. */
export function options(file: LineIndex, wanted: string): Directive[] {
  const lines: Placed[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (const line of logicalLines(file)) {
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
    found.push({ name: match[1] as string, value: line.slice(match[0].length) });
  }
  return found;
}

/** Lines joined at trailing backslashes; comments are skipped. */
function logicalLines(file: LineIndex): Placed[] {
  const lines: Placed[] = [];
  let parts: Placed[] = [];
  for (const line of Placed.at(file).split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line.text)) continue;
    const continued = /\\\s*$/.exec(line.text);
    parts.push(
      continued === null
        ? line
        : Placed.join([line.slice(0, continued.index), line.slice(continued.index).as(' ')]),
    );
    if (continued !== null) continue;
    lines.push(Placed.join(parts));
    parts = [];
  }
  return parts.length === 0 ? lines : [...lines, Placed.join(parts)];
}
