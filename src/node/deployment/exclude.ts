/** Patterns of files that a search leaves out, with the rules of .gitignore. */
import { relative, sep } from 'node:path';
import { matches, type Part } from '../../util/wildcard.js';

/** True for a file or folder, by its absolute path, that a pattern excludes. */
export type Excludes = (path: string, isFolder: boolean) => boolean;

/** The patterns of one place. A pattern with a slash before its end is relative to the folder. */
export interface Patterns {
  /** Absolute. */
  readonly folder: string;
  readonly patterns: readonly string[];
}

interface Rule {
  /** Of the names on a path. */
  readonly names: readonly Part<string>[];
  readonly folder: string;
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
}

/**
 * The last pattern that matches decides; nothing below an excluded folder is searched. A match takes time proportional to
 * path × pattern.
 */
export function excluding(given: readonly Patterns[]): Excludes {
  const rules = given.flatMap(({ folder, patterns }) =>
    patterns.map((pattern): Rule => {
      const text = pattern.replace(/^!/, '').replace(/\/$/, '');
      const anchored = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`;
      const foldersOnly = pattern.endsWith('/');
      return { names: namesOf(anchored), folder, excludes: !pattern.startsWith('!'), foldersOnly };
    }),
  );
  return (path, isFolder) => {
    const last = rules.findLast(({ names, folder, foldersOnly }) => {
      const below = relative(folder, path).split(sep);
      return (isFolder || !foldersOnly) && !['', '..'].includes(below[0] ?? '') && matches(names, below);
    });
    return last?.excludes === true;
  };
}

/** `**` is any number of names; at the end of a pattern at least one. */
function namesOf(pattern: string): Part<string>[] {
  const texts = pattern.split('/');
  const names = texts.map((text): Part<string> => {
    const name = nameOf(text);
    return text === '**' ? '*' : (one) => matches(name, [...one]);
  });
  return texts.at(-1) === '**' ? [...names, () => true] : names;
}

/** A name with `*`, `?`, `[a-z]` and escaped characters. */
function nameOf(text: string): Part<string>[] {
  return [...text.matchAll(part)].map(({ 0: all, groups: { escaped, class: members } = {} }) => {
    if (members !== undefined) return classOf(members);
    if (escaped === undefined && (all === '*' || all === '?')) return all === '*' ? '*' : () => true;
    return (char) => char === (escaped ?? all);
  });
}

const part = /\\(?<escaped>.)|(?<class>\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\])|./gsu;

/** A class such as `[!a-z[:digit:]]`. */
function classOf(text: string): (char: string) => boolean {
  const negated = /^\[[!^]/.test(text);
  const members = [...text.slice(negated ? 2 : 1, -1).matchAll(member)];
  const holds = (char: string) =>
    members.some(({ 1: name, 2: from = '', 3: to = from }) =>
      name === undefined ? plain(from) <= char && char <= plain(to) : (named[name]?.test(char) ?? false),
    );
  return (char) => holds(char) !== negated;
}

const member = /\[:(\w+):\]|(\\?.)(?:-(\\?.))?/gsu;

function plain(char: string): string {
  return char.replace(/^\\(?=.)/su, '');
}

const named: Readonly<Record<string, RegExp>> = {
  alnum: /[\dA-Za-z]/,
  alpha: /[A-Za-z]/,
  digit: /\d/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[\dA-Fa-f]/,
};
