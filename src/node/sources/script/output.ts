/** The output of commands that print paths or the text of files, as far as it is known without running them. */

import { assign } from '../shell/assign.js';
import { expandValue } from '../shell/expand.js';
import { expandFields } from '../shell/fields.js';
import { Discard } from '../shell/outcomes.js';
import type { Shell } from '../shell/state.js';
import { readUnit } from '../shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../shell/syntax/cursor.js';
import type { Command, Redirection, SimpleCommand } from '../shell/syntax/tree.js';
import { maxValue, partOf } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { isKnown, type Placed } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';
import { filters, withoutFiles } from './filters.js';
import { baseName, namesSecret, pathIn } from './paths.js';

/** Where commands run. `folder` changes with cd. */
interface At {
  folder: string;
  /** The substitution: text without a place of its own has this one. */
  readonly here: Placed;
  /** The text of a file; null: not known. */
  readonly read: (path: string) => Placed | null;
}

/**
 * The output of `$(…)`, `<(…)` and `…` in backquotes, for commands that print paths, such as
 * `cd "$(dirname "$0")" && pwd`, and for those that print the text of files; null: of other commands.
 */
export function printedBy(shell: Shell, { start, end }: Range, at: Omit<At, 'folder'>): Placed | null {
  const cursor = cursorAt(shell.text.slice(0, end - 1), shell.steps);
  cursor.at = start + (shell.text[start] === '`' ? 1 : 2);
  const { memory } = shell;
  shell.memory = memory.branch();
  try {
    const command = readUnit(cursor);
    if (command === null || readUnit(cursor) !== null) return null;
    const folder = partOf(shell.look('PWD') ?? '');
    const printed = outputOf(shell, command, { ...at, folder }, null);
    if (printed === null || printed.text.length > maxValue) return null;
    shell.steps.take(printed.text.length / 16);
    let length = printed.text.length;
    while (printed.text[length - 1] === '\n') length -= 1;
    return printed.slice(0, length);
  } catch (error) {
    if (error instanceof SyntaxFault || error instanceof Discard) return null;
    throw error;
  } finally {
    shell.memory = memory;
  }
}

/** null: the output cannot be known. */
function outputOf(shell: Shell, command: Command, at: At, input: Placed | null): Placed | null {
  switch (command.type) {
    case 'sequence':
      return allOf(
        command.commands.map((one) => outputOf(shell, one, at, input)),
        at,
      );
    case 'and':
      return allOf(
        [command.left, command.right].map((one) => outputOf(shell, one, at, input)),
        at,
      );
    case 'or':
      return outputOf(shell, command.left, at, input);
    case 'subshell':
      if (!command.piped) return null;
      return command.commands.reduce<Placed | null>(
        (before, one, index) =>
          index > 0 && before === null ? null : outputOf(shell, one, { ...at }, before),
        null,
      );
    case 'simple':
      return ofSimple(shell, command, at, input);
    default:
      return null;
  }
}

function allOf(outputs: readonly (Placed | null)[], { here }: At): Placed | null {
  const known = outputs.filter((one) => one !== null);
  return known.length < outputs.length ? null : here.as('').joined(known);
}

function ofSimple(shell: Shell, command: SimpleCommand, at: At, piped: Placed | null): Placed | null {
  const [name = '', ...words] = expandFields(shell, command.words).values.map(partOf);
  if (shell.memory.isFunction(name)) return null;
  const input = inputOf(shell, command.redirections, at, piped);
  if (name === '' && command.assignments.length > 0)
    shell.rehearse(() => {
      for (const one of command.assignments) assign(shell, one);
    });
  if (name === '') return command.assignments.length > 0 ? at.here.as('') : input;
  const text = printedPath(name, words, at);
  if (text !== null) return at.here.as(text);
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  const given = withoutFiles(name, words);
  if (
    filter === undefined ||
    given === null ||
    words.some((word) => word.includes(unfilled) && name !== 'cat')
  )
    return null;
  const texts = given.files.map((path) => readFile(path, at));
  const from = given.files.length === 0 ? input : allOf(texts, at);
  if (from === null || from.text.length > maxValue) return null;
  shell.steps.take(from.text.length / 4);
  return filter(given.options, from);
}

/** The text of the file after `<`, or what the command before prints. */
function inputOf(shell: Shell, redirections: readonly Redirection[], at: At, piped: Placed | null) {
  const file = redirections.find(({ operator }) => operator === '<');
  return file === undefined ? piped : readFile(partOf(expandValue(shell, file)), at);
}

/** A file of a key or a password is not read. */
function readFile(path: string, { folder, read }: At): Placed | null {
  return namesSecret(path) ? null : read(pathIn(folder, path));
}

/** The output of a command that prints a path or its words; null: another command. */
function printedPath(name: string, words: readonly string[], at: At): string | null {
  if (name === 'echo' && !/^-[neE]+$/.test(words[0] ?? '')) return words.join(' ');
  const path = words.find((word) => !word.startsWith('-'));
  if (name === 'pwd') return at.folder === '' ? null : at.folder;
  if (path === undefined) return null;
  if (name === 'cd') {
    at.folder = pathIn(at.folder, path);
    return '';
  }
  if (name === 'readlink' || name === 'realpath') return pathIn(at.folder, path);
  if (name === 'basename') return words.length === 1 && isKnown(baseName(path)) ? baseName(path) : null;
  return name === 'dirname' ? parentOf(path) : null;
}

function parentOf(path: string): string {
  const isFolder = new RegExp(`^(?:${ownFolder}|.*/[.]{2})$`).test(path);
  return isFolder ? `${path}/..` : path.includes('/') ? path.replace(/\/+[^/]*$/, '') || '/' : '.';
}
