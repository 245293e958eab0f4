/** Poseidon of two field elements (BN254, t = 3, 8 full and 57 partial rounds), as Semaphore's groups use it. */
import { Group } from '@semaphore-protocol/group';
// @ts-expect-error: the package keeps its constants to itself, without types; they are checked below.
import constants2 from '../../../node_modules/poseidon-lite/constants/2.js';

export type Hash = (left: bigint, right: bigint) => bigint;

/** The round constants, three a round, and the mixing matrix. */
export interface Constants {
  readonly C: readonly bigint[];
  readonly M: readonly (readonly bigint[])[];
}

/**
 * The hash for these constants. A partial round raises only the first element x, so the other two, u and v, stay
 * linear in what was raised: by Cayley and Hamilton x obeys a recurrence over the last three rounds, which needs
 * one reduction a round instead of three. Free of everything outside itself, so that a thread can be given its text.
 */
export function recurrence({ C, M }: Constants): Hash {
  const p = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  const [before, partial] = [4, 57];
  const mod = (value: bigint): bigint => ((value % p) + p) % p;
  const pow5 = (value: bigint): bigint => {
    const square = (value * value) % p;
    return (((square * square) % p) * value) % p;
  };
  const inverse = (value: bigint): bigint => {
    let [power, base] = [1n, mod(value)];
    for (let rest = p - 2n; rest > 0n; rest >>= 1n, base = (base * base) % p)
      if (rest & 1n) power = (power * base) % p;
    return power;
  };
  const constant = (round: number, element: number): bigint => C[round * 3 + element] as bigint;
  const entry = (row: number, column: number): bigint => M[row]?.[column] as bigint;
  const [m, mu, mv] = [entry(0, 0), entry(0, 1), entry(0, 2)];
  const [um, uu, uv] = [entry(1, 0), entry(1, 1), entry(1, 2)];
  const [vm, vu, vv] = [entry(2, 0), entry(2, 1), entry(2, 2)];
  // x of the next round is m·s + y with s = x⁵ and y = mu·u + mv·v; of the one after it holds y² = nu·u + nv·v + ….
  const [nu, nv] = [mod(mu * uu + mv * vu), mod(mu * uv + mv * vv)];
  const trace = uu + vv;
  const determinant = mod(uu * vv - uv * vu);
  const own = mu * um + mv * vm;
  const k1 = mod(trace);
  const k2 = mod(-determinant);
  const k3 = mod(own - trace * m);
  const k4 = mod(nu * um + nv * vm - trace * own + determinant * m);
  const added = Array.from({ length: partial + 1 }, (_, at) => {
    const round = before + at;
    if (at < 3) return 0n;
    const first = constant(round, 0) - trace * constant(round - 1, 0) + determinant * constant(round - 2, 0);
    const last = mu * constant(round - 1, 1) + mv * constant(round - 1, 2);
    return mod(
      first + last + (nu - trace * mu) * constant(round - 2, 1) + (nv - trace * mv) * constant(round - 2, 2),
    );
  });
  const back = inverse(mu * nv - mv * nu);

  return (left, right) => {
    let [x, u, v] = [0n, left, right];
    const full = (round: number): void => {
      const a = pow5(x + constant(round, 0));
      const b = pow5(u + constant(round, 1));
      const c = pow5(v + constant(round, 2));
      x = (m * a + mu * b + mv * c) % p;
      u = (um * a + uu * b + uv * c) % p;
      v = (vm * a + vu * b + vv * c) % p;
    };
    /** What a partial round that raised x to s makes of u and v, the next constants added. */
    const rest = (round: number, s: bigint): void => {
      const [a, b] = [u, v];
      u = (um * s + uu * a + uv * b + constant(round + 1, 1)) % p;
      v = (vm * s + vu * a + vv * b + constant(round + 1, 2)) % p;
    };
    const next = (round: number, s: bigint): bigint => (m * s + mu * u + mv * v + constant(round + 1, 0)) % p;
    for (let round = 0; round < before; round++) full(round);
    [x, u, v] = [x + constant(before, 0), u + constant(before, 1), v + constant(before, 2)];
    let s2 = pow5(x);
    let x1 = next(before, s2);
    rest(before, s2);
    let s1 = pow5(x1);
    x = next(before + 1, s1);
    for (let at = 3; at <= partial; at++) {
      const s = pow5(x);
      [x, x1] = [(k1 * x + k2 * x1 + m * s + k3 * s1 + k4 * s2 + (added[at] as bigint)) % p, x];
      [s1, s2] = [s, s1];
    }
    // The last two of x say what u and v were two rounds ago.
    const end = before + partial;
    const y1 = x1 - m * s2 - constant(end - 1, 0);
    const y2 =
      x - m * s1 - constant(end, 0) - own * s2 - mu * constant(end - 1, 1) - mv * constant(end - 1, 2);
    [u, v] = [((nv * y1 - mv * y2) % p) * back, ((mu * y2 - nu * y1) % p) * back];
    rest(end - 2, s2);
    rest(end - 1, s1);
    [x, u, v] = [x - constant(end, 0), u - constant(end, 1), v - constant(end, 2)];
    for (let round = end; round < end + before; round++) full(round);
    return mod(x);
  };
}

/** The constants of the package that the group package hashes with; null when they are not what they were. */
function constants(): Constants | null {
  try {
    // Whoever bundles or loads the file decides which of the two it is.
    const { C, M } = constants2.default ?? constants2;
    const number = (base64: string) => BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`);
    const found = { C: C.map(number), M: M.map((row: string[]) => row.map(number)) };
    const [left, right] = [found.C[0], found.C[1]];
    return recurrence(found)(left, right) === slow(left, right) ? found : null;
  } catch {
    return null;
  }
}

const slow: Hash = (left, right) => new Group([left, right]).root;

/** The constants the quick hash was checked with, for threads; null: hash with the group package. */
export const checked = constants();

/** Poseidon of two nodes. */
export const hash: Hash = checked === null ? slow : recurrence(checked);
