/** A transaction as a row of the store. */
import { type RefusalFacts, Refused } from '../protocol/refused.js';

/** A signed transaction; recorded before it is sent to a node. */
export interface Signed {
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly gas: bigint;
}

export type Entry = { readonly id: string } & (
  | { readonly state: 'queued' }
  | ({ readonly state: 'sent' } & Signed)
  | { readonly state: 'refused'; readonly refused: Refused }
);

export type Columns = [
  id: string,
  state: string,
  nonce: number | null,
  raw: string | null,
  hash: string | null,
  gas: string | null,
];
export const columns = 'id, state, nonce, raw, hash, reason';

export function entry([id, state, nonce, raw, hash, text]: Columns): Entry {
  if (state === 'sent') {
    return { id, state, nonce: nonce ?? 0, raw: raw ?? '', hash: hash ?? '', gas: BigInt(text ?? '0') };
  }
  if (state === 'queued') return { id, state };
  const { code, message, reason, facts } = JSON.parse(text ?? '{}') as Record<string, string> & {
    facts: RefusalFacts;
  };
  return { id, state: 'refused', refused: new Refused(code ?? '', message ?? '', reason ?? '', facts) };
}
