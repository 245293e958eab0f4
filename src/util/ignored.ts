/** Files that patterns leave out, with the rules of `.gitignore`. */
import ignoreFiles, { type Ignore } from 'ignore';

/** Folders that no search enters. */
export const unsearched: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** The patterns of one folder. */
export interface Patterns {
  /** Absolute. */
  readonly folder: string;
  readonly patterns: readonly string[];
}

/** Whether the path is left out: the last pattern that matches it or a folder above it decides. */
export type Ignores = (path: string, isFolder: boolean) => boolean;

/** `given` from the outermost folder to the innermost. Paths are absolute; those outside a folder match none of its patterns. */
export function ignoring(given: readonly Patterns[]): Ignores {
  const sets = given.map(({ folder, patterns }): readonly [string, Ignore] => [
    `${folder}/`.replace('//', '/'),
    ignoreFiles({ ignorecase: false }).add(patterns.filter(isBounded).map(withClasses)),
  ]);
  return (path, isFolder) => {
    for (const [folder, patterns] of sets.toReversed()) {
      if (!path.startsWith(folder) || path === folder) continue;
      const { ignored, unignored } = patterns.test(`${path.slice(folder.length)}${isFolder ? '/' : ''}`);
      if (ignored || unignored) return ignored;
    }
    return false;
  };
}

/** A match takes time that grows with a power of the stars between two slashes: a pattern with many is ignored. */
function isBounded(pattern: string): boolean {
  const names = pattern.replace(/(?:\*\*\/)+/g, '**/').split('/');
  return (
    names.every((name) => name.split(/\*+/).length <= 4) && names.filter((one) => one === '**').length < 4
  );
}

const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
  space: ' \\t',
};

function withClasses(pattern: string): string {
  return pattern.replace(/\[:(\w+):\]/g, (all, name: string) => classes[name] ?? all);
}
