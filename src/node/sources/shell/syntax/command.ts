/** Parses command lines: lists and pipelines. */
import { compoundAt, opensCompound, readCompound } from './compound.js';
import {
  type Cursor,
  endsWord,
  matchAt,
  nest,
  sees,
  skipBlanks,
  skipLines,
  skipNewline,
  unexpectedToken,
} from './cursor.js';
import { readRedirections, readSimple } from './simple-command.js';
import type { Command, Part } from './tree.js';
import { readWord } from './word.js';

/**
 * Reads one list up to its newline, before which bash runs no part of it. Returns null at the end of the text.
 * @throws {SyntaxFault} where bash would stop reading
 */
export function readUnit(cursor: Cursor): Command | null {
  skipLines(cursor);
  cursor.unit = cursor.at;
  cursor.needsExtglob = false;
  if (cursor.at >= cursor.text.length) return null;
  const list = readPlain(cursor) ?? readList(cursor, false);
  if (cursor.text[cursor.at] === '\n') skipNewline(cursor);
  else if (cursor.at < cursor.text.length) throw unexpectedToken(cursor);
  return list;
}

/** A line that is one NAME=value with a literal value, perhaps before a comment. */
const plain =
  /([A-Za-z_]\w*)=(?:([\w./,-]*)|"([ !#%&()*+,\-./:;<=>?@[\]^_{|~\w]*)")(?=[ \t]*(?:\n|$)|[ \t]+#)/y;

/** Reads a plain line, as most of a conf are, with the steps and places of `readList`. Returns null for other lines. */
function readPlain(cursor: Cursor): Command | null {
  const { text, at: start, steps } = cursor;
  plain.lastIndex = start;
  const [whole, name, bare, quoted] = plain.exec(text) ?? [];
  // If the steps end within the line, `readList` reports the place.
  if (whole === undefined || name === undefined || steps.left < whole.length + 20) return null;
  const value = bare ?? quoted ?? '';
  const from = start + name.length + 1;
  const end = start + whole.length;
  const inQuotes = bare === undefined;
  const ofQuotes = inQuotes ? (value === '' ? 3 : 4) : value === '' ? 0 : 1;
  steps.take(6.25 + ofQuotes + value.length / 64);
  cursor.at = end;
  skipBlanks(cursor);
  const at = inQuotes ? from + 1 : from;
  const runs = value === '' ? [] : [{ text: value, start: at, end: at + value.length }];
  const parts: readonly Part[] =
    inQuotes || value !== '' ? [{ type: 'text', text: value, quoted: inQuotes, runs }] : [];
  const assignment = { name, append: false, items: null, subscript: null, start, end };
  const assignments = [{ ...assignment, value: { parts, start: from, end } }];
  return { type: 'simple', assignments, words: [], redirections: [], start, end };
}

/** Reads commands up to a ), which is left unread. */
export function readUntilParenthesis(cursor: Cursor): Command[] {
  const commands: Command[] = [];
  skipLines(cursor);
  if (cursor.at < cursor.text.length && !sees(cursor, ')')) commands.push(readList(cursor, true));
  skipLines(cursor);
  if (cursor.at < cursor.text.length && !sees(cursor, ')')) throw unexpectedToken(cursor);
  return commands;
}

/**
 * Reads commands separated by ; & and, when `lines` is true, newlines.
 * @throws {SyntaxFault} when there is none
 */
export function readList(cursor: Cursor, lines: boolean): Command {
  const commands: Command[] = [];
  const start = cursor.at;
  for (;;) {
    cursor.steps.take();
    const command = nest(cursor, () => readAndOr(cursor));
    skipBlanks(cursor);
    const separator = cursor.text[cursor.at];
    if (separator === '&') {
      const { start, end } = command;
      commands.push({ type: 'subshell', background: true, piped: false, commands: [command], start, end });
      cursor.at += 1;
    } else {
      commands.push(command);
      if (separator === ';' && !/[;&]/.test(cursor.text[cursor.at + 1] ?? '')) cursor.at += 1;
      else if (separator !== '\n' || !lines) break;
    }
    if (lines) skipLines(cursor);
    else skipBlanks(cursor);
    if (endsList(cursor)) break;
  }
  return commands.length === 1
    ? (commands[0] as Command)
    : { type: 'sequence', commands, start, end: commands.at(-1)?.end ?? cursor.at };
}

const continuations = /(?:\\\n)*/y;

const closers = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

/** Whether a list must end here: at the end of the text, a newline, ) or a closing keyword. */
function endsList(cursor: Cursor): boolean {
  const next = cursor.text.slice(cursor.at, cursor.at + 2);
  return next === '' || /^(?:[\n)]|;[;&])/.test(next) || closers.has(reservedAt(cursor));
}

