/** Whether a join was signed by the account it names. */
import { verifyMessage, verifyTypedData } from 'ethers/hash';
import type { Join } from './join-request.js';
import { destatMessage, joinTypedData } from './message.js';
import { Refused } from './refused.js';

/** What the server knows and demands beyond the request. */
export interface SignatureRules {
  /** Null: the store has no chain. */
  readonly chainId: number | null;
  /** The original scheme signs neither survey nor commitment, so its signatures can be replayed elsewhere. */
  readonly requireTypedData: boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The furthest a signature's expiry may lie ahead: one day, in seconds. */
const longestValidity = 86_400;

/**
 * Checks the signature against the account: 65 bytes with v 0, 1, 27 or 28, or 64 bytes (EIP-2098).
 * @throws {Refused} when it is not the account's, or not of an accepted scheme
 */
export function verifySignature(join: Join, userId: string, rules: SignatureRules): void {
  if (join.scheme === 'destat') {
    if (rules.requireTypedData) throw refuse('this server requires the scheme eip712');
    const message = destatMessage(userId, join.account);
    compare(join, (signature) => verifyMessage(message, signature));
    return;
  }
  const expiresAt = expiry(join, rules);
  if (join.chainId !== rules.chainId) throw refuse('it is for another chain');
  const { survey, commitment, account } = join;
  const { chainId } = rules;
  const typed = joinTypedData({
    survey,
    commitment,
    userId,
    account: account.toLowerCase(),
    expiresAt,
    chainId,
  });
  compare(join, (signature) => verifyTypedData(typed.domain, typed.types, typed.value, signature));
}

function expiry(join: Join, rules: SignatureRules): number {
  const now = rules.now() / 1000;
  if (join.expiresAt === null) throw refuse('it names no expiry');
  if (join.expiresAt < now) throw refuse('it has expired');
  if (join.expiresAt > now + longestValidity) throw refuse('it is valid for longer than a day');
  return join.expiresAt;
}

function compare(join: Join, recover: (signature: string) => string): void {
  const signature = join.signature;
  if (typeof signature !== 'string') throw refuse('it is missing');
  if (!/^0x([0-9a-f]{128}|[0-9a-f]{130})$/i.test(signature)) throw refuse('invalid raw signature length');
  let signer: string;
  try {
    signer = recover(signature);
  } catch {
    throw refuse('it is not a canonical secp256k1 signature');
  }
  if (signer.toLowerCase() !== join.account.toLowerCase()) {
    throw refuse('it is not by this account over this message');
  }
}

function refuse(reason: string): Refused {
  return new Refused('INVALID_ARGUMENT', 'the signature was not accepted', reason, { argument: 'signature' });
}
