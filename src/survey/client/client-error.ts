/** Why a request got no usable answer: one sentence and a hint, with nothing raw from the server in them. */

export interface ClientError {
  /**
   * refused: the server understood and said no; unavailable: it, or what it stands on, cannot decide now; broken:
   * not the protocol; unreachable: no answer at all. Only the first is a verdict.
   */
  readonly kind: 'refused' | 'unavailable' | 'broken' | 'unreachable';
  /** A sentence without its full stop. */
  readonly sentence: string;
  /** What to do: a sentence. */
  readonly hint: string | null;
  /** Whether the server may have acted on the request nevertheless. */
  readonly maybeActed: boolean;
  /** Whether the same request may well succeed a little later. */
  readonly passing: boolean;
  /** When the server wants to be asked again, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** The transaction that was sent all the same, where the server says so. */
  readonly transaction: string | null;
}

/** A value, or why there is none. */
export type Result<T> = { readonly ok: true; readonly value: T } | Failed;
export type Failed = { readonly ok: false; readonly clientError: ClientError };

export function fine<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A failed result; not acted upon and not passing unless it says so. */
export function failed(
  kind: ClientError['kind'],
  sentence: string,
  hint: string | null,
  more: Partial<Pick<ClientError, 'maybeActed' | 'passing' | 'retryAfterMs' | 'transaction'>> = {},
): Failed {
  return {
    ok: false,
    clientError: {
      ...{ kind, sentence, hint, maybeActed: false, passing: false, retryAfterMs: null, transaction: null },
      ...more,
    },
  };
}