/** Returns the unquoted word at the cursor if it may be a reserved word, else ''. */
export function reservedAt(cursor: Cursor): string {
  const raw = /^(?:[a-z]{2,8}|[{}!]|\[\[|\]\])/.exec(cursor.text.slice(cursor.at, cursor.at + 9))?.[0] ?? '';
  // With extglob, !( begins a pattern.
  if (raw === '!' && cursor.extglob && sees(cursor, '!(')) return '';
  const continued = matchAt({ ...cursor, at: cursor.at + raw.length }, continuations).length;
  return endsWord(cursor.text[cursor.at + raw.length + continued]) ? raw : '';
}

function readAndOr(cursor: Cursor): Command {
  let left = readPipeline(cursor);
  for (;;) {
    skipBlanks(cursor);
    const type = sees(cursor, '&&') ? 'and' : sees(cursor, '||') ? 'or' : null;
    if (type === null) return left;
    cursor.at += 2;
    skipLines(cursor);
    const right = readPipeline(cursor);
    left = { type, left, right, start: left.start, end: right.end };
  }
}

function readPipeline(cursor: Cursor): Command {
  const start = cursor.at;
  const word = reservedAt(cursor);
  if (word === '!' || word === 'time') {
    cursor.at += word.length;
    if (word === 'time') cursor.at += matchAt(cursor, timeOptions).length;
    skipBlanks(cursor);
    const command = nest(cursor, () => (endsUnit(cursor) ? nothing(cursor) : readPipeline(cursor)));
    return { type: word === '!' ? 'not' : 'timed', command, start, end: command.end };
  }
  const first = readCommand(cursor);
  const commands = [first];
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] !== '|' || sees(cursor, '||')) break;
    cursor.at += sees(cursor, '|&') ? 2 : 1;
    skipLines(cursor);
    if (cursor.at >= cursor.text.length) throw unexpectedToken(cursor);
    commands.push(readCommand(cursor));
  }
  if (commands.length === 1) return first;
  const end = commands.at(-1)?.end ?? start;
  return { type: 'subshell', background: false, piped: true, commands, start, end };
}

const timeOptions = /(?:[ \t]+-p(?=[\s;&|<>()]|$))?(?:[ \t]+--(?=[\s;&|<>()]|$))?/y;

/** Whether `!` or `time` may stand alone. */
function endsUnit({ text, at }: Cursor): boolean {
  return text[at] === undefined || text[at] === '\n' || (text[at] === ';' && text[at + 1] !== ';');
}

function nothing({ at }: Cursor): Command {
  return { type: 'simple', assignments: [], words: [], redirections: [], start: at, end: at };
}

/** Reads `coproc command` and `coproc NAME compound-command`. */
function readCoproc(cursor: Cursor): Command {
  const start = cursor.at;
  cursor.at += 'coproc'.length;
  skipBlanks(cursor);
  const before = cursor.at;
  let name = 'COPROC';
  if (compoundAt(cursor) === null && !endsWord(cursor.text[before])) {
    const word = readWord(cursor, 'argument');
    skipBlanks(cursor);
    if (opensCompound(cursor)) name = cursor.text.slice(word.start, word.end);
    else cursor.at = before;
  }
  const command = readCommand(cursor);
  return { type: 'coproc', name, command, start, end: command.end };
}

export function readCommand(cursor: Cursor): Command {
  const word = reservedAt(cursor);
  if (word === '!') throw unexpectedToken(cursor);
  if (word === 'coproc') return nest(cursor, () => readCoproc(cursor));
  const keyword = compoundAt(cursor);
  cursor.steps.take(2);
  if (keyword === null) return readSimple(cursor);
  const start = cursor.at;
  const command = nest(cursor, () => readCompound(cursor, keyword));
  const redirections = readRedirections(cursor);
  if (redirections.length === 0) return command;
  return { type: 'redirected', command, redirections, start, end: cursor.at };
}
