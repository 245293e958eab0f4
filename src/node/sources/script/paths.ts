/** Paths that a script computes: from its own path, the folder it is in, and the commands that print them. */
import { posix } from 'node:path';
import { expandFields } from '../shell/fields.js';
import type { Shell } from '../shell/state.js';
import { readUnit } from '../shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../shell/syntax/cursor.js';
import type { Command } from '../shell/syntax/tree.js';
import { maxValue, partOf, type Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';

/** A path seen from a folder. In both, `ownFolder` is the folder of the file that is read. */
export function pathIn(folder: string, path: string): string {
  if (path.startsWith('/') || path.startsWith(ownFolder) || path.startsWith(unfilled) || folder === '')
    return path;
  return `${folder}/${path}`;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path as the value of a variable. */
export function pathValue(path: string): Value {
  return isKnown(path)
    ? path
    : { unknown: 'it depends on the machine that the script runs on', partly: path };
}

/** The path of a file for `Files.read`: absolute, or relative to the file that is read; null: it cannot be known. */
export function fileAt(path: string): string | null {
  if (path.includes(unfilled)) return null;
  if (path.startsWith(ownFolder)) return posix.normalize(`.${path.slice(ownFolder.length)}`);
  return posix.normalize(path);
}

/**
 * The output of commands that print paths, such as `cd "$(dirname "$0")" && pwd`, of `cat FILE`, and of
 * `echo $X | tr -d "[:space:]"`, with which launchers strip blanks; null: of other commands.
 * @param read - the text of a file; null: not known
 */
export function printedBy(shell: Shell, { start, end }: Range, read: ReadFile): Value | null {
  const cursor = cursorAt(shell.text.slice(0, end - 1), shell.steps);
  cursor.at = start + (shell.text[start] === '$' ? 2 : 1);
  try {
    const command = readUnit(cursor);
    if (command === null || readUnit(cursor) !== null) return null;
    const printed = outputOf(shell, command, { folder: partOf(shell.look('PWD') ?? ''), read });
    return printed === null || printed.length > maxValue ? null : pathValue(printed);
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}

type ReadFile = (path: string) => string | null;

/** Where commands run. `folder` changes with cd. */
interface At {
  folder: string;
  readonly read: ReadFile;
}

/** null: the output cannot be known. */
function outputOf(shell: Shell, command: Command, at: At): string | null {
  if (command.kind === 'sequence') {
    const outputs = command.commands.map((one) => outputOf(shell, one, at));
    return outputs.includes(null) ? null : outputs.join('');
  }
  if (command.kind === 'and') {
    const outputs = [command.left, command.right].map((one) => outputOf(shell, one, at));
    return outputs.includes(null) ? null : outputs.join('');
  }
  if (command.kind === 'or') return outputOf(shell, command.left, at);
  if (command.kind === 'subshell') return strippedOutput(shell, command, at);
  if (command.kind !== 'simple') return null;
  const [name = '', ...words] = expandFields(shell, command.words).values.map(partOf);
  if (shell.memory.isFunction(name)) return null;
  if (name === 'echo' && !words[0]?.startsWith('-')) return words.join(' ');
  const path = words.find((word) => !word.startsWith('-'));
  if (name === 'pwd') return at.folder === '' ? null : at.folder;
  if (path === undefined) return null;
  if (name === 'cat' && words.length === 1)
    return at.read(pathIn(at.folder, path))?.replace(/\n+$/, '') ?? null;
  if (name === 'cd') {
    at.folder = pathIn(at.folder, path);
    return '';
  }
  if (name === 'readlink' || name === 'realpath') return pathIn(at.folder, path);
  if (name === 'basename') return words.length === 1 && isKnown(baseName(path)) ? baseName(path) : null;
  return name === 'dirname' ? parentOf(path) : null;
}

function strippedOutput(
  shell: Shell,
  { piped, commands }: Command & { kind: 'subshell' },
  at: At,
): string | null {
  const [first, second, ...others] = commands;
  if (!piped || first === undefined || second?.kind !== 'simple' || others.length > 0) return null;
  const [name = '', ...words] = expandFields(shell, second.words).values.map(partOf);
  if (name !== 'tr' || shell.memory.isFunction(name) || words.join(' ') !== '-d [:space:]') return null;
  return outputOf(shell, first, at)?.replaceAll(/\s/g, '') ?? null;
}

function parentOf(path: string): string {
  const isFolder = new RegExp(`^(?:${ownFolder}|.*/[.]{2})$`).test(path);
  return isFolder ? `${path}/..` : path.includes('/') ? path.replace(/\/+[^/]*$/, '') || '/' : '.';
}

/** True for the path of a file that holds a key, a password or the like, as its name says. */
export function namesSecret(path: string): boolean {
  return /(?:key|secret|pass|pwd|token|jwt|mnemonic|credential)[^/]*$/i.test(path);
}
