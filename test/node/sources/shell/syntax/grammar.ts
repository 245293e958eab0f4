/** Which scripts bash and the reader parse. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readUnit } from '../../../../../src/node/sources/shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../../../../../src/node/sources/shell/syntax/cursor.js';
import { Lost, Steps } from '../../../../../src/node/sources/text/steps.js';

/** How many scripts both, only one, or none of them parse, and what they differ in. */
export interface Comparison {
  readonly both: number;
  readonly none: number;
  /** Scripts of more steps than are taken: all of them undetermined. */
  readonly tooLong: number;
  readonly onlyBash: readonly string[];
  readonly onlyWe: readonly string[];
}

// Only a here-document without an end is a warning.
const driver = `
parses() {
  local said
  said=$(LC_ALL=C.UTF-8 bash "$@" 2>&1 </dev/null) || return 1
  while IFS= read -r line; do
    case $line in '' | *': warning: '*) ;; *) return 1 ;; esac
  done <<< "$said"
}
while IFS= read -r -d '' file; do
  if parses -n "$file" || parses -O extglob -n "$file"; then echo yes; else echo no; fi
done
`;

/** For each file whether bash parses it, as it is or with extglob. */
function parsedByBash(files: readonly string[]): boolean[] {
  const input = files.map((file) => `${file}\0`).join('');
  const output = execFileSync('bash', ['-c', driver], { encoding: 'utf8', input, maxBuffer: 1 << 26 });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line === 'yes');
}

/** Why the reader does not parse a text; null: it does. */
export function refusal(text: string): string | null {
  const cursor = cursorAt(text, new Steps());
  try {
    while (readUnit(cursor) !== null);
    return null;
  } catch (error) {
    if (error instanceof Lost) return tooLong;
    if (!(error instanceof SyntaxFault)) throw error;
    return `line ${text.slice(0, error.at).split('\n').length}: ${error.message}`;
  }
}

const tooLong = 'too long';

/** Compares bash with the reader. */
export function compare(files: readonly string[]): Comparison {
  const counts = { both: 0, none: 0, tooLong: 0, onlyBash: [] as string[], onlyWe: [] as string[] };
  for (const [at, parsed] of parsedByBash(files).entries()) {
    const file = files[at] as string;
    const reason = refusal(readFileSync(file, 'utf8'));
    if (reason === tooLong) counts.tooLong += 1;
    else if (parsed && reason === null) counts.both += 1;
    else if (parsed) counts.onlyBash.push(`${file}: ${reason}`);
    else if (reason === null) counts.onlyWe.push(file);
    else counts.none += 1;
  }
  return counts;
}

const maxSize = 1 << 18;

/** The files below some folders that bash reads: by their first line, their name or their folder. */
export function shellFiles(folders: readonly string[], extensions: RegExp, limit: number): string[] {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (found.size < limit && entry.isFile() && isShell(path, extensions)) found.set(path, path);
    }
  return [...found.keys()].sort();
}

function isShell(path: string, extensions: RegExp): boolean {
  try {
    const { size, mode } = statSync(path);
    if (size === 0 || size > maxSize) return false;
    if (extensions.test(path)) return true;
    return (mode & 0o111) !== 0 && /^#! ?\S*(?:\/| )(?:ba|da)?sh\b/.test(firstLine(path));
  } catch {
    return false;
  }
}

function firstLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(64);
    return bytes.toString('latin1', 0, readSync(file, bytes)).split('\n')[0] ?? '';
  } finally {
    closeSync(file);
  }
}
