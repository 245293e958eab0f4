/** Command lines: lists, pipelines, simple commands and redirections. */
import { declaresList, readAssignment, withList } from './assignment-syntax.js';
import { compoundAt, readCompound } from './compound.js';
import {
  type Cursor,
  endsWord,
  nested,
  SyntaxFault,
  sees,
  skipBlanks,
  skipLines,
  skipNewline,
  unexpected,
} from './cursor.js';
import { readRedirection, readRedirections, redirectionAt } from './redirection.js';
import type { AssignmentSyntax, Command, Redirection, SimpleCommand, Word } from './syntax.js';
import { readWord } from './word.js';

/**
 * Reads what bash reads before it runs anything: one list up to its newline. null at the end of the text.
 * @throws {SyntaxFault} where bash would stop reading
 */
export function readUnit(cursor: Cursor): Command | null {
  skipLines(cursor);
  if (cursor.at >= cursor.text.length) return null;
  const list = readList(cursor, false);
  if (cursor.text[cursor.at] === '\n') skipNewline(cursor);
  else if (cursor.at < cursor.text.length) throw unexpected(cursor);
  return list;
}

/** Reads commands up to a ) that is left unread. */
export function readUntilParenthesis(cursor: Cursor): Command[] {
  const commands: Command[] = [];
  skipLines(cursor);
  while (cursor.at < cursor.text.length && !sees(cursor, ')')) {
    commands.push(readList(cursor, true));
    skipLines(cursor);
  }
  return commands;
}

/**
 * Commands separated by ; & and (when `lines`) newlines, up to what cannot be part of them.
 * @throws {SyntaxFault} when there is none
 */
export function readList(cursor: Cursor, lines: boolean): Command {
  const commands: Command[] = [];
  const start = cursor.at;
  for (;;) {
    cursor.steps.take();
    const command = nested(cursor, () => readAndOr(cursor));
    skipBlanks(cursor);
    const separator = cursor.text[cursor.at];
    if (separator === '&') {
      const { start, end } = command;
      commands.push({
        kind: 'subshell',
        background: true,
        piped: false,
        commands: [command],
        start,
        end,
      });
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
    : { kind: 'sequence', commands, start, end: commands.at(-1)?.end ?? cursor.at };
}

const closers = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

/** True where a list must end: the end, a newline, ) or a word that closes what surrounds it. */
function endsList(cursor: Cursor): boolean {
  const char = cursor.text[cursor.at];
  if (char === undefined || char === '\n' || char === ')' || sees(cursor, ';;')) return true;
  return closers.has(reservedAt(cursor));
}

/** The unquoted word at the cursor when it could be a reserved word, else ''. */
export function reservedAt(cursor: Cursor): string {
  const raw = /^(?:[a-z]{2,8}|[{}!]|\[\[)/.exec(cursor.text.slice(cursor.at, cursor.at + 9))?.[0] ?? '';
  return endsWord(cursor.text[cursor.at + raw.length]) ? raw : '';
}

function readAndOr(cursor: Cursor): Command {
  let left = readPipeline(cursor);
  for (;;) {
    skipBlanks(cursor);
    const kind = sees(cursor, '&&') ? 'and' : sees(cursor, '||') ? 'or' : null;
    if (kind === null) return left;
    cursor.at += 2;
    skipLines(cursor);
    const right = readPipeline(cursor);
    left = { kind, left, right, start: left.start, end: right.end };
  }
}

function readPipeline(cursor: Cursor): Command {
  const start = cursor.at;
  const word = reservedAt(cursor);
  if (word === '!') {
    cursor.at += 1;
    skipBlanks(cursor);
    const command = nested(cursor, () => readPipeline(cursor));
    return { kind: 'not', command, start, end: command.end };
  }
  if (word === 'time' || word === 'coproc') {
    throw new SyntaxFault('unsupported-syntax', `the keyword ${word}`, start);
  }
  const first = readCommand(cursor);
  const commands = [first];
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] !== '|' || sees(cursor, '||')) break;
    cursor.at += sees(cursor, '|&') ? 2 : 1;
    skipLines(cursor);
    if (cursor.at >= cursor.text.length) throw unexpected(cursor);
    commands.push(readCommand(cursor));
  }
  if (commands.length === 1) return first;
  return {
    kind: 'subshell',
    background: false,
    piped: true,
    commands,
    start,
    end: commands.at(-1)?.end ?? start,
  };
}

function readCommand(cursor: Cursor): Command {
  const keyword = compoundAt(cursor);
  cursor.steps.take(2);
  if (keyword === null) return readSimple(cursor);
  const start = cursor.at;
  const command = nested(cursor, () => readCompound(cursor, keyword));
  const redirections = readRedirections(cursor);
  if (redirections.length === 0) return command;
  return { kind: 'redirected', command, redirections, start, end: cursor.at };
}

/** A command, or assignments without one. @throws {SyntaxFault} when there is neither */
function readSimple(cursor: Cursor): Command {
  const start = cursor.at;
  const assignments: AssignmentSyntax[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  for (;;) {
    const operator = redirectionAt(cursor);
    const assignment = words.length === 0 && operator === null ? readAssignment(cursor) : null;
    if (operator !== null) redirections.push(readRedirection(cursor, operator));
    else if (assignment !== null) assignments.push(assignment);
    else if (endsWord(cursor.text[cursor.at]) && !processSubstitution(cursor)) break;
    else words.push(readWord(cursor, 'argument'));
    if (sees(cursor, '(') && declaresList(cursor, words)) words.push(withList(cursor, words.pop() as Word));
    const end = cursor.at;
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === '(') return functionOrFault(cursor, words, assignments, start);
    if (endsWord(cursor.text[cursor.at]) && redirectionAt(cursor) === null && !processSubstitution(cursor)) {
      return { kind: 'simple', assignments, words, redirections, start, end } satisfies SimpleCommand;
    }
  }
  throw unexpected(cursor);
}

function processSubstitution(cursor: Cursor): boolean {
  return sees(cursor, '<(') || sees(cursor, '>(');
}

/** `name ()` begins a function; any other ( after a word is an error. */
function functionOrFault(
  cursor: Cursor,
  words: readonly Word[],
  assignments: readonly AssignmentSyntax[],
  start: number,
): Command {
  const [first] = words;
  if (words.length !== 1 || assignments.length > 0 || first === undefined) throw unexpected(cursor);
  const rest = /^\([ \t]*\)/.exec(cursor.text.slice(cursor.at, cursor.at + 200))?.[0];
  if (rest === undefined) throw unexpected(cursor);
  cursor.at += rest.length;
  skipLines(cursor);
  if (compoundAt(cursor) === null) throw unexpected(cursor);
  const body = readCommand(cursor);
  return { kind: 'function', name: cursor.text.slice(first.start, first.end), body, start, end: body.end };
}
