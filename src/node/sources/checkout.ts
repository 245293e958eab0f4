/** Which files a checkout of git holds, and what their modes say. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ignoring } from '../../util/ignored.js';
import { nameFrom } from '../../util/name-from.js';
import { textAt } from './file.js';

/** Whether it is a folder in a checkout, by its absolute path; also in one that was unpacked from an archive, without `.git`. */
export function isInCheckout(folder: string): boolean {
  return foldersAbove(folder).some((one) => marks.some((mark) => existsSync(join(one, mark))));
}

/** The root of the checkout of git that a path is in, by its absolute path; null if there is none. */
export function checkoutOf(path: string): string | null {
  return foldersAbove(path).find((one) => existsSync(join(one, '.git'))) ?? null;
}

const marks = ['.git', '.gitignore', '.gitattributes', '.gitmodules', '.github'];

/** The folder, and those above it. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/**
 * Whether it is a file in a checkout that its index names, or that no `.gitignore` excludes; also in one that was unpacked from
 * an archive, whose other marks lie in no home folder.
 */
export function isTracked(path: string): boolean {
  const root = rootOf(path);
  if (root === undefined || dirname(root) === root) return false;
  const name = nameFrom(root, path);
  return isInIndex(join(root, '.git', 'index'), name) || !isIgnored(root, name);
}

/** Returns the root of the checkout of a file, also of one that was unpacked from an archive. */
function rootOf(path: string): string | undefined {
  return checkoutOf(dirname(path)) ?? foldersAbove(dirname(path)).findLast(hasMark);
}

/** Returns what is known of a file in a checkout, for facts; empty for another. */
export function trackedAs(path: string): { readonly isTracked?: true; readonly isPublished?: true } {
  if (!isTracked(path)) return {};
  return isPublished(rootOf(path)) ? { isTracked: true, isPublished: true } : { isTracked: true };
}

const publicHost = /^\s*url\s*=.*[@/](?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[:/]/im;
const licence = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'COPYING'];

function isPublished(root: string | undefined): boolean {
  if (root === undefined) return false;
  const config = join(root, '.git', 'config');
  return licence.some((name) => existsSync(join(root, name))) || publicHost.test(textAt(config, 'latin1'));
}

const hasMark = (folder: string) =>
  folder !== homedir() && marks.some((mark) => existsSync(join(folder, mark)));

/** False where there is no index. The two bytes before a name hold its length (gitformat-index, versions 2 and 3). */
function isInIndex(index: string, name: string): boolean {
  const bytes = Buffer.from(textAt(index, 'latin1'), 'latin1');
  const wanted = Buffer.from(`${name}\0`);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (at >= 2 && (bytes.readUInt16BE(at - 2) & 0xfff) === wanted.length - 1) return true;
  return false;
}

/** A file below an ignored folder is ignored, whatever a line says of it. */
function isIgnored(root: string, name: string): boolean {
  const parts = name.split('/');
  const folders = parts.map((_, depth) => join(root, ...parts.slice(0, depth)));
  const files = [[root, join('.git', 'info', 'exclude')], ...folders.map((folder) => [folder, '.gitignore'])];
  const given = files.flatMap(([folder = '', file = '']) => {
    const text = textAt(join(folder, file));
    return text === '' ? [] : [{ folder, patterns: text.split(/\r?\n/) }];
  });
  const ignores = ignoring(given);
  return parts.some((_, at) => ignores(join(root, ...parts.slice(0, at + 1)), at + 1 < parts.length));
}
