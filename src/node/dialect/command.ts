/** The sub-command of a program among its words. */

/**
 * The first known word that is neither a flag nor the value of one. `takesValue`: by the name of a flag. Returns null if there is
 * none. A word with a noncharacter is unknown, and may be flags or nothing.
 */
export function commandIn(
  words: readonly string[],
  takesValue: (flag: string) => boolean,
  isValue: (next: string) => boolean = () => true,
): string | null {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const [, flag, value] = /^--?([A-Za-z][\w.-]*)(=.*)?$/s.exec(word) ?? [];
    if (flag === undefined && !/[\uFDD0-\uFDEF]/.test(word)) return word;
    if (flag !== undefined && value === undefined && takesValue(flag) && isValue(words[at + 1] ?? ''))
      at += 1;
  }
  return null;
}
