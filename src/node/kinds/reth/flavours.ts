/** reth and op-reth, and the programs of forks that are built on either. */
import type { Release } from '../kind.js';

/** The final releases of paradigmxyz/reth. */
const tags = '0.0-8 1.0-5 2.0-2 3.0-12 4.0-8 5.0-1 6.0 7.0 8.0-4 9.0-4 10.0-2 11.0-4'
  .split(' ')
  .flatMap((one) => patches(`v1.${one}`));
const laterTags = '0.0 1.0 2.0 3.0 4.0-1 5.0-1'.split(' ').flatMap((one) => patches(`v2.${one}`));

/** `v1.3.0-12` → v1.3.0 to v1.3.12 */
function patches(range: string): string[] {
  const [, minor = range, last = '0'] = /^(.*\.)0-(\d+)$/.exec(range) ?? [];
  return minor === range
    ? [range]
    : Array.from({ length: Number(last) + 1 }, (_, patch) => `${minor}${patch}`);
}

export interface Flavour {
  readonly id: 'reth' | 'op-reth';
  readonly label: string;
  readonly releases: readonly Release[];
  /** The file names of its own program and of known forks. */
  readonly programs: readonly string[];
  /** The file name of a program, that of an unknown fork too. */
  readonly program: RegExp;
  /** The names of its images and of those of its forks. */
  readonly image: RegExp;
  /** Its own image, without forks. */
  readonly own: RegExp;
  /** Images that start the node by themselves. */
  readonly entrypoint: RegExp;
  /** What web3_clientVersion answers. */
  readonly client: RegExp;
}

function releasesOf(product: string, some: readonly string[]): readonly Release[] {
  return some.map((tag) => ({ id: `${product}/${tag}`, product, tag }));
}

/** A fork of the OP Stack by the first part of its name. */
const ofOptimism = '(?:op|base|unichain|world-chain|xlayer)';

export const rethFlavour: Flavour = {
  id: 'reth',
  label: 'reth node',
  releases: releasesOf('reth', [...tags, ...laterTags]),
  programs: 'reth alpen-reth bera-reth bsc-reth kadena-reth reth-bsc ronin-reth strata-reth'.split(' '),
  program: new RegExp(`^(?!${ofOptimism}-reth)(?:[\\w-]+-)?reth(?:-node|-bsc)?$`),
  image: new RegExp(`(?:^|/)(?!${ofOptimism}-reth|node-reth)(?:[\\w-]+-)?reth(?:-node|-bsc)?(?![\\w-])`),
  own: /(?:^|\/)paradigmxyz\/reth(?![\w-])|(?:^|\/)reth(?![\w-])/,
  entrypoint: /(?:^|\/)(?:paradigmxyz|berachain)\/(?!op-)(?:[\w-]+-)?reth(?![\w-])/,
  client: /^(?!op-|base-)[\w-]*reth\//i,
};

export const opFlavour: Flavour = {
  id: 'op-reth',
  label: 'op-reth node',
  // Later ones are made in another repository.
  releases: releasesOf('op-reth', tags.slice(0, tags.indexOf('v1.11.0'))),
  programs:
    'op-reth base-reth-node base-reth op-rbuilder unichain-reth world-chain xlayer-reth-node odyssey'.split(
      ' ',
    ),
  program: new RegExp(`^${ofOptimism}-reth(?:-node)?$|^(?:op-rbuilder|world-chain|odyssey)$`),
  image: new RegExp(
    `(?:^|/)${ofOptimism}-reth(?:-node)?(?![\\w-])|(?:^|/)(?:op-rbuilder|world-chain|odyssey)(?![\\w-])|(?:^|/)base(?:org)?/node-reth`,
  ),
  own: /(?:^|\/)op-reth(?![\w-])/,
  entrypoint:
    /(?:^|\/)(?:paradigmxyz|images|oplabs|world-foundation)\/op-reth(?![\w-])|(?:^|\/)flashbots\/op-rbuilder(?![\w-])/,
  client: /^(?:op|base)-reth\//i,
};
