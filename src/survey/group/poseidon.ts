/** Poseidon of two field elements (BN254), the hash of Semaphore's groups. */
import { poseidon } from '@railgun-community/poseidon-hash-wasm';

export function hash(left: bigint, right: bigint): bigint {
  return poseidon([left, right]);
}
