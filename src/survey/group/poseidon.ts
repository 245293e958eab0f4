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
 * The hash for these constants. A partial round raises only the first element x, so the other two stay linear in
 * what was raised: by Cayley and Hamilton they are known from w, which obeys a recurrence over two rounds. x and w are
 * scaled so that what is raised goes in as it is: two reductions a round beside that of the square. Free of everything
 * outside itself, so that a thread can be given its text.
 */
export function recurrence({ C, M }: Constants): Hash {
  const p = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  const [before, partial] = [4, 57];
  const [end, last] = [before + partial, before + partial + 3];
  const mod = (value: bigint): bigint => ((value % p) + p) % p;
  const pow5 = (value: bigint): bigint => {
    const square = (value * value) % p;
    return (square * square * value) % p;
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
  const [trace, determinant] = [uu + vv, uu * vv - uv * vu];
  // u = um·w + lu·w1 + cu and v = vm·w + lv·w1 + cv, where w1 is the w of the round before and the next w is
  // x⁵ + trace·w - determinant·w1.
  const [lu, lv] = [mod(uv * vm - vv * um), mod(vu * um - uu * vm)];
  const back = inverse(um * lv - vm * lu);
  let [cu, cv] = [0n, 0n];
  // What x, w and w1 have been divided by, x's with its inverse.
  let [scale, unscale, ofW, ofW1] = [1n, 1n, 1n, 1n];
  const perM = inverse(m);
  const rounds = Array.from({ length: partial }, (_, at) => {
    const round = before + at + 1;
    [scale, unscale] = [mod(m * pow5(scale)), mod(perM * pow5(unscale))];
    const added = mod(mu * cu + mv * cv + constant(round, 0));
    const x = {
      w: mod((mu * um + mv * vm) * ofW * unscale),
      w1: mod((mu * lu + mv * lv) * ofW1 * unscale),
      added: mod(added * unscale),
    };
    // The next w takes x⁵ from the next x, with what was added there: cu and cv take it back.
    const w = {
      w: mod(trace * ofW * unscale * m - x.w),
      w1: mod(-determinant * ofW1 * unscale * m - x.w1),
    };
    [ofW, ofW1] = [mod(scale * perM), ofW];
    [cu, cv] = [
      mod(uu * cu + uv * cv + constant(round, 1) - um * perM * added),
      mod(vu * cu + vv * cv + constant(round, 2) - vm * perM * added),
    ];
    return { x, w };
  });

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
    for (let round = 0; round < before; round++) full(round);
    [x, u, v] = [x + constant(before, 0), u + constant(before, 1), v + constant(before, 2)];
    let w = (((lv * u - lu * v) % p) * back) % p;
    let w1 = (((um * v - vm * u) % p) * back) % p;
    for (const next of rounds) {
      const square = (x * x) % p;
      x = (square * square * x + (next.x.w * w + next.x.w1 * w1 + next.x.added)) % p;
      [w, w1] = [(next.w.w * w + next.w.w1 * w1 + x) % p, w];
    }
    // The full rounds add their constants themselves.
    x = x * scale - constant(end, 0);
    u = ((um * ofW) % p) * w + ((lu * ofW1) % p) * w1 + cu - constant(end, 1);
    v = ((vm * ofW) % p) * w + ((lv * ofW1) % p) * w1 + cv - constant(end, 2);
    for (let round = end; round < last; round++) full(round);
    const [a, b, c] = [x + constant(last, 0), u + constant(last, 1), v + constant(last, 2)];
    return mod(m * pow5(a) + mu * pow5(b) + mv * pow5(c));
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
