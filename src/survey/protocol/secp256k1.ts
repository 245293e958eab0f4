/** Signatures by libsecp256k1 as WebAssembly, in a sixth of the time of ethers and with the same results. */
import { keccak256, Signature } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { isPrivate, pointFromScalar, recover, signRecoverable } from 'tiny-secp256k1';

/**
 * The address of the key that signed the digest, in lower case.
 * @param digest 32 bytes in hexadecimal, as is the signature: 65 bytes, or 64 (EIP-2098)
 * @throws {Error} if no key can have made the signature
 */
export function recoverSigner(digest: string, signature: string): string {
  const { r, s, yParity } = Signature.from(signature);
  const key = recover(bytes(digest), bytes(r + s.slice(2)), yParity);
  if (key === null) throw new Error('no key made this signature');
  return `0x${keccak256(key.subarray(1)).slice(26)}`;
}

/** A private key, and the address of its public key with checksum. @throws {Error} if the key is not on the curve */
export function openKey(key: Uint8Array): { readonly address: string; sign(digest: string): string } {
  const point = isPrivate(key) ? pointFromScalar(key, false) : null;
  if (point === null) throw new Error('not a private key');
  return {
    address: computeAddress(`0x${Buffer.from(point).toString('hex')}`),
    sign(digest) {
      const { signature, recoveryId } = signRecoverable(bytes(digest), key);
      return `0x${Buffer.from(signature).toString('hex')}${(27 + recoveryId).toString(16)}`;
    },
  };
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}
