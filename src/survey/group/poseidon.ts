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
 * The hash for these constants. A partial round raises only the first element x. The other two are linear in the x's so
 * far: along the eigenvectors of how a round mixes them, and scaled by its eigenvalues, each round adds a multiple of x
 * to either sum. x is scaled so that what is raised goes in as it is: two reductions a round. Free of everything
 * outside itself, so that a thread can be given its text.
 */
export function quickHash({ C, M }: Constants): Hash {
  const p = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  // Reducing by a modulus whose highest bit is set takes less shifting.
  const p4 = 4n * p;
  const [before, partial] = [4, 57];
  const [end, last] = [before + partial, before + partial + 3];
  const mod = (value: bigint): bigint => ((value % p) + p) % p;
  const pow5 = (value: bigint): bigint => {
    const square = (value * value) % p4;
    return (square * square * value) % p4;
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
  const perM = inverse(m);
  // What a round makes of u and v where the next x is given.
  const [suu, suv, svv] = [uu - um * perM * mu, mod(uv - um * perM * mv), vv - vm * perM * mv];
  const root = 9879409585523587846738933980379821704193638091356850773333939216795970431358n;
  const other = mod(suu + svv - root);
  const [perUV, perDifference] = [inverse(suv), inverse(root - other)];
  /** One of the two sums, of its eigenvalue's vector: by × u + suv × v. */
  const sum = (own: bigint, sign: bigint, others: bigint) => ({
    own,
    perOwn: inverse(own),
    by: mod(own - svv),
    ofX: mod(((own - svv) * um + suv * vm) * perM),
    inX: mod(sign * perDifference * (mu - mv * (others - svv) * perUV)),
  });
  const [g, h] = [sum(root, 1n, other), sum(other, -1n, root)];
  // What the sums lack of constants, and what x and they have been divided by, with its inverse.
  let [lackG, lackH, scale, unscale] = [0n, 0n, 1n, 1n];
  let [scaleG, scaleH, unscaleG, unscaleH] = [1n, 1n, 1n, 1n];
  const rounds = Array.from({ length: partial }, (_, at) => {
    const round = before + at + 1;
    const [x, u, v] = [constant(round, 0), constant(round, 1), constant(round, 2)];
    [scale, unscale] = [mod(m * pow5(scale)), mod(perM * pow5(unscale))];
    const inX = {
      g: mod(g.inX * scaleG * unscale),
      h: mod(h.inX * scaleH * unscale),
      added: mod((g.inX * lackG + h.inX * lackH + x) * unscale),
    };
    lackG = mod(g.own * lackG + g.by * u + suv * v - g.ofX * x);
    lackH = mod(h.own * lackH + h.by * u + suv * v - h.ofX * x);
    [scaleG, scaleH] = [mod(g.own * scaleG), mod(h.own * scaleH)];
    [unscaleG, unscaleH] = [mod(g.perOwn * unscaleG), mod(h.perOwn * unscaleH)];
    return { ...inX, toG: mod(g.ofX * unscaleG * scale), toH: mod(h.ofX * unscaleH * scale) };
  });
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
    let [sumG, sumH] = [(g.by * u + suv * v) % p4, (h.by * u + suv * v) % p4];
    for (const next of rounds) {
      const square = (x * x) % p4;
      x = (square * square * x + next.g * sumG + next.h * sumH + next.added) % p4;
      sumG += next.toG * x;
      sumH += next.toH * x;
    }
    // The full rounds add their constants themselves.
    const [endG, endH] = [(sumG * scaleG + lackG) % p, (sumH * scaleH + lackH) % p];
    x = x * scale - constant(end, 0);
    u = mod((endG - endH) * perDifference);
    v = mod((endG - g.by * u) * perUV) - constant(end, 2);
    u -= constant(end, 1);
    for (let round = end; round < last; round++) full(round);
    const [a, b, c] = [x + constant(last, 0), u + constant(last, 1), v + constant(last, 2)];
    return (m * pow5(a) + mu * pow5(b) + mv * pow5(c)) % p;
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
    return quickHash(found)(left, right) === slow(left, right) ? found : null;
  } catch {
    return null;
  }
}

const slow: Hash = (left, right) => new Group([left, right]).root;

/** The constants the quick hash was checked with, for threads; null: hash with the group package. */
export const checked = constants();

/** Poseidon of two nodes. */
export const hash: Hash = checked === null ? slow : quickHash(checked);
