/** What the joins of one run share. */
import type { Host } from '../../host.js';
import type { Signer } from '../client/signer.js';
import type { Scheme } from '../protocol/wire.js';
import type { Secrets } from './secrets.js';
import type { Session } from './session.js';

/** What is the same for every join of a run. */
export interface Terms {
  /** Checksummed. */
  readonly survey: string;
  readonly scheme: Scheme;
  readonly chainId: number | null;
  /** Given with a ready signature; otherwise an hour from now. */
  readonly expiresAt: number | null;
}

export interface JoinTools {
  readonly host: Host;
  readonly session: Session;
  readonly secrets: Secrets;
  /** Signers by file: opening a keystore takes a second. */
  readonly signers: Map<string, Promise<Signer>>;
}
