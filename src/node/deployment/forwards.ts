/** Forwarders: places of a text of any format that lead from one address to another, outside of its comments. */
import type { WrittenHop } from '../reach/hop.js';
import { codeForwarders } from './forwards/code.js';
import { namedForwarders } from './forwards/named.js';
import { proxies } from './forwards/proxies.js';
import { tunnels } from './forwards/tunnels.js';
import { familyOf } from './ledger/family.js';

const rows = [...proxies, ...tunnels, namedForwarders];

/** In a program, strings may be anything: what counts is its own code. */
const rowsFor = (path: string) => (familyOf(path) === 'code' ? [codeForwarders] : rows);

/** The forwards that a text sets up, in their order; time is linear in its length. Comments set up none. */
export function forwardsIn(text: string, path = ''): readonly WrittenHop[] {
  const lines = withStringLines(text);
  const likely = rowsFor(path).filter((row) => row.applies.test(lines));
  if (likely.length === 0) return [];
  const bare = withoutComments(text);
  const found = likely.flatMap((row) => (row.applies.test(bare) ? row.find(bare) : []));
  return found.sort((a, b) => a.at.start - b.at.start);
}

/** Whether it is a text with words of a forwarder: a cheap test before its comments are left out. */
export function mayForward(text: string, path = ''): boolean {
  return rowsFor(path).some(({ applies }) => applies.test(text));
}

/** A line of a comment, in the syntaxes of shells, nginx, INI files, C, SQL and XML. */
const commentLine = /^[ \t]*(?:#|\/\/|;|<!--|\/\*|REM\b).*$/gm;
const trailing = /[ \t]#[ \t].*$/gm;
/** A comment of several lines begins a line: `/*` elsewhere is a pattern of paths. */
const block = /^[ \t]*(?:\/\*|<!--)/gm;

/** Blanks replace comments and continued line ends, and line ends replace those of strings, so that offsets stay. */
function withoutComments(text: string): string {
  const bare = withoutLines(withoutBlocks(text));
  const lines = withStringLines(bare);
  return (lines === bare ? bare : withoutLines(lines)).replace(/\\\r?\n/g, blank);
}

/** The text with line ends and blanks for each `\n` and `\t` of a string, as JSON and programs hold files. */
function withStringLines(text: string): string {
  return text.includes('\\n') ? text.replaceAll('\\n', ' \n').replaceAll('\\t', '  ') : text;
}

function withoutLines(text: string): string {
  return text.replace(commentLine, blank).replace(trailing, blank);
}

function withoutBlocks(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: start, index } of text.matchAll(block)) {
    if (index < from) continue;
    const mark = start.endsWith('*') ? '*/' : '-->';
    const end = text.indexOf(mark, index + start.length);
    if (end < 0) break;
    kept.push(text.slice(from, index), text.slice(index, end + mark.length).replace(/.+/g, blank));
    from = end + mark.length;
  }
  return [...kept, text.slice(from)].join('');
}

function blank(part: string): string {
  return ' '.repeat(part.length);
}
