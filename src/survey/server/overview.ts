/** What `admin show` and its page say of a survey: counts, nothing of a person. */
import { accepted, type HourCount, hourMs } from '../store/join-counts.js';
import type { Policy } from '../store/policies.js';
import type { PaymentState } from './payment-states.js';

interface About {
  readonly survey: string;
  readonly groupId: string;
  readonly members: number;
  readonly closed: boolean;
  readonly policy: Policy;
  /** Payments of the whole store by state. */
  readonly payments: Partial<Record<PaymentState, number>>;
  /** When this was counted, milliseconds since 1970. */
  readonly at: number;
}

export type Overview = ReturnType<typeof overview>;
export type HourJoins = Overview['hours'][number];

export function overview(about: About, counts: readonly HourCount[]) {
  const midnight = Math.floor(about.at / (24 * hourMs)) * 24;
  const joins = counts.filter(({ outcome }) => outcome === accepted);
  const reasons = new Map<string, number>();
  const hours = new Map<number, { joins: number; refused: number }>();
  for (const { hour, outcome, count } of counts) {
    const sum = hours.get(hour) ?? { joins: 0, refused: 0 };
    hours.set(hour, sum);
    if (outcome === accepted) sum.joins += count;
    else {
      sum.refused += count;
      reasons.set(outcome, (reasons.get(outcome) ?? 0) + count);
    }
  }
  const last = joins.at(-1);
  return {
    ...about,
    /** Joins of this day (UTC), and all that were counted. */
    joinsToday: total(joins.filter(({ hour }) => hour >= midnight)),
    joinsCounted: total(joins),
    refusals: Array.from(reasons, ([reason, count]) => ({ reason, count })).toSorted(
      (a, b) => b.count - a.count || a.reason.localeCompare(b.reason, 'en'),
    ),
    /** The hour of the last join; null if none was counted. */
    lastJoin: last === undefined ? null : hourName(last.hour),
    /** Joins of each hour (UTC): `2026-11-23T18Z`. Hours without any are absent. */
    hours: Array.from(hours, ([hour, sum]) => ({ hour: hourName(hour), ...sum })),
  };
}

function total(counts: readonly HourCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** `2026-11-23T18Z`. @param hour since 1970 */
export function hourName(hour: number): string {
  return `${new Date(hour * hourMs).toISOString().slice(0, 13)}Z`;
}
