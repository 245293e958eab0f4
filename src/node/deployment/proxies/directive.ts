/** The syntax trees of the files of proxies: directives with words and blocks. */

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Directive {
  readonly name: string;
  readonly words: readonly Word[];
  readonly start: number;
  /** null: it has none. */
  readonly block: readonly Directive[] | null;
}

/** Blocks in blocks. */
export const maxDepth = 50;

/** The directives with those of their blocks. */
export function flat(block: readonly Directive[]): Directive[] {
  return block.flatMap((one) => [one, ...flat(one.block ?? [])]);
}

/** Matches each of these words; `*` is any ending. */
export function anyOf(words: string): RegExp {
  return new RegExp(`^(?:${words.trim().replaceAll('*', '\\w*').split(/\s+/).join('|')})$`);
}

export function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}
