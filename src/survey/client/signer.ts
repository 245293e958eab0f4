/** Signs joins with a private key. No message contains a key. */
import { hashMessage, TypedDataEncoder } from 'ethers/hash';
import { decryptKeystoreJson } from 'ethers/wallet';
import { KaiactlError } from '../../errors.js';
import { tryOr } from '../../util/try-or.js';
import { destatMessage, type JoinStatement, joinTypedData, klaytnHash } from '../protocol/message.js';
import { openKey, recoverSigner } from '../protocol/secp256k1.js';
import type { Scheme } from '../protocol/wire.js';

export type Signer = ReturnType<typeof signerOf>;

/** A signer from 32 bytes in hex, with or without 0x. @throws {KaiactlError} if the text is not a key (exit 2) */
export function keySigner(text: string, where: string): Signer {
  const refuse = (hint: string) => new KaiactlError(`${where} does not hold a private key`, { hint });
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  if (hex === undefined) {
    const isKeystore = text.trim().startsWith('{');
    throw refuse(
      isKeystore ? 'It looks like a keystore: use --keystore.' : 'A key is 64 hexadecimal digits.',
    );
  }
  try {
    return signerOf(hex);
  } catch {
    throw refuse('The number is not a valid secp256k1 key.');
  }
}

/**
 * A signer from an encrypted keystore: version 3, or the first key of Kaia's version 4. The key derivation takes a
 * second or more by design.
 * @throws {KaiactlError} if it cannot be read or the password is wrong (exit 2)
 */
export async function keystoreSigner(text: string, password: string, where: string): Promise<Signer> {
  const v3 = asVersion3(text, where);
  try {
    const { privateKey } = await decryptKeystoreJson(v3, password);
    return signerOf(privateKey.slice(2));
  } catch (error) {
    const wrong = error instanceof Error && /incorrect password/.test(error.message);
    throw new KaiactlError(
      wrong ? `the password does not open ${where}` : `${where} is not a keystore that can be read`,
      {
        hint: wrong ? 'Nothing was sent.' : 'Use version 3 or 4, with scrypt or pbkdf2.',
      },
    );
  }
}

/** Version 4 holds lists of keys, or lists of lists by role. Its address is dropped: it may belong to none of the keys. */
function asVersion3(text: string, where: string): string {
  try {
    const store = JSON.parse(text) as { version?: unknown; id?: unknown; keyring?: unknown[] };
    if (store.version !== 4 || !Array.isArray(store.keyring)) return text;
    const crypto = store.keyring.flat()[0];
    return JSON.stringify({ version: 3, id: store.id, crypto });
  } catch {
    throw new KaiactlError(`${where} is not a keystore: it is not JSON`, {
      hint: 'For a bare key use --key-file.',
    });
  }
}

/** Signatures are 65 bytes as 0x-hex; the address is checksummed. */
function signerOf(hex: string) {
  const key = openKey(Buffer.from(hex, 'hex'));
  return {
    address: key.address,
    /** EIP-191. */
    signText: (text: string) => key.sign(hashMessage(text)),
    sign: (scheme: Scheme, statement: JoinStatement) => key.sign(digestOf(scheme, statement)),
  };
}

function digestOf(scheme: Scheme, statement: JoinStatement): string {
  switch (scheme) {
    case 'destat':
      return hashMessage(destatMessage(statement.userId, statement.account));
    case 'eip712': {
      const { domain, types, value } = joinTypedData(statement);
      return TypedDataEncoder.hash(domain, types, value);
    }
  }
}

/**
 * Who made a signature: the account, the account in the format of old Klaytn wallets (KIP-97), or another key. On Kaia an
 * account can have another key, so only the server can decide about `other`.
 */
export type SignerKind = 'account' | 'klaytn' | 'other';

export function madeBy(signature: string, scheme: Scheme, statement: JoinStatement): SignerKind {
  const isBy = (digest: string) =>
    tryOr(() => recoverSigner(digest, signature) === statement.account.toLowerCase(), false);
  if (isBy(digestOf(scheme, statement))) return 'account';
  const message = destatMessage(statement.userId, statement.account);
  return scheme === 'destat' && isBy(klaytnHash(message)) ? 'klaytn' : 'other';
}
