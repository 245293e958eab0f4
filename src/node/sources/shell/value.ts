/** Values of variables, known and unknown. */

/** A value that cannot be known without running something; says why. */
export interface Unknown {
  readonly unknown: string;
}

export type Value = string | Unknown;

export function isUnknown(value: Value | null | undefined): value is Unknown {
  return typeof value === 'object' && value !== null;
}

/** Longest value kept; longer ones (A=$A$A again and again) are unknown. */
export const maxValue = 1 << 16;
