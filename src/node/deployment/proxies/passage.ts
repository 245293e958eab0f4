/** Who gets through a proxy to the address that it forwards to. */
import type { Reach } from '../../facts/severity.js';
import type { Forward } from '../forwards/row.js';

/** Who gets through a proxy of which everything was read. */
export interface Passage {
  /** Who gets through without a login; null: nobody. */
  readonly open: Reach | null;
  /** Who gets through with a login; null: nobody, or a login lets in no more. */
  readonly withLogin: Reach | null;
}

export const closed: Passage = { open: null, withLogin: null };

/** A forward of a file whose format is read. */
export interface ProxyForward extends Forward {
  /** Why it is not known who gets through, as a clause: "auth_jwt is not understood". */
  readonly passage: Passage | { readonly unread: string };
}

/** Reads a file of one format. null: the text is not of this format as a whole. */
export type ProxyReader = (text: string) => readonly ProxyForward[] | null;
