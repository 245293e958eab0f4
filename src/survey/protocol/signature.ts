/** Verifies that the account of a join signed it. */
import { hashMessage, TypedDataEncoder } from 'ethers/hash';
import type { Join } from './join-request.js';
import { destatMessage, joinTypedData, klaytnHash } from './message.js';
import { Refused } from './refused.js';
import { recoverSigner } from './secp256k1.js';

export interface SignatureRules {
  /** Null if the store has no chain. */
  readonly chainId: number | null;
  /** Rejects the original scheme, whose signatures can be replayed for other surveys and commitments. */
  readonly requireTypedData: boolean;
  /** The keys of the account. @throws {Refused} if they cannot be read */
  keyOf(account: string): Promise<AccountKey>;
  /**
   * Whether the account is a contract that accepts the signature (EIP-1271); null if no chain can be asked.
   * @throws {Refused} if the chain does not answer
   */
  readonly contractSigns: ((account: string, digest: string, signature: string) => Promise<boolean>) | null;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Longest validity of a signature: one day, in seconds. */
const maxValidity = 86_400;

/** Kaia's limit of keys in an account. */
const maxSignatures = 10;

/**
 * Checks the signature against the account's keys: 65 bytes with v 0, 1, 27 or 28, or 64 bytes (EIP-2098); a list for an
 * account that needs several.
 * @throws {Refused} if the account did not sign, or the scheme is not accepted
 */
export async function verifySignature(join: Join, userId: string, rules: SignatureRules): Promise<void> {
  const given: readonly unknown[] = Array.isArray(join.signature) ? join.signature : [join.signature];
  if (given.length > maxSignatures) throw refuse(`there are more than ${maxSignatures} of them`);
  const digests = [...digestsOf(join, userId, rules)];
  const byKeys = await keyRefusal(given, digests, () => rules.keyOf(join.account));
  if (byKeys === null) return;
  const [only, ...others] = given;
  if (others.length > 0 || typeof only !== 'string' || !isBytes(only)) throw byKeys;
  if (rules.contractSigns === null) throw isOfKey(only) ? byKeys : refuse(needsChain);
  if (!(await rules.contractSigns(join.account, digests[0] ?? '', only))) throw byKeys;
}

/** Why the account's keys did not make the signatures over one of the digests; null if they did. */
async function keyRefusal(
  given: readonly unknown[],
  digests: readonly string[],
  keyOf: () => Promise<AccountKey>,
): Promise<Refused | null> {
  const signers = new Set<string>();
  let key: AccountKey | null = null;
  for (const digest of digests) {
    for (const one of given) {
      const signer = signerOf(one, digest);
      if (signer instanceof Refused) return signer;
      signers.add(signer);
    }
    key ??= await keyOf();
    if (signsFor(key, signers)) return null;
  }
  return refuse(
    given.length === 1
      ? 'it is not by this account over this message'
      : 'the account’s keys that made them are too few',
  );
}

/**
 * Checks the signature of a plain text (EIP-191) against the account's keys.
 * @throws {Refused} if the account did not sign it
 */
export async function verifyText(
  text: string,
  account: string,
  signature: unknown,
  { keyOf }: Pick<SignatureRules, 'keyOf'>,
): Promise<void> {
  if (!/^0x[0-9a-f]{40}$/i.test(account)) throw refuse('the account is not an address');
  const signer = signerOf(signature, hashMessage(text));
  if (signer instanceof Refused) throw signer;
  if (!signsFor(await keyOf(account), new Set([signer])))
    throw refuse('it is not by this account over this message');
}

/** Possible digests, the most likely first. */
function* digestsOf(join: Join, userId: string, rules: SignatureRules): Generator<string> {
  const { survey, commitment, account } = join;
  if (join.scheme === 'destat') {
    if (rules.requireTypedData) throw refuse('this server requires the scheme eip712');
    const message = destatMessage(userId, account);
    yield hashMessage(message);
    yield klaytnHash(message);
    return;
  }
  const expiresAt = expiry(join, rules);
  const { chainId } = rules;
  if (join.chainId !== chainId) throw refuse('it is for another chain');
  const statement = { survey, commitment, userId, account: account.toLowerCase(), expiresAt, chainId };
  const { domain, types, value } = joinTypedData(statement);
  yield TypedDataEncoder.hash(domain, types, value);
}

function expiry(join: Join, rules: SignatureRules): number {
  const now = rules.now() / 1000;
  if (join.expiresAt === null) throw refuse('it names no expiry');
  if (join.expiresAt < now)
    throw refuse(`it has expired ${Math.ceil(now - join.expiresAt)} s ago by this server’s clock`);
  if (join.expiresAt > now + maxValidity)
    throw refuse(
      `it is valid for longer than a day, ${Math.floor(join.expiresAt - now)} s by this server’s clock`,
    );
  return join.expiresAt;
}

const maxBytes = 8192;
const needsChain =
  'invalid raw signature length; a contract wallet (EIP-1271) needs a server with --rpc-url, which asks the contract';

function isBytes(text: string): boolean {
  return text.length <= 2 + 2 * maxBytes && /^0x([0-9a-f]{2})+$/i.test(text);
}

function isOfKey(signature: string): boolean {
  return /^0x([0-9a-f]{128}|[0-9a-f]{130})$/i.test(signature);
}

/** The signer's address in lower case, or why the signature is none of a key. */
function signerOf(signature: unknown, digest: string): string | Refused {
  if (typeof signature !== 'string') return refuse('it is missing');
  if (!isOfKey(signature)) return refuse('invalid raw signature length');
  try {
    return recoverSigner(digest, signature);
  } catch {
    return refuse('it is not a canonical secp256k1 signature');
  }
}

function refuse(reason: string): Refused {
  return new Refused('INVALID_ARGUMENT', 'the signature was not accepted', reason, { argument: 'signature' });
}

/** Signatures count when the weights of the keys that made them reach the threshold. */
export interface AccountKey {
  readonly threshold: number;
  /** Each as its address in lower case. Empty: the account cannot sign. */
  readonly keys: readonly { readonly address: string; readonly weight: number }[];
}

/** The key of the address itself, as on Ethereum. */
export function ownKey(account: string): AccountKey {
  return { threshold: 1, keys: [{ address: account.toLowerCase(), weight: 1 }] };
}

/** Whether these signers, as addresses in lower case, sign for the account. */
export function signsFor({ threshold, keys }: AccountKey, signers: ReadonlySet<string>): boolean {
  const weight = keys.reduce((sum, key) => (signers.has(key.address) ? sum + key.weight : sum), 0);
  return weight >= threshold;
}
