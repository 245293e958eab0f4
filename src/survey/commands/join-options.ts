/** The options of `survey join`. */
import type { Scheme } from '../protocol/wire.js';
import type { SessionOptions } from './session.js';

/** Who joins and with what; a line of a batch file may set it for itself. */
export interface JoinerOptions {
  readonly commitment?: string;
  readonly identityFile?: string;
  /** As the web app does, from the account’s signature. */
  readonly deriveCommitment?: boolean;
  readonly signature?: string;
  readonly signatureFile?: string;
  readonly keyFile?: string;
  readonly keystore?: string;
  readonly keystorePasswordFile?: string;
  readonly idTokenFile?: string;
  /** Only in a line of a batch file: there is no such option. */
  readonly idToken?: string;
  readonly userId?: string;
  readonly account?: string;
}

export interface JoinOptions extends SessionOptions, JoinerOptions {
  readonly survey: string;
  readonly scheme: Scheme;
  /** A node to ask the contract, too. */
  readonly rpcUrl?: string;
  readonly chainId?: string;
  /** Seconds since 1970, for a ready eip712 signature. */
  readonly expiresAt?: string;
  /** False with --no-wait. */
  readonly wait: boolean;
  readonly timeout: string;
  readonly pollInterval: string;
  readonly dryRun: boolean;
  readonly format: 'text' | 'json';
  readonly batch?: string;
  readonly journal?: string;
  /** Joins of a batch under way at once. */
  readonly concurrency: string;
  readonly retryRefused: boolean;
  readonly retryUnknown: boolean;
}
