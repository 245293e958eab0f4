/** Signatures by libsecp256k1 as WebAssembly, which takes a sixth of the time of ethers. */
import { keccak256, Signature } from 'ethers/crypto';
import { recover } from 'tiny-secp256k1';

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

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}
