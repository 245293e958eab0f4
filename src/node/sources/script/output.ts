/** The texts that commands of a script print, read or run in their place, as far as they are known without running them. */

import type { FileRole } from '../../facts/settings.js';
import { assign } from '../shell/assign.js';
import { expandValue } from '../shell/expand.js';
import { expandFields } from '../shell/fields.js';
import { Discard } from '../shell/outcomes.js';
import type { Fields, Shell } from '../shell/state.js';
import { readUnit } from '../shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../shell/syntax/cursor.js';
import type { Command, Redirection, SimpleCommand } from '../shell/syntax/tree.js';
import { isUnknown, maxValue, partOf, type Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';
import { filters, withoutFiles } from './filters.js';
import { type Origins, originOf } from './origin.js';
import { baseName, namesSecret, pathIn, pathValue } from './paths.js';

/** Where commands run. `folder` changes with cd. */
interface At {
  folder: string;
  /** The substitution: text without a place of its own has this one. */
  readonly here: Placed;
  /** The text of a file; null if it is not known. */
  readonly read: (path: string) => Placed | null;
}

/** How the files of the script are read. */
interface Reads {
  /** True in an image, which has a working folder. */
  readonly isImage: boolean;
  readonly read: (path: string, role: FileRole) => Placed | null;
}

/**
 * The output of `$(…)`, `<(…)` and `…` in backquotes, for commands that print paths, such as
 * `cd "$(dirname "$0")" && pwd`, and for those that print the text of files; null for other commands.
 */
export function outputOf(
  shell: Shell,
  { start, end }: Range,
  script: Placed,
  { read }: Reads,
): Placed | null {
  const cursor = cursorAt(shell.text.slice(0, end - 1), shell.steps);
  cursor.at = start + (shell.text[start] === '`' ? 1 : 2);
  const { memory } = shell;
  shell.memory = memory.branch();
  try {
    const command = readUnit(cursor);
    if (command === null || readUnit(cursor) !== null) return null;
    const folder = partOf(shell.look('PWD') ?? '');
    const at = { folder, here: script.slice(start, end), read: (path: string) => read(path, 'copied') };
    const printed = commandOutput(shell, command, at, null);
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

/** Null if the output cannot be known. */
function commandOutput(shell: Shell, command: Command, at: At, input: Placed | null): Placed | null {
  switch (command.type) {
    case 'sequence':
    case 'and': {
      const parts = 'commands' in command ? command.commands : [command.left, command.right];
      const outputs = parts.map((one) => commandOutput(shell, one, at, input));
      return allOf(outputs, at);
    }
    case 'or':
      return commandOutput(shell, command.left, at, input);
    case 'subshell':
      if (!command.piped) return null;
      return command.commands.reduce<Placed | null>(
        (before, one, index) =>
          index > 0 && before === null ? null : commandOutput(shell, one, { ...at }, before),
        null,
      );
    case 'simple':
      return simpleOutput(shell, command, at, input);
    default:
      return null;
  }
}

function allOf(outputs: readonly (Placed | null)[], { here }: At): Placed | null {
  const known = outputs.filter((one) => one !== null);
  return known.length < outputs.length ? null : here.as('').joined(known);
}

function simpleOutput(shell: Shell, command: SimpleCommand, at: At, piped: Placed | null): Placed | null {
  const [name = '', ...words] = expandFields(shell, command.words).values.map(partOf);
  if (shell.memory.isFunction(name)) return null;
  const input = commandInput(shell, command.redirections, at, piped);
  if (name === '' && command.assignments.length > 0)
    shell.rehearse(() => {
      for (const one of command.assignments) assign(shell, one);
    });
  if (name === '') return command.assignments.length > 0 ? at.here.as('') : input;
  const text = printedPath(name, words, at);
  if (text !== null) return at.here.as(text);
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  const given = withoutFiles(name, words);
  const isOpen = name !== 'cat' && words.some((word) => word.includes(unfilled));
  if (filter === undefined || given === null || isOpen) return null;
  const texts = given.files.map((path) => readFile(path, at));
  const from = given.files.length === 0 ? input : allOf(texts, at);
  if (from === null || from.text.length > maxValue) return null;
  shell.steps.take(from.text.length / 4);
  return filter(given.options, from);
}

/** The text of the file after `<`, or what the command before prints. */
function commandInput(shell: Shell, redirections: readonly Redirection[], at: At, piped: Placed | null) {
  const file = redirections.find(({ operator }) => operator === '<');
  return file === undefined ? piped : readFile(partOf(expandValue(shell, file)), at);
}

/** A file of a key or a password is not read. */
function readFile(path: string, { folder, read }: At): Placed | null {
  return namesSecret(path) ? null : read(pathIn(folder, path));
}

/** The output of a command that prints a path or its words; null for another command. */
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

/** The text of the file after `<`, or of `< <(…)`; null if it is not known. */
export function inputOf(shell: Shell, word: Redirection, script: Placed, reads: Reads): Placed | null {
  if (script.text.startsWith('<(', word.start)) {
    const printed = outputOf(shell, word, script, reads);
    return printed?.joined([printed, '\n']) ?? null;
  }
  const path = pathIn(folderOf(shell, reads), partOf(expandValue(shell, word)));
  return namesSecret(path) ? null : reads.read(path, 'copied');
}

/** The working folder; empty for that where the script starts. An image has its own, which relative paths are read from. */
function folderOf(shell: Shell, { isImage }: Reads): string {
  const folder = shell.look('PWD') ?? '';
  const isOwn = isImage && isUnknown(folder) && folder.partly === undefined;
  return isOwn ? '' : partOf(folder);
}

/** The text that `eval`, or `.` with a file or a `<(…)`, runs in the place of the command; null if it is not known. */
export function sourcedText(
  shell: Shell,
  { values, from, exact }: Fields,
  origins: Omit<Origins, 'shell'>,
  reads: Reads,
): { readonly text: Placed; readonly path: Value | null } | null {
  const { script } = origins;
  const [name, path = ''] = values;
  const word = from[1];
  if (word === undefined) return null;
  if (name === 'eval') {
    if (!exact || values.some(isUnknown)) return null;
    const words = from.slice(1).map((one, at) => {
      const value = partOf(values[at + 1] ?? '');
      return originOf(value, one, { ...origins, shell }) ?? script.slice(one.start, one.end).as(value);
    });
    return { text: Placed.join(words, ' '), path: null };
  }
  if (script.text.startsWith('<(', word.start)) {
    const text = outputOf(shell, word, script, reads);
    return text && { text, path: null };
  }
  const at = pathIn(folderOf(shell, reads), partOf(path));
  const text = reads.read(at, 'sourced');
  return text && { text, path: pathValue(at) };
}
