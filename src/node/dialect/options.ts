/** The options among the words of a command, in the syntaxes of Go, clap, picocli, yargs and confutils. */

/** A word as far as it is known: null where another program decides it. */
export type Word = string | null;

export interface Option {
  /** Without dashes. */
  readonly name: string;
  /** It is null if it cannot be known; undefined if it has none. */
  readonly value: string | null | undefined;
  /** Whether it is `--name=value`, false for `--name value`. */
  readonly isJoined: boolean;
}

const optionPattern = /^--?([A-Za-z0-9][\w.-]*)(?:[=:](.*))?$/s;
/** The value of a shell's variable, of a command or of a template. */
const unknown = /\$[\w{(]|`|\{\{|<%/;

/** The words; null for a word without a known beginning. */
export function knownWords(words: readonly Word[]): readonly Word[] {
  return words.map((word) => (word !== null && isUnknown(word) && !optionPattern.test(word) ? null : word));
}

/** The text; null if a variable, a command or a template decides it. */
export function knownText(text: string): string | null {
  return isUnknown(text) ? null : text;
}

function isUnknown(text: string): boolean {
  return unknown.test(text);
}

/** The options among words. A value that follows as a word of its own does not begin with a dash. */
export function optionsOf(words: readonly Word[]): readonly Option[] {
  return words.flatMap((word, index): Option[] => {
    const [, name, joined] = (word === null ? null : optionPattern.exec(word)) ?? [];
    if (name === undefined) return [];
    if (joined !== undefined) return [{ name, value: knownText(joined), isJoined: true }];
    const next = words[index + 1];
    return [{ name, value: next?.startsWith('-') ? undefined : next, isJoined: false }];
  });
}

/** Whether it is an unknown word that can be a sub-command: it follows no option whose value it could be. */
export function hasUnknownCommand(words: readonly Word[]): boolean {
  return words.some((word, index) => word === null && !isOpenOption(words[index - 1]));
}

/** Whether it is an option without a joined value. */
export function isOpenOption(word: Word | undefined): boolean {
  return /^--?[^=]+$/.test(word ?? '');
}

/** The literal words that are no option and do not follow one, which could be their value. */
export function subCommands(words: readonly Word[]): readonly string[] {
  return words.filter(
    (word, index): word is string =>
      word !== null && !word.startsWith('-') && !isOpenOption(words[index - 1]),
  );
}
