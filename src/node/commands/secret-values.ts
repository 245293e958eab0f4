/** Masks secrets in settings, variables and command lines. */
import { isSecretFlag, isSecretName, redact } from '../../util/redact.js';

/** Replaces a secret, whatever its length. */
export const mask = '********';

/** The value of a flag, masked if it is secret. */
export function flagValue<T>(flag: string, value: T): T | string {
  if (value === null || typeof value === 'boolean') return value;
  if (isSecretFlag(`--${flag}`)) return mask;
  return typeof value === 'string' ? redact(value) : value;
}

/** The value of a variable, masked if it is secret; likely secrets in other values are masked too. */
export function variableValue(name: string, value: string | null): string | null {
  if (value === null || value === '') return value;
  return isSecretName(name) ? mask : redact(value);
}

/** A command line with the values of secret flags masked. null: an unknown word. */
export function commandLine(words: readonly (string | null)[]): (string | null)[] {
  return words.map((word, at) => {
    if (word === null) return null;
    const own = /^(--?[^=]+)=/s.exec(word)?.[1];
    if (own !== undefined && isSecretFlag(own)) return `${own}=${mask}`;
    return isSecretFlag(words[at - 1] ?? '') ? mask : redact(word);
  });
}
