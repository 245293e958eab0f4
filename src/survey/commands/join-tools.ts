/** Options and tools of `survey join`. */
import type { Host } from '../../host.js';
import type { Signer } from '../client/signer.js';
import type { Scheme } from '../protocol/wire.js';
import type { JoinOptions as Declared } from './options/join.js';
import type { Secrets } from './secrets.js';
import type { Session } from './session.js';

/** Options of one joiner, which a line of a batch file may override. */
export type JoinerOptions = Partial<
  Pick<
    Declared,
    | 'commitment'
    | 'identityFile'
    | 'deriveCommitment'
    | 'signature'
    | 'signatureFile'
    | 'keyFile'
    | 'keystore'
    | 'keystorePasswordFile'
    | 'idTokenFile'
    | 'userId'
    | 'account'
  >
> & {
  /** Only in a batch file: there is no option of this name. */
  readonly idToken?: string;
};

export type JoinOptions = Declared & JoinerOptions & { readonly survey: string };

/** Terms that apply to every join of a run. */
export interface Terms {
  /** Checksummed. */
  readonly survey: string;
  readonly scheme: Scheme;
  readonly chainId: number | null;
  /** Seconds since 1970, with a signature made elsewhere; null: an hour from now. */
  readonly expiresAt: number | null;
}

export interface JoinTools {
  readonly host: Host;
  readonly session: Session;
  readonly secrets: Secrets;
  /** Signers by file, since decrypting a keystore takes a second. */
  readonly signers: Map<string, Promise<Signer>>;
}
