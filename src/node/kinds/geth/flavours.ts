/** The programs that share geth's flags: geth itself, and the forks that are laid over it. */
import type { Period } from '../../facts/release.js';
import { type Releases, releasesIn, taggedReleases } from '../history.js';

/** The releases of geth from v1.5 on; v1.14.1 was never made. */
// biome-ignore format: a table, its lines filled by hand
const tags = [
  'v1.5.0', 'v1.5.1', 'v1.5.2', 'v1.5.3', 'v1.5.4', 'v1.5.5', 'v1.5.6', 'v1.5.7', 'v1.5.8', 'v1.5.9', 'v1.6.0',
  'v1.6.1', 'v1.6.2', 'v1.6.3', 'v1.6.4', 'v1.6.5', 'v1.6.6', 'v1.6.7', 'v1.7.0', 'v1.7.1', 'v1.7.2', 'v1.7.3',
  'v1.8.0', 'v1.8.1', 'v1.8.2', 'v1.8.3', 'v1.8.4', 'v1.8.5', 'v1.8.6', 'v1.8.7', 'v1.8.8', 'v1.8.9',
  'v1.8.10', 'v1.8.11', 'v1.8.12', 'v1.8.13', 'v1.8.14', 'v1.8.15', 'v1.8.16', 'v1.8.17', 'v1.8.18', 'v1.8.19',
  'v1.8.20', 'v1.8.21', 'v1.8.22', 'v1.8.23', 'v1.8.24', 'v1.8.25', 'v1.8.26', 'v1.8.27', 'v1.9.0', 'v1.9.1',
  'v1.9.2', 'v1.9.3', 'v1.9.4', 'v1.9.5', 'v1.9.6', 'v1.9.7', 'v1.9.8', 'v1.9.9', 'v1.9.10', 'v1.9.11',
  'v1.9.12', 'v1.9.13', 'v1.9.14', 'v1.9.15', 'v1.9.16', 'v1.9.17', 'v1.9.18', 'v1.9.19', 'v1.9.20', 'v1.9.21',
  'v1.9.22', 'v1.9.23', 'v1.9.24', 'v1.9.25', 'v1.10.0', 'v1.10.1', 'v1.10.2', 'v1.10.3', 'v1.10.4', 'v1.10.5',
  'v1.10.6', 'v1.10.7', 'v1.10.8', 'v1.10.9', 'v1.10.10', 'v1.10.11', 'v1.10.12', 'v1.10.13', 'v1.10.14',
  'v1.10.15', 'v1.10.16', 'v1.10.17', 'v1.10.18', 'v1.10.19', 'v1.10.20', 'v1.10.21', 'v1.10.22', 'v1.10.23',
  'v1.10.24', 'v1.10.25', 'v1.10.26', 'v1.11.0', 'v1.11.1', 'v1.11.2', 'v1.11.3', 'v1.11.4', 'v1.11.5',
  'v1.11.6', 'v1.12.0', 'v1.12.1', 'v1.12.2', 'v1.13.0', 'v1.13.1', 'v1.13.2', 'v1.13.3', 'v1.13.4', 'v1.13.5',
  'v1.13.6', 'v1.13.7', 'v1.13.8', 'v1.13.9', 'v1.13.10', 'v1.13.11', 'v1.13.12', 'v1.13.13', 'v1.13.14',
  'v1.13.15', 'v1.14.0', 'v1.14.2', 'v1.14.3', 'v1.14.4', 'v1.14.5', 'v1.14.6', 'v1.14.7', 'v1.14.8',
  'v1.14.9', 'v1.14.10', 'v1.14.11', 'v1.14.12', 'v1.14.13', 'v1.15.0', 'v1.15.1', 'v1.15.2', 'v1.15.3',
  'v1.15.4', 'v1.15.5', 'v1.15.6', 'v1.15.7', 'v1.15.8', 'v1.15.9', 'v1.15.10', 'v1.15.11', 'v1.16.0',
  'v1.16.1', 'v1.16.2', 'v1.16.3', 'v1.16.4', 'v1.16.5', 'v1.16.6', 'v1.16.7', 'v1.16.8', 'v1.16.9', 'v1.17.0',
  'v1.17.1', 'v1.17.2', 'v1.17.3', 'v1.17.4', 'v1.17.5', 'v1.17.6', 'v1.17.7', 'v1.17.8', 'v1.17.9',
  'v1.17.10',
] as const;
/** A release of geth, by which periods are told. */
export type Tag = (typeof tags)[number];

/** Whether a period holds for a release; of a fork the release that it is based on counts. */
export type Holds = (period: Period<Tag>) => boolean;

/** A fork, or geth itself. */
export interface Flavour {
  readonly id: 'geth' | 'bsc' | 'op-geth';
  /** Absent: its id. */
  readonly label?: string;
  /** Every release known, in the order of the code. */
  readonly releases: Releases<Tag>;
  /** Versions below are numbers of something else; absent if none is known. */
  readonly firstNumber?: string;
  /** The file names of its program: people rename that of a fork. */
  readonly programs: readonly string[];
  /** The names of its images. */
  readonly image: RegExp;
  /** Of its published image (Dockerfile and docker-entrypoint.sh of the releases). */
  readonly entrypoint: { readonly image: RegExp; readonly words: readonly string[] };
  /** What web3_clientVersion answers. */
  readonly client: RegExp;
  /**
   * A release in the repository, `github.com/bnb-chain/bsc/releases/download/v1.2.3/geth_linux`, a download,
   * `geth-alltools-linux-arm7-1.8.27-4bcc0a37.tar.gz`, or the package of Ubuntu, `ethereum=1.9.25+build26351+bionic`.
   */
  readonly inPath: RegExp;
  /** Modules that no other kind of node has. */
  readonly ownModules: readonly string[];
  /** The ids of its chains. */
  readonly chains: readonly string[];
}

