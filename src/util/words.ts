/** Values and lists as sentences have them. */

/** Words as a sentence lists them: `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The first so many of them, the rest counted: `a, b and 3 more`. */
export function joinFirst(words: readonly string[], most: number): string {
  const rest = words.length - most;
  return joinWords(rest > 0 ? [...words.slice(0, most), `${rest} more`] : words);
}

/** `1 finding`, `2 findings`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Capitalised unless it begins with a name, with a full stop unless it ends with a mark. */
export function sentence(text: string): string {
  const first = /^[a-z]+\b(?![_.=])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A value quoted for a message, cut when it is long. */
export function quoteValue(value: string): string {
  return `"${value.length > 60 ? `${value.slice(0, 59)}…` : value}"`;
}

/** 12345 → 12,345 in every locale; the locale tables of Node take 12 ms to load. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The sentences, where they hold. */
export function sayIf(holds: boolean, ...sentences: readonly string[]): readonly string[] {
  return holds ? sentences : [];
}
