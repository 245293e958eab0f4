/** The syntax trees of the files of proxies, directives with words and blocks, and the files around them. */
import { oncePer } from '../../../util/once-per.js';
import type { GatedHop } from '../../reach/hop.js';
import type { LineIndex } from '../text/line-index.js';

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The included file with this word; absent for the file that is read. */
  readonly file?: LineIndex;
}

export interface Directive {
  readonly name: string;
  readonly words: readonly Word[];
  readonly start: number;
  /** It is null if it has none. */
  readonly block: readonly Directive[] | null;
}

/** The matches of a sticky expression that a text consists of; null if a part of it is none. */
export function tokensOf(text: string, token: RegExp): readonly RegExpMatchArray[] | null {
  const all = [...text.matchAll(token)];
  return all.reduce((length, [one]) => length + one.length, 0) < text.length ? null : all;
}

/** A word at the place of a match. */
export function wordAt(text: string, { 0: written, index: start = 0 }: RegExpMatchArray): Word {
  return { text, start, end: start + written.length };
}

/** Blocks in blocks. */
export const maxDepth = 50;

/** The directives in its block; none where it has none. */
export function inside({ block }: Pick<Directive, 'block'>): readonly Directive[] {
  return block ?? [];
}

/** The text of its first word; empty where it has none. */
export function argument({ words: [first] }: Pick<Directive, 'words'>): string {
  return first?.text ?? '';
}

/** The directives with those of their blocks. */
export function flat(block: readonly Directive[]): Directive[] {
  return block.flatMap((one) => [one, ...flat(inside(one))]);
}

/** Matches each of these words; `*` is any ending. */
export function anyOf(words: string): RegExp {
  return new RegExp(`^(?:${words.trim().replaceAll('*', '\\w*').split(/\s+/).join('|')})$`);
}

/** The place of a word in its file. */
export function placeOfWord({ start, end, file }: Word) {
  return { at: { start, end }, ...(file === undefined ? {} : { file }) };
}

export function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

/** The directives of a file that others include; null if it is not of this syntax. */
export type Includable = (file: LineIndex) => readonly Directive[] | null;

export function includable(parse: (text: string) => readonly Directive[] | null): Includable {
  const inFile = (file: LineIndex, block: readonly Directive[]): readonly Directive[] =>
    block.map((one) => ({
      ...one,
      words: one.words.map((word) => ({ ...word, file })),
      block: one.block === null ? null : inFile(file, one.block),
    }));
  return oncePer((file: LineIndex) => {
    const all = parse(file.text);
    return all === null ? null : inFile(file, all);
  });
}

/** The files around the file of a proxy. */
export interface FilesAround {
  /** The text of a file by the end of its path; null if it is not beside the file of the proxy. */
  readonly beside: (path: string) => string | null;
  /**
   * The directives of the files that a path or a pattern names, in their order; null if they are not among the files, it is
   * not known which they are, or one is not understood.
   * @param from - the file that a relative path starts from; absent for the file of the proxy
   */
  readonly included: (path: string, parse: Includable, from?: LineIndex) => readonly Directive[] | null;
}

/** A file that stands alone. */
export const noFiles: FilesAround = { beside: () => null, included: () => null };

/** Reads a file of one format. Returns null if the text is not of this format as a whole. */
export type ProxyReader = (text: string, around: FilesAround) => readonly GatedHop[] | null;
