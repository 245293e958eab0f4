/** Poseidon of two field elements (BN254), the hash of Semaphore's groups. */
import { poseidon } from '@railgun-community/poseidon-hash-wasm';
import { Group } from '@semaphore-protocol/group';

type Hash = (left: bigint, right: bigint) => bigint;

/** A group of two members has their hash as its root. */
const reference: Hash = (left, right) => new Group([left, right]).root;
const fast: Hash = (left, right) => poseidon([left, right]);

/** The fast hash where it agrees with Semaphore's own package on a sample, else that package's. */
export const hash: Hash = fast(1n, 2n) === reference(1n, 2n) ? fast : reference;
