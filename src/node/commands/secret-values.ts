/** Values of settings, variables and command lines with the secrets among them masked. */
import { findSecrets, redact } from '../../util/redact.js';

/** What stands in place of a secret; says nothing about its length. */
export const mask = '********';

/** True when a flag's or a variable's value is a secret by its name. */
function isSecret(name: string, separator: '--' | ''): boolean {
  return findSecrets(`${separator}${name}=x`).length > 0;
}

/** The value of a flag, masked when it is a secret. */
export function flagValue<T>(flag: string, value: T): T | string {
  if (value === null || typeof value === 'boolean') return value;
  if (isSecret(flag, '--')) return mask;
  return typeof value === 'string' ? redact(value) : value;
}

/** The value of a variable, masked when it is a secret; text in it that looks like one is masked too. */
export function variableValue(name: string, value: string | null): string | null {
  if (value === null || value === '') return value;
  return isSecret(name, '') ? mask : redact(value);
}

/** A command line with the values of secret flags masked. null: a word that cannot be known. */
export function commandLine(words: readonly (string | null)[]): (string | null)[] {
  return words.map((word, at) => {
    if (word === null) return null;
    const before = words[at - 1];
    const own = /^(--?[^=]+=)/.exec(word)?.[1];
    if (own !== undefined && isSecret(own.replace(/^--?|=$/g, ''), '--')) return `${own}${mask}`;
    const follows = typeof before === 'string' && /^--?[^=]+$/.test(before);
    return follows && isSecret(before.replace(/^--?/, ''), '--') ? mask : redact(word);
  });
}
