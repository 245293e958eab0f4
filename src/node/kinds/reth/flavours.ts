/** reth and op-reth, and the programs of forks that are built on either. */
import { type Releases, taggedReleases } from '../history.js';

/** The final releases of paradigmxyz/reth. */
// biome-ignore format: a table, its lines filled by hand
const tags = [
  'v1.0.0', 'v1.0.1', 'v1.0.2', 'v1.0.3', 'v1.0.4', 'v1.0.5', 'v1.0.6', 'v1.0.7', 'v1.0.8', 'v1.1.0',
  'v1.1.1', 'v1.1.2', 'v1.1.3', 'v1.1.4', 'v1.1.5', 'v1.2.0', 'v1.2.1', 'v1.2.2', 'v1.3.0', 'v1.3.1',
  'v1.3.2', 'v1.3.3', 'v1.3.4', 'v1.3.5', 'v1.3.6', 'v1.3.7', 'v1.3.8', 'v1.3.9', 'v1.3.10', 'v1.3.11',
  'v1.3.12', 'v1.4.0', 'v1.4.1', 'v1.4.2', 'v1.4.3', 'v1.4.4', 'v1.4.5', 'v1.4.6', 'v1.4.7', 'v1.4.8',
  'v1.5.0', 'v1.5.1', 'v1.6.0', 'v1.7.0', 'v1.8.0', 'v1.8.1', 'v1.8.2', 'v1.8.3', 'v1.8.4', 'v1.9.0',
  'v1.9.1', 'v1.9.2', 'v1.9.3', 'v1.9.4', 'v1.10.0', 'v1.10.1', 'v1.10.2', 'v1.11.0', 'v1.11.1', 'v1.11.2',
  'v1.11.3', 'v1.11.4', 'v2.0.0', 'v2.1.0', 'v2.2.0', 'v2.3.0', 'v2.4.0', 'v2.4.1', 'v2.5.0', 'v2.5.1',
] as const;
export type Tag = (typeof tags)[number];

export interface Flavour {
  readonly id: 'reth' | 'op-reth';
  readonly releases: Releases<Tag>;
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
  /** Flags that few other programs have. */
  readonly ownFlag: RegExp;
}

/** A fork of the OP Stack by the first part of its name. */
const ofOptimism = '(?:op|base|unichain|world-chain|xlayer)';

// biome-ignore format: a fact a line
export const rethFlavour: Flavour = {
  id: 'reth',
  releases: taggedReleases('reth', tags),
  programs: 'reth alpen-reth bera-reth bsc-reth kadena-reth reth-bsc ronin-reth strata-reth'.split(' '),
  program: new RegExp(`^(?!${ofOptimism}-reth)(?:[\\w-]+-)?reth(?:-node|-bsc)?$`),
  image: new RegExp(`(?:^|/)(?!${ofOptimism}-reth|node-reth)(?:[\\w-]+-)?reth(?:-node|-bsc)?(?![\\w-])`),
  own: /(?:^|\/)paradigmxyz\/reth(?![\w-])|(?:^|\/)reth(?![\w-])/,
  entrypoint: /(?:^|\/)(?:paradigmxyz|berachain)\/(?!op-)(?:[\w-]+-)?reth(?![\w-])/,
  client: /^(?!op-|base-)[\w-]*reth\//i,
  ownFlag: /--(?:auth-ipc(?:\.path)?|disable-auth-server|ipc\.permissions|rpc\.(?:max-(?:connections|tracing-requests|logs-per-response|blocks-per-filter|subscriptions-per-connection|request-size|response-size)|eth-proof-window|forwarder|jwtsecret)|datadir\.static-files|log\.(?:stdout\.\w+|file\.(?:directory|filter|max-size|max-files))|builder\.(?:gaslimit|deadline)|engine\.(?:persistence-threshold|memory-block-buffer-target)|enable-discv5-discovery|disable-dns-discovery|with-unused-ports)/,
};

// biome-ignore format: a fact a line
export const opFlavour: Flavour = {
  id: 'op-reth',
  // Later ones are made in another repository.
  releases: taggedReleases('op-reth', tags.slice(0, tags.indexOf('v1.11.0')), tags),
  programs: 'op-reth base-reth-node base-reth op-rbuilder unichain-reth world-chain xlayer-reth-node odyssey'.split(' '),
  program: new RegExp(`^${ofOptimism}-reth(?:-node)?$|^(?:op-rbuilder|world-chain|odyssey)$`),
  image: new RegExp(`(?:^|/)${ofOptimism}-reth(?:-node)?(?![\\w-])|(?:^|/)(?:op-rbuilder|world-chain|odyssey)(?![\\w-])|(?:^|/)base(?:org)?/node-reth`),
  own: /(?:^|\/)op-reth(?![\w-])/,
  entrypoint: /(?:^|\/)(?:paradigmxyz|images|oplabs|world-foundation)\/op-reth(?![\w-])|(?:^|\/)flashbots\/op-rbuilder(?![\w-])/,
  client: /^(?:op|base)-reth\//i,
  ownFlag: /--(?:rollup\.(?:sequencer-http|sequencer-ws|sequencer-headers|disable-tx-pool-gossip|enable-tx-conditional|discovery\.v4|supervisor-http|historicalrpc|historical-rpc)|flashblocks-url)/,
};
