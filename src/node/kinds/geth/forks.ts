/** Forks of which kaiactl knows only the release that they descend from: params/version.go and logs of their repositories. */
import type { ReleaseRange } from '../../facts/release.js';
import type { Flavour } from './flavours.js';
import { compare } from './releases.js';

interface Fork {
  readonly name: string;
  readonly image: RegExp;
  /** From this version on, it is based on this release; those between two rows on one of both. Empty: not known. */
  readonly bases: readonly (readonly [version: string, base: string])[];
}

/** By the product that they descend from. */
const forks: Readonly<Record<string, readonly Fork[]>> = {
  geth: [
    { name: 'l2geth', image: /(?:^|\/)l2geth$/, bases: [['v0.0.0', 'v1.9.10']] },
    {
      name: 'celo-blockchain',
      image: /(?:^|\/)celo-org\/(?:geth|celo-node)$/,
      bases: [
        ['v1.1.0', 'v1.9.10'],
        ['v1.4.0', 'v1.9.19'],
        ['v1.5.0', 'v1.9.25'],
        ['v1.6.0', 'v1.10.9'],
      ],
    },
    {
      name: 'quorum',
      image: /(?:^|\/)(?:quorumengineering|consensys)\/quorum$|(?:^|\/)quorum$/,
      bases: [
        ['v2.0.0', 'v1.7.2'],
        ['v2.2.0', 'v1.8.12'],
        ['v2.5.0', 'v1.8.18'],
        ['v2.7.0', 'v1.9.7'],
        ['v21.4.0', 'v1.9.20'],
        ['v22.1.0', 'v1.10.3'],
      ],
    },
  ],
  'op-geth': [{ name: 'op-bnb', image: /(?:^|\/)bnb-chain\/op-geth$/, bases: [] }],
};

/** The releases that a fork of this image descends from; null: the image is of no such fork. */
export function baseOfImage(
  { id: product, releases }: Flavour,
  name: string,
  tag: string,
): ReleaseRange | null {
  const fork = forks[product]?.find(({ image }) => image.test(name));
  const [oldest, newest] = [releases[0], releases.at(-1)];
  if (fork === undefined || oldest === undefined || newest === undefined) return null;
  if (fork.bases.length === 0) return { value: null, since: oldest.id, until: newest.id, fork: fork.name };
  const [, major, minor = '0', patch = '0'] = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?/.exec(tag) ?? [];
  const version = major === undefined ? null : `v${[major, minor, patch].map(Number).join('.')}`;
  const [since, until] = basesOf(fork, version);
  return { value: null, since: `${product}/${since}`, until: `${product}/${until}`, fork: fork.name };
}

function basesOf({ bases }: Fork, version: string | null): readonly [string, string] {
  const [first, last] = [bases[0]?.[1] ?? '', bases.at(-1)?.[1] ?? ''];
  if (version === null) return [first, last];
  const at = bases.findLastIndex(([from]) => compare(from, version) <= 0);
  const since = bases[at]?.[1] ?? first;
  const isOfRow = bases[at]?.[0].replace(/\.\d+$/, '') === version.replace(/\.\d+$/, '');
  return [since, isOfRow ? since : (bases[at + 1]?.[1] ?? since)];
}