const inRepository = (name: string) =>
  `github\\.com/${name}(?:\\.git)?(?:/releases/download/|/archive/(?:refs/tags/)?|/tree/|/cmd/geth@|@)(v?\\d+\\.\\d+\\.\\d+)`;

/** The releases of a fork, each with the release of geth whose facts hold for it as far as the fork changes none. */
function basedReleases(product: string, some: readonly (readonly [tag: string, base: Tag])[]) {
  return releasesIn(
    tags,
    some.map(([tag, base]) => ({ id: `${product}/${tag}`, product, tag, base })),
  );
}

// biome-ignore format: a fact a line
export const gethFlavour: Flavour = {
  id: 'geth',
  programs: ['geth', 'geth_linux'],
  releases: taggedReleases('geth', tags),
  image: /(?:^|[/_-])(?:client-go|go-ethereum|l2geth)(?![\w-])|(?:^|\/)geth(?![\w-])|(?:quorumengineering|consensys)\/quorum(?![\w-])/,
  // l2geth/Dockerfile of Optimism and Mantle; that of Metis starts a script, which passes the words on.
  entrypoint: { image: /(?:^|\/)ethereum\/client-go(?![\w-])(?!:alltools-)|(?:^|\/)\w+\/l2geth(?![\w-])|(?:quorumengineering|consensys)\/quorum(?![\w-])/, words: [] },
  // bsc answers with its own numbers: Geth/v1.7.8.
  client: /^Geth\/(?!.*v1\.10\d{4}\.)/,
  inPath: new RegExp(`${inRepository('ethereum/go-ethereum')}|(?:^|[/\\s"'=])geth-(?:alltools-)?(?:linux|darwin|windows)-\\w+-(\\d+\\.\\d+\\.\\d+)(?=[-.\\w]|$)|^(?:ethereum|geth)=(\\d+\\.\\d+\\.\\d+)\\+build`),
  ownModules: [],
  chains: [],
};

/**
 * The bases up to v1.1.12 are those of the changelog. The flags of later ones are read from the sources; the bases of v1.3.13
 * and v1.6.8 are those with the most flags in common.
 */
// biome-ignore format: a line for each series
const bscTags = [
  ['v1.0.0', 'v1.9.13'], ['v1.0.7', 'v1.9.13'], ['v1.1.0', 'v1.10.3'], ['v1.1.11', 'v1.10.3'],
  ['v1.1.12', 'v1.10.15'], ['v1.2.15', 'v1.10.15'], ['v1.3.13', 'v1.13.0'], ['v1.4.18', 'v1.13.15'],
  ['v1.5.19', 'v1.15.11'], ['v1.6.8', 'v1.16.7'], ['v1.7.8', 'v1.16.7'],
] as const;
export type BscTag = (typeof bscTags)[number][0];

// biome-ignore format: a fact a line
export const bscFlavour: Flavour = {
  id: 'bsc',
  label: 'BNB Smart Chain node',
  programs: ['geth', 'bsc', 'bsc-geth', 'geth_linux'],
  releases: basedReleases('bsc', bscTags),
  image: /bnb-chain\/bsc(?![\w-])|(?:^|\/)bsc(?:-geth|-node)?(?=[:@]|$)/,
  entrypoint: { image: /(?:^|\/)bnb-chain\/bsc(?![\w-])/, words: ['--config', '/bsc/config/config.toml'] },
  client: /(?!)/,
  inPath: new RegExp(inRepository('(?:bnb-chain|binance-chain)/bsc')),
  ownModules: ['parlia', 'mev'],
  chains: ['56', '97'],
};

/** v1.101702.3 is based on geth v1.17.2 (params/version.go of the releases). */
// biome-ignore format: a table, its lines filled by hand
const opTags = [
  ['v1.101106.0', 'v1.11.6'], ['v1.101200.0', 'v1.12.0'], ['v1.101315.0', 'v1.13.15'], ['v1.101411.0', 'v1.14.11'],
  ['v1.101608.0', 'v1.16.8'], ['v1.101609.2', 'v1.16.9'], ['v1.101701.0', 'v1.17.1'], ['v1.101702.3', 'v1.17.2'],
] as const;
export type OpTag = (typeof opTags)[number][0];

// biome-ignore format: a fact a line
export const opFlavour: Flavour = {
  id: 'op-geth',
  firstNumber: 'v1.100000.0',
  programs: ['geth', 'op-geth'],
  releases: basedReleases('op-geth', opTags),
  image: /(?:^|[/_-])op-geth(?![\w-])/,
  entrypoint: { image: /\/oplabs-tools-artifacts\/images\/op-geth(?![\w-])/, words: [] },
  client: /^Geth\/.*v1\.10\d{4}\./,
  inPath: new RegExp(inRepository('ethereum-optimism/op-geth')),
  ownModules: [],
  chains: [],
};
