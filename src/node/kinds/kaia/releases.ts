/**
 * The releases whose flags, variables and modules are known: klaytn/klaytn and kaiachain/kaia, without release candidates.
 * A fact that does not hold in all of them names its period.
 */
import type { Period as AnyPeriod } from '../../facts/release.js';
import { releasesIn } from '../history.js';

/** In the order of the code. Tags repeat between the products: klaytn v1.0.0 is of 2019, kaia v1.0.0 of 2024. */
// biome-ignore format: a table, its lines filled by hand
const ids = [
  'klaytn/v1.5.0', 'klaytn/v1.5.1', 'klaytn/v1.5.2', 'klaytn/v1.5.3', 'klaytn/v1.6.0', 'klaytn/v1.6.1',
  'klaytn/v1.6.2', 'klaytn/v1.6.3', 'klaytn/v1.6.4', 'klaytn/v1.7.0', 'klaytn/v1.7.1', 'klaytn/v1.7.2',
  'klaytn/v1.7.3', 'klaytn/v1.8.0', 'klaytn/v1.8.1', 'klaytn/v1.8.2', 'klaytn/v1.8.3', 'klaytn/v1.8.4',
  'klaytn/v1.9.0', 'klaytn/v1.9.1', 'klaytn/v1.10.0', 'klaytn/v1.10.1', 'klaytn/v1.10.2', 'klaytn/v1.11.0',
  'klaytn/v1.11.1', 'klaytn/v1.12.0', 'klaytn/v1.12.1', 'kaia/v0.8.0', 'kaia/v0.9.0', 'kaia/v0.9.2',
  'kaia/v1.0.0', 'kaia/v1.0.1', 'kaia/v1.0.2', 'kaia/v1.0.3', 'kaia/v2.0.0', 'kaia/v2.0.1', 'kaia/v2.0.2',
  'kaia/v2.0.3', 'kaia/v2.1.0', 'kaia/v2.2.0', 'kaia/v2.2.1',
] as const;
export type ReleaseId = (typeof ids)[number];

/** When a fact holds, both ends included; without an end, up to the first or the last release known. */
export type Period = AnyPeriod<ReleaseId>;

export const releases = releasesIn(
  ids,
  ids.map((id) => {
    const [product = '', tag = ''] = id.split('/');
    return { id, product, tag, base: id };
  }),
);

/** Whether a fact of that period holds at the release. */
export const holdsAt: (release: string, period: Period) => boolean = releases.holds;

/** A value that changes: the one whose period begins last before the release, or with it. */
export function latest<T>(release: string, changes: readonly (readonly [ReleaseId, T])[]): T | undefined {
  return changes.findLast(([since]) => holdsAt(release, { since }))?.[1];
}
