/**
 * The releases whose flags, variables and modules are known: klaytn/klaytn and kaiachain/kaia, without release candidates.
 * A fact that does not hold in all of them names its period.
 */
import type { Release } from '../kind.js';

/** In the order of the code. Tags repeat between the products: klaytn v1.0.0 is of 2019, kaia v1.0.0 of 2024. */
const text = `
klaytn/v1.5.0 klaytn/v1.5.1 klaytn/v1.5.2 klaytn/v1.5.3 klaytn/v1.6.0 klaytn/v1.6.1 klaytn/v1.6.2
klaytn/v1.6.3 klaytn/v1.6.4 klaytn/v1.7.0 klaytn/v1.7.1 klaytn/v1.7.2 klaytn/v1.7.3 klaytn/v1.8.0
klaytn/v1.8.1 klaytn/v1.8.2 klaytn/v1.8.3 klaytn/v1.8.4 klaytn/v1.9.0 klaytn/v1.9.1 klaytn/v1.10.0
klaytn/v1.10.1 klaytn/v1.10.2 klaytn/v1.11.0 klaytn/v1.11.1 klaytn/v1.12.0 klaytn/v1.12.1 kaia/v0.8.0
kaia/v0.9.0 kaia/v0.9.2 kaia/v1.0.0 kaia/v1.0.1 kaia/v1.0.2 kaia/v1.0.3 kaia/v2.0.0 kaia/v2.0.1 kaia/v2.0.2
kaia/v2.0.3 kaia/v2.1.0 kaia/v2.2.0 kaia/v2.2.1
` as const;
/** The words of a text, as a type. */
type Words<Text extends string> = Text extends `${infer Line}\n${infer More}`
  ? Words<Line> | Words<More>
  : Text extends `${infer Word} ${infer More}`
    ? Word | Words<More>
    : Exclude<Text, ''>;
export type ReleaseId = Words<typeof text>;
const ids = text.trim().split(/\s/) as ReleaseId[];

/** When a fact holds, both ends included; without an end, up to the first or the last release known. */
export interface Period {
  readonly since?: ReleaseId;
  readonly until?: ReleaseId;
}

export const releases: readonly (Release & { readonly id: ReleaseId })[] = ids.map((id) => {
  const [product = '', tag = ''] = id.split('/');
  return { id, product, tag };
});

const oldest: ReleaseId = 'klaytn/v1.5.0';
export const newest: ReleaseId = 'kaia/v2.2.1';

const position: ReadonlyMap<string, number> = new Map(ids.map((id, at) => [id, at]));

/** The place of a release among `releases`. */
export function positionOf(release: ReleaseId): number {
  return position.get(release) as number;
}

/** True when a fact of that period holds at the release. */
export function holdsAt(release: ReleaseId, period: Period): boolean {
  const { since = oldest, until = newest } = period;
  const at = positionOf(release);
  return positionOf(since) <= at && at <= positionOf(until);
}

/** From the earlier of both starts to the later of both ends. */
export function spanning(one: Period, other: Period): Period {
  const isFirst = holdsAt(other.since ?? oldest, { since: one.since ?? oldest });
  const isLast = holdsAt(other.until ?? newest, { until: one.until ?? newest });
  const [{ since }, { until }] = [isFirst ? one : other, isLast ? one : other];
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
}

/** The releases of both periods; null: there are none. */
export function within(one: Period, other: Period): Period | null {
  const starts = [one.since ?? oldest, other.since ?? oldest].map(positionOf);
  const ends = [one.until ?? newest, other.until ?? newest].map(positionOf);
  return periodOf(ids.slice(Math.max(...starts), Math.min(...ends) + 1));
}

/** From the first to the last of some releases; null: there are none. */
export function periodOf(some: readonly ReleaseId[]): Period | null {
  const [since, until] = [some[0], some.at(-1)];
  if (since === undefined || until === undefined) return null;
  return { ...(since === oldest ? {} : { since }), ...(until === newest ? {} : { until }) };
}

/** A value that changes: the one whose period begins last before the release, or with it. */
export function latest<T>(release: ReleaseId, changes: readonly (readonly [ReleaseId, T])[]): T | undefined {
  return changes.findLast(([since]) => holdsAt(release, { since }))?.[1];
}

function isRelease(id: string): id is ReleaseId {
  return position.has(id);
}

/** @throws {Error} for an id that is not a release's, which is a defect: ids are checked where they come in */
export function releaseNamed(id: string): ReleaseId {
  if (!isRelease(id)) throw new Error(`${id} is not a release of this node`);
  return id;
}
