/** Makes text of a server safe to quote. */
import { visible } from '../../util/visible.js';

/**
 * The text on one line, without control characters. Runs of more than 42 characters are cut to 8, since they could be
 * a signature, a token or a signed transaction; hashes and numbers stay.
 */
export function sanitize(words: string, limit = 200): string {
  const shorter = words.replace(/[\w+/=.-]{43,}/g, (run) =>
    /^(\d+|0x[0-9a-f]{64})$/i.test(run) ? run : `${run.slice(0, 8)}…`,
  );
  return visible(shorter.trim(), limit).replace(/[.\s]+$/, '');
}

/** The text with each secret redacted. Secrets of fewer than 8 characters are ignored: they also occur by chance. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
