/** The options of `survey join`. */
import type { JoinOptions as Declared } from './options/join.js';

/** Who joins and with what; a line of a batch file may set it for itself. */
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
  /** Only in a line of a batch file: there is no such option. */
  readonly idToken?: string;
};

export type JoinOptions = Declared & JoinerOptions & { readonly survey: string };
