/** Values of variables, known and unknown. */

/** A value that cannot be known offline, and why. */
export interface Unknown {
  readonly unknown: string;
}

export type Value = string | Unknown;

export function isUnknown(value: Value | null | undefined): value is Unknown {
  return typeof value === 'object' && value !== null;
}

/** Characters; longer values (from repeated A=$A$A) are unknown. */
export const maxValue = 1 << 16;
