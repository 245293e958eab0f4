/** Why a request got no usable answer: a sentence and a hint, with text of the server sanitized. */
import { visible } from '../../util/visible.js';

export interface ClientError {
  /**
   * refused: the server understood the request and rejected it; unavailable: the server or a service that it needs
   * cannot decide now; broken: the answer violates the protocol; unreachable: no answer. Only `refused` is final.
   */
  readonly kind: 'refused' | 'unavailable' | 'broken' | 'unreachable';
  /** The error’s code, or its name in the contract, if the server sent one. */
  readonly code: string | null;
  /** A sentence without the full stop. */
  readonly sentence: string;
  readonly hint: string | null;
  readonly maybeActed: boolean;
  readonly passing: boolean;
  readonly retryAfterMs: number | null;
  /** Hash of the transaction that the server sent although the request failed, or null. */
  readonly transaction: string | null;
}

export type Result<T> = { readonly ok: true; readonly value: T } | Failed;
export type Failed = { readonly ok: false; readonly clientError: ClientError };

export function fine<T>(value: T): Result<T> {
  return { ok: true, value };
}

const usual = { code: null, maybeActed: false, passing: false, retryAfterMs: null, transaction: null };

/** A failed result. The fields of `more` default to false and null. */
export function makeFailure(
  kind: ClientError['kind'],
  sentence: string,
  hint: string | null,
  more: Partial<Pick<ClientError, 'code' | 'maybeActed' | 'passing' | 'retryAfterMs' | 'transaction'>> = {},
): Failed {
  return { ok: false, clientError: { kind, sentence, hint, ...usual, ...more } };
}

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
