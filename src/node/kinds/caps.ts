/** Limits on the work that requests make a node do. */
import type { Dialect } from '../dialect/dialect.js';
import type { FlagType } from './flags.js';

export interface Cap {
  readonly flag: string;
  /** `the gas of a call` */
  readonly limits: string;
  /** The interfaces whose requests it limits. */
  readonly on: readonly ('http' | 'ws')[];
  /** The effect of 0. */
  readonly zero: 'unlimited' | 'other';
  /** The node’s own value, where the table of flags has none. */
  readonly usual?: string;
  /** A value to set where the node’s own one is no limit. */
  readonly instead?: string;
}

/** The interfaces of most caps. */
export const both: Cap['on'] = ['http', 'ws'];

const secondsPer = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 } as const;

/** The value of a cap as a number, a duration in seconds, infinite without a limit; null if it is none. */
export function amountOf(dialect: Dialect, type: FlagType, value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (type === 'max' && value === 'max') return Number.POSITIVE_INFINITY;
  if (typeof value !== 'string' || !('value' in dialect.value(type, value))) return null;
  if (type !== 'duration') return Number(value);
  const parts = [...value.matchAll(/([\d.]+)(h|ms|m|us|µs|μs|ns|s)/g)];
  const sum = parts.reduce(
    (all, [, number, unit]) => all + Number(number) * secondsPer[unit as keyof typeof secondsPer],
    0,
  );
  return value.startsWith('-') ? -sum : sum;
}
