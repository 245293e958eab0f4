/** Validates the body of a join. */
import { getAddress } from 'ethers/address';
import { field } from '../../util/json.js';
import { tryOr } from '../../util/try-or.js';
import { fieldSize, parseCommitment } from './commitment.js';
import { Refused, refusedByContract } from './refused.js';
import { type Scheme, schemes } from './wire.js';

/** A validated join. `account` keeps its spelling, since the signed text contains it. */
export interface Join {
  /** Checksummed. */
  readonly survey: string;
  readonly commitment: bigint;
  readonly account: string;
  readonly signature: unknown;
  readonly idToken: unknown;
  readonly nonce: string | undefined;
  readonly scheme: Scheme;
  readonly expiresAt: number | null;
  readonly chainId: number | null;
}

/** @throws {Refused} for an invalid request */
export function readJoin(body: unknown): Join {
  const commitment = readCommitment(field(body, 'commitment'));
  const survey = readSurvey(field(body, 'id'));
  const account = field(body, 'account');
  if (typeof account !== 'string' || !/^0x[0-9a-f]{40}$/i.test(account))
    throw invalid('account', 'it is missing or no address');
  const scheme = field(body, 'scheme') ?? 'destat';
  if (!schemes.some((known) => known === scheme))
    throw invalid('scheme', `it is none of ${schemes.join(', ')}`);
  const nonce = field(body, 'nonce');
  if (nonce !== undefined && typeof nonce !== 'string') throw invalid('nonce', 'it is not a string');
  return {
    survey,
    commitment,
    account,
    nonce,
    scheme: scheme as Scheme,
    signature: field(body, 'signature'),
    idToken: field(body, 'idToken'),
    expiresAt: wholeNumber(body, 'expiresAt'),
    chainId: wholeNumber(body, 'chainId'),
  };
}

/**
 * A survey's address with its checksum. An address in lower or upper case has no checksum.
 * @throws {Refused} if it is missing or not an address, or its checksum is wrong
 */
export function readSurvey(given: unknown): string {
  if (typeof given !== 'string' || given === '') throw invalid('id', 'it is missing');
  if (!/^0x[0-9a-f]{40}$/i.test(given)) throw invalid('id', 'it is not a 0x address of 20 bytes');
  try {
    return getAddress(given);
  } catch {
    throw invalid('id', 'its checksum is wrong: copy it again, or write it in lower case');
  }
}

/** Accepts a decimal or 0x string, with blanks around it, or a number that JSON represents exactly. */
function readCommitment(given: unknown): bigint {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    const why = 'a number this large loses digits in JSON, or is not a whole one: send a string';
    throw invalid('commitment', why);
  }
  if (typeof given !== 'string' && typeof given !== 'number') throw invalid('commitment', 'it is missing');
  const parsed = parseCommitment(String(given));
  if (parsed.ok) return parsed.value;
  const text = String(given);
  // An empty text is 0, as in the original app.
  const value = tryOr(() => (text.length > 90 ? null : BigInt(text)), null);
  if (value === 0n) throw refusedByContract('0x29691be2');
  if (value !== null && value >= fieldSize && value < 1n << 256n) throw refusedByContract('0xc380a82e');
  throw invalid('commitment', parsed.why);
}

function wholeNumber(body: unknown, name: string): number | null {
  const value = field(body, name) ?? null;
  if (value !== null && !(Number.isSafeInteger(value) && Number(value) >= 0))
    throw invalid(name, 'it is not a whole number');
  return value as number | null;
}

function invalid(argument: string, why: string): Refused {
  return new Refused('INVALID_ARGUMENT', `invalid ${argument}`, why, { argument });
}
