/** Which files a checkout of git holds, and what their modes say. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { type Pattern, wildcard } from '../../util/wildcard.js';

/** True for a folder in a checkout, by its absolute path; also in one that was unpacked from an archive, without `.git`. */
export function isInCheckout(folder: string): boolean {
  return foldersAbove(folder).some((one) => marks.some((mark) => existsSync(join(one, mark))));
}

/** The root of the checkout of git that a path is in, by its absolute path; null: none. */
export function checkoutOf(path: string): string | null {
  return foldersAbove(path).find((one) => existsSync(join(one, '.git'))) ?? null;
}

const marks = ['.git', '.gitignore', '.gitattributes', '.gitmodules', '.github'];

/** The folder, and those above it. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** The mode of a file in a checkout, without the bits that its umask decides: git keeps the executable bit alone. */
export function keptMode(mode: number): number {
  return mode & ~0o026;
}

/**
 * True for a file in a checkout that its index names, or that no `.gitignore` excludes; also in one that was unpacked from
 * an archive, whose other marks lie in no home folder.
 */
export function isTracked(path: string): boolean {
  const above = foldersAbove(dirname(path));
  const root =
    checkoutOf(dirname(path)) ??
    above.findLast((one) => one !== homedir() && marks.some((mark) => existsSync(join(one, mark))));
  if (root === undefined || dirname(root) === root) return false;
  const name = relative(root, path).split(sep).join('/');
  return isInIndex(join(root, '.git', 'index'), name) || !isIgnored(root, name);
}

const maxBytes = 64 << 20;

/** False where there is no index. The two bytes before a name hold its length (gitformat-index, versions 2 and 3). */
function isInIndex(index: string, name: string): boolean {
  if ((statSync(index, { throwIfNoEntry: false })?.size ?? maxBytes) >= maxBytes) return false;
  const bytes = readFileSync(index);
  const wanted = Buffer.from(`${name}\0`);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (at >= 2 && (bytes.readUInt16BE(at - 2) & 0xfff) === wanted.length - 1) return true;
  return false;
}

/** The last line that matches the file, or a folder above it, decides. */
function isIgnored(root: string, name: string): boolean {
  const parts = name.split('/');
  const lines = parts.flatMap((_, depth) => {
    const file = join(root, ...parts.slice(0, depth), '.gitignore');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text.split(/\r?\n/).map((line) => ({ line: line.trim(), below: parts.slice(depth) }));
  });
  const last = lines.findLast(
    ({ line, below }) => line !== '' && !line.startsWith('#') && matches(line, below),
  );
  return last !== undefined && !last.line.startsWith('!');
}

/** A pattern with a slash before its end starts at the folder of its file. */
function matches(line: string, below: readonly string[]): boolean {
  const pattern = line
    .replace(/^!/, '')
    .replace(/\/$/, '')
    .replace(/^\*\*\//, '');
  const names = pattern.includes('/') ? below.map((_, at) => below.slice(0, at + 1).join('/')) : below;
  const chars: Pattern = [...pattern.replace(/^\//, '')].map((char) => ({ char, wild: /[*?]/.test(char) }));
  return names.some((name) => wildcard(chars, name, () => undefined));
}
