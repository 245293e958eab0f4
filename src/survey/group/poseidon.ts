/** Poseidon of two field elements (BN254, t = 3, 8 full and 57 partial rounds), as Semaphore's groups use it. */
import { Group } from '@semaphore-protocol/group';
// @ts-expect-error: the package keeps its constants to itself, without types; they are checked below.
import constants2 from '../../../node_modules/poseidon-lite/constants/2.js';
import { type Tables, tablesOf } from './poseidon-tables.js';

export type Hash = (left: bigint, right: bigint) => bigint;

/**
 * The hash by these tables. In a partial round x goes in as it is raised, and adds its multiple to two sums: two
 * reductions. Free of everything outside itself, so that a thread can be given its text.
 */
export function quickHash(tables: Tables): Hash {
  const { C, M, p, rounds, byG, byH, suv, endG, endH } = tables;
  // Reducing by a modulus whose highest bit is set takes less shifting.
  const p4 = 4n * p;
  const [before, end, last] = [4, 61, 64];
  const pow5 = (value: bigint): bigint => {
    const square = (value * value) % p4;
    return (square * square * value) % p4;
  };
  const constant = (round: number, element: number): bigint => C[round * 3 + element] as bigint;
  const entry = (row: number, column: number): bigint => M[row]?.[column] as bigint;
  const [m, mu, mv] = [entry(0, 0), entry(0, 1), entry(0, 2)];
  const [um, uu, uv] = [entry(1, 0), entry(1, 1), entry(1, 2)];
  const [vm, vu, vv] = [entry(2, 0), entry(2, 1), entry(2, 2)];
  // The first element is 0 as it comes.
  const first = pow5(constant(0, 0));

  return (left, right) => {
    let [x, u, v] = [0n, left, right];
    const full = (round: number): void => {
      const a = round === 0 ? first : pow5(x + constant(round, 0));
      const b = pow5(u + constant(round, 1));
      const c = pow5(v + constant(round, 2));
      x = (m * a + mu * b + mv * c) % p4;
      u = (um * a + uu * b + uv * c) % p4;
      v = (vm * a + vu * b + vv * c) % p4;
    };
    for (let round = 0; round < before; round++) full(round);
    [x, u, v] = [x + constant(before, 0), u + constant(before, 1), v + constant(before, 2)];
    // Sums of products: short enough to be reduced at the end.
    let [g, h] = [(byG * u + suv * v) % p4, (byH * u + suv * v) % p4];
    for (const next of rounds) {
      const square = (x * x) % p4;
      x = (square * square * x + next.g * g + next.h * h + next.added) % p4;
      g += next.toG * x;
      h += next.toH * x;
    }
    [g, h] = [(g * endG.scale + endG.lack) % p, (h * endH.scale + endH.lack) % p];
    u = ((g - h + p) * tables.perDifference) % p;
    v = ((g - byG * u) * tables.perUV) % p;
    // The full rounds add their constants themselves.
    x = ((x * tables.scale) % p) - constant(end, 0);
    [u, v] = [u - constant(end, 1), v + p - constant(end, 2)];
    for (let round = end; round < last; round++) full(round);
    const [a, b, c] = [x + constant(last, 0), u + constant(last, 1), v + constant(last, 2)];
    return (m * pow5(a) + mu * pow5(b) + mv * pow5(c)) % p;
  };
}

/** From the constants of the package that the group package hashes with; null when they are not what they were. */
function checkedTables(): Tables | null {
  try {
    // Whoever bundles or loads the file decides which of the two it is.
    const { C, M } = constants2.default ?? constants2;
    const number = (base64: string) => BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`);
    const found = tablesOf({ C: C.map(number), M: M.map((row: string[]) => row.map(number)) });
    const [left = 0n, right = 0n] = found.C;
    return quickHash(found)(left, right) === slow(left, right) ? found : null;
  } catch {
    return null;
  }
}

const slow: Hash = (left, right) => new Group([left, right]).root;

/** What the quick hash was checked with, for threads; null: hash with the group package. */
export const checked = checkedTables();

/** Poseidon of two nodes. */
export const hash: Hash = checked === null ? slow : quickHash(checked);
