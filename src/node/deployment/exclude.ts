/** Patterns of files that a search leaves out, with the rules of .gitignore. */
import { relative, sep } from 'node:path';
import type { Minimatch } from 'minimatch';

/** True for a file or folder, by its absolute path, that a pattern excludes. */
export type Excludes = (path: string, isFolder: boolean) => boolean;

/** The patterns of one place. A pattern with a slash before its end is relative to the folder. */
export interface Patterns {
  /** Absolute. */
  readonly folder: string;
  readonly patterns: readonly string[];
}

interface Rule {
  readonly match: Minimatch;
  readonly folder: string;
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
}

/** The last pattern that matches decides; nothing below an excluded folder is searched. */
export async function excluding(given: readonly Patterns[]): Promise<Excludes> {
  if (given.every(({ patterns }) => patterns.length === 0)) return () => false;
  const { Minimatch: Pattern } = await import('minimatch');
  const rules = given.flatMap(({ folder, patterns }) =>
    patterns.map((pattern): Rule => {
      const text = pattern.replace(/^!/, '').replace(/\/$/, '');
      const anchored = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`;
      const match = new Pattern(anchored, { dot: true, nocomment: true, nonegate: true, nobrace: true });
      return { match, folder, excludes: !pattern.startsWith('!'), foldersOnly: pattern.endsWith('/') };
    }),
  );
  return (path, isFolder) => {
    const last = rules.findLast(({ match, folder, foldersOnly }) => {
      const below = relative(folder, path).split(sep).join('/');
      return (isFolder || !foldersOnly) && below !== '' && !below.startsWith('../') && match.match(below);
    });
    return last?.excludes === true;
  };
}
