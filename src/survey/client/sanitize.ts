/** Words of a server made fit to be quoted. */
import { visible } from '../../util/visible.js';

/**
 * The words on one line, without what a terminal would act on, and without anything that could be a signature, a
 * token or a signed transaction: long runs are cut to their first characters, addresses, hashes and numbers stay.
 */
export function sanitize(words: string, limit = 200): string {
  const shorter = words.replace(/[\w+/=.-]{43,}/g, (run) =>
    /^(\d+|0x[0-9a-f]{64})$/i.test(run) ? run : `${run.slice(0, 8)}…`,
  );
  return visible(shorter.trim(), limit).replace(/[.\s]+$/, '');
}

/** The text with each secret that occurs in it blotted out; the shorter ones are too common to be found. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
