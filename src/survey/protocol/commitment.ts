/** Identity commitments: numbers of the BN254 scalar field, written as decimal strings. */

/** The field's size p; a commitment is at least 1 and below it. */
export const fieldSize = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const largest = String(fieldSize - 1n);

/** A commitment, or why the text is not a commitment (without the text). */
export type Parsed =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly why: string };

/** Parses a commitment, decimal or 0x-hex; blanks around it are ignored. */
export function parseCommitment(text: string): Parsed {
  const word = text.trim();
  if (!/^(?:\d{1,90}|0x[0-9a-f]{1,70})$/i.test(word)) {
    const why = /^(?:\d+|0x[0-9a-f]+)$/i.test(word)
      ? 'it is far larger than the field (2^254)'
      : 'it is not a decimal or 0x-hexadecimal number';
    return { ok: false, why };
  }
  const value = BigInt(word);
  if (value === 0n) return { ok: false, why: 'it is 0, which marks a removed member' };
  if (value >= 1n << 256n) return { ok: false, why: 'it does not fit 256 bits' };
  if (value >= fieldSize)
    return { ok: false, why: 'it is not below the size of the field (LeafGreaterThanSnarkScalarField)' };
  return { ok: true, value };
}

/** Whether the text is a leaf in canonical spelling: decimal, no leading zero, below p. "0" is a removed leaf. */
export function isLeaf(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(?:0|[1-9]\d{0,76})$/.test(text)) return false;
  return text.length < largest.length || text <= largest;
}
