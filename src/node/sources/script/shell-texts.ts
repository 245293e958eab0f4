/** Texts that commands of a script print, read or run in their place. */
import type { FileRole } from '../../facts/settings.js';
import { expandValue } from '../shell/expand.js';
import type { Fields, Shell } from '../shell/state.js';
import type { Redirection } from '../shell/syntax/tree.js';
import { isUnknown, partOf, type Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { type Origins, originOf } from './origin.js';
import { printedBy } from './output.js';
import { namesSecret, pathIn, pathValue } from './paths.js';

/** How the files of the script are read. */
interface Reads {
  /** True in an image, which has a working folder. */
  readonly isImage: boolean;
  readonly read: (path: string, role: FileRole) => Placed | null;
}

export function outputOf(shell: Shell, range: Range, script: Placed, { read }: Reads): Placed | null {
  const here = script.slice(range.start, range.end);
  return printedBy(shell, range, { here, read: (path) => read(path, 'copied') });
}

/** The text of the file after `<`, or of `< <(…)`; null: it is not known. */
export function inputOf(shell: Shell, word: Redirection, script: Placed, reads: Reads): Placed | null {
  if (script.text.startsWith('<(', word.start)) {
    const printed = outputOf(shell, word, script, reads);
    return printed?.joined([printed, '\n']) ?? null;
  }
  const path = pathIn(folderOf(shell, reads), partOf(expandValue(shell, word)));
  return namesSecret(path) ? null : reads.read(path, 'copied');
}

/** The working folder; empty: where the script starts. An image has its own, which relative paths are read from. */
function folderOf(shell: Shell, { isImage }: Reads): string {
  const folder = shell.look('PWD') ?? '';
  const isOwn = isImage && isUnknown(folder) && folder.partly === undefined;
  return isOwn ? '' : partOf(folder);
}

/** The text that `eval`, or `.` with a file or a `<(…)`, runs in the place of the command; null: it is not known. */
export function sourced(
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
