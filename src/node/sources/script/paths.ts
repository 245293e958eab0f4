/** Paths that a script computes: from its own path and the folder it is in. */
import { posix } from 'node:path';
import type { Value } from '../shell/value.js';
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

export function pathValue(path: string): Value {
  return isKnown(path)
    ? path
    : { unknown: 'it depends on the machine that the script runs on', partly: path };
}

/** The path of a file for `Files.read`: absolute, or relative to the file that is read; null if it cannot be known. */
export function fileAt(path: string): string | null {
  if (path.includes(unfilled)) return null;
  if (path.startsWith(ownFolder)) return posix.normalize(`.${path.slice(ownFolder.length)}`);
  return posix.normalize(path);
}

/** Whether this is the path of a file that holds a key, a password or the like, as its name says. */
export function namesSecret(path: string): boolean {
  return /(?:key|secret|pass|pwd|token|jwt|mnemonic|credential)[^/]*$/i.test(path);
}
