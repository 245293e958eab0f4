/** The options of `survey members`. */
import type { MembersFormat } from './listing.js';
import type { SessionOptions } from './session.js';

export interface MembersOptions extends SessionOptions {
  readonly survey: string;
  readonly format: MembersFormat;
  readonly contains?: string;
  readonly count: boolean;
  readonly verify: boolean;
  readonly rpcUrl?: string;
  readonly follow: boolean;
  readonly pollInterval: string;
  /** False with --no-root. */
  readonly root: boolean;
}
