/** What hashing quickly needs to know beforehand, worked out of Poseidon's constants (BN254, t = 3, 8 + 57 rounds). */

/** The round constants, three a round, and the mixing matrix. */
export interface Constants {
  readonly C: readonly bigint[];
  readonly M: readonly (readonly bigint[])[];
}

/** A partial round: what the sums and the constants add to x, and what x then adds to either sum. */
export interface PartialRound {
  readonly g: bigint;
  readonly h: bigint;
  readonly added: bigint;
  readonly toG: bigint;
  readonly toH: bigint;
}

/** From a sum to the element that it stands for: what it is multiplied by, and what it lacks. */
interface Restored {
  readonly scale: bigint;
  readonly lack: bigint;
}

/** Plain data, which a thread can be given. */
export interface Tables extends Constants {
  readonly p: bigint;
  readonly rounds: readonly PartialRound[];
  /** The sums are `by × u + suv × v` at first. */
  readonly byG: bigint;
  readonly byH: bigint;
  readonly suv: bigint;
  readonly perUV: bigint;
  readonly perDifference: bigint;
  /** What x has been divided by in the end. */
  readonly scale: bigint;
  readonly endG: Restored;
  readonly endH: Restored;
}

const p = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** An eigenvalue of the matrix below; tables of other constants would hash wrongly, which whoever uses them checks. */
const root = 9879409585523587846738933980379821704193638091356850773333939216795970431358n;
const [before, partial] = [4, 57];

const mod = (value: bigint): bigint => ((value % p) + p) % p;
const pow5 = (value: bigint): bigint => mod(value ** 5n);

function inverse(value: bigint): bigint {
  let [power, base] = [1n, mod(value)];
  for (let rest = p - 2n; rest > 0n; rest >>= 1n, base = (base * base) % p)
    if (rest & 1n) power = (power * base) % p;
  return power;
}

/**
 * A partial round raises only the first element x. The other two, u and v, are linear in the x's so far: along the
 * eigenvectors of how a round mixes them where x is given, and scaled by its eigenvalues, each round adds a multiple of x
 * to either of two sums, g and h. x is scaled so that what is raised goes in as it is.
 */
export function tablesOf({ C, M }: Constants): Tables {
  const [[m, mu, mv], [um, uu, uv], [vm, , vv]] = M as [Row, Row, Row];
  const perM = inverse(m);
  const [suu, suv, svv] = [uu - um * perM * mu, mod(uv - um * perM * mv), vv - vm * perM * mv];
  const other = mod(suu + svv - root);
  const [perUV, perDifference] = [inverse(suv), inverse(root - other)];
  const sum = (own: bigint, sign: bigint, others: bigint) => ({
    ...{ own, perOwn: inverse(own), by: mod(own - svv) },
    ofX: mod(((own - svv) * um + suv * vm) * perM),
    inX: mod(sign * perDifference * (mu - mv * (others - svv) * perUV)),
    // What it has been divided by, the inverse of that, and what it lacks of constants.
    ...{ scale: 1n, unscale: 1n, lack: 0n },
  });
  const [g, h] = [sum(root, 1n, other), sum(other, -1n, root)];
  let [scale, unscale] = [1n, 1n];
  const rounds = Array.from({ length: partial }, (_, at) => {
    const [x, u, v] = C.slice((before + at + 1) * 3) as unknown as Row;
    [scale, unscale] = [mod(m * pow5(scale)), mod(perM * pow5(unscale))];
    const inX = {
      g: mod(g.inX * g.scale * unscale),
      h: mod(h.inX * h.scale * unscale),
      added: mod((g.inX * g.lack + h.inX * h.lack + x) * unscale),
    };
    for (const one of [g, h]) {
      one.lack = mod(one.own * one.lack + one.by * u + suv * v - one.ofX * x);
      one.scale = mod(one.own * one.scale);
      one.unscale = mod(one.perOwn * one.unscale);
    }
    return { ...inX, toG: mod(g.ofX * g.unscale * scale), toH: mod(h.ofX * h.unscale * scale) };
  });
  const end = ({ scale, lack }: Restored): Restored => ({ scale, lack });
  const vectors = { byG: g.by, byH: h.by, suv, perUV, perDifference };
  return { C, M, p, rounds, ...vectors, scale, endG: end(g), endH: end(h) };
}

type Row = [bigint, bigint, bigint];
