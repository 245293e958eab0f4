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

/** A token of a file: a word, or a mark behind words; `fail`: the file is not of this syntax, or has another language in it. */
export interface Token {
  readonly word?: string | undefined;
  readonly mark?: 'end' | 'open' | 'close' | 'fail' | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Blocks in blocks. */
const maxDepth = 50;

/**
 * The directives of a file; null if it is not of this syntax.
 * @param token - the sticky expression of which it consists
 * @param read - what the groups of a match are, behind the words of a directive
 */
export function parseDirectives(
  text: string,
  token: RegExp,
  read: (groups: Groups, words: readonly Word[]) => Token,
): readonly Directive[] | null {
  const open: { readonly head: Omit<Directive, 'block'>; readonly into: Directive[] }[] = [];
  let into: Directive[] = [];
  let words: Word[] = [];
  let length = 0;
  for (const { 0: written, index: start, groups = {} } of text.matchAll(token)) {
    length += written.length;
    const { word, mark } = read(groups, words);
    if (word !== undefined) words.push({ text: word, start, end: start + written.length });
    if (mark === undefined) continue;
    const [first = { text: '', start }, ...others] = words;
    const head = { name: first.text, words: others, start: first.start };
    if (mark === 'end') into.push({ ...head, block: null });
    else if (mark === 'open') {
      open.push({ head, into });
      into = [];
    } else {
      const outer = open.pop();
      if (outer === undefined || words.length > 0 || mark === 'fail') return null;
      outer.into.push({ ...outer.head, block: into });
      into = outer.into;
    }
    if (open.length > maxDepth) return null;
    words = [];
  }
  return length < text.length || open.length > 0 || words.length > 0 ? null : into;
}

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

/** The directives with a name that matches. */
export function selectNamed(block: readonly Directive[], name: RegExp): readonly Directive[] {
  return block.filter((one) => name.test(one.name));
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
