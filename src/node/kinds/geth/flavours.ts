/** The programs that share geth's flags: geth itself, and the forks that are laid over it. */
import { pairs } from '../../../util/pairs.js';
import type { Release } from '../kind.js';

export interface FlavourRelease extends Release {
  /** The release of geth whose facts hold for it, as far as the flavour changes none: `v1.16.7`. */
  readonly base: string;
}

/** A fork, or geth itself. */
export interface Flavour {
  /** Its letter in the table of methods. */
  readonly letter: string;
  readonly id: 'geth' | 'bsc' | 'op-geth';
  readonly label: string;
  /** Every release known, in the order of the code. */
  readonly releases: readonly FlavourRelease[];
  /** Versions below are numbers of something else; absent: none is known. */
  readonly firstNumber?: string;
  /** The file names of its program: people rename that of a fork. */
  readonly programs: readonly string[];
  /** The names of its images. */
  readonly image: RegExp;
  /** Of its published image (Dockerfile and docker-entrypoint.sh of the releases). */
  readonly entrypoint: { readonly image: RegExp; readonly words: readonly string[] };
  /** What web3_clientVersion answers. */
  readonly client: RegExp;
  /** Modules that no other kind of node has. */
  readonly ownModules: readonly string[];
  /** The ids of its chains. */
  readonly chains: readonly string[];
}

/** The last patch of each minor release of geth, from v1.5 on. */
const lastPatches = [9, 7, 3, 27, 25, 26, 6, 2, 15, 13, 11, 9, 10];
const neverReleased = 'v1.14.1';

function releasesOf(
  product: string,
  tags: readonly (readonly [tag: string, base: string])[],
): readonly FlavourRelease[] {
  return tags.map(([tag, base]) => ({ id: `${product}/${tag}`, product, tag, base }));
}

const gethTags = lastPatches.flatMap((last, at) =>
  Array.from({ length: last + 1 }, (_, patch) => `v1.${at + 5}.${patch}`).filter(
    (tag) => tag !== neverReleased,
  ),
);

export const gethFlavour: Flavour = {
  letter: 'g',
  id: 'geth',
  label: 'geth node',
  programs: ['geth', 'geth_linux'],
  releases: releasesOf(
    'geth',
    gethTags.map((tag) => [tag, tag]),
  ),
  image: /(?:^|[/_-])(?:client-go|go-ethereum|l2geth)(?![\w-])|(?:^|\/)geth(?![\w-])/,
  // l2geth/Dockerfile of Optimism and Mantle; that of Metis starts a script, which passes the words on.
  entrypoint: {
    image: /(?:^|\/)ethereum\/client-go(?![\w-])(?!:alltools-)|(?:^|\/)\w+\/l2geth(?![\w-])/,
    words: [],
  },
  // bsc answers with its own numbers: Geth/v1.7.8.
  client: /^Geth\/(?!.*v1\.10\d{4}\.)/,
  ownModules: [],
  chains: [],
};

export const bscFlavour: Flavour = {
  letter: 'b',
  id: 'bsc',
  label: 'BNB Smart Chain node',
  programs: ['geth', 'bsc', 'bsc-geth', 'geth_linux'],
  // The bases up to v1.1.12 are those of the changelog. The flags of later ones are read from the sources; the bases of
  // v1.3.13 and v1.6.8 are those with the most flags in common.
  releases: releasesOf(
    'bsc',
    pairs(`
v1.0.0=v1.9.13 v1.0.7=v1.9.13 v1.1.0=v1.10.3 v1.1.11=v1.10.3 v1.1.12=v1.10.15 v1.2.15=v1.10.15 v1.3.13=v1.13.0
v1.4.18=v1.13.15 v1.5.19=v1.15.11 v1.6.8=v1.16.7 v1.7.8=v1.16.7
`),
  ),
  image: /bnb-chain\/bsc(?![\w-])|(?:^|\/)bsc(?:-geth|-node)?(?=[:@]|$)/,
  entrypoint: { image: /(?:^|\/)bnb-chain\/bsc(?![\w-])/, words: ['--config', '/bsc/config/config.toml'] },
  client: /(?!)/,
  ownModules: ['parlia', 'mev'],
  chains: ['56', '97'],
};

/** v1.101702.3 is based on geth v1.17.2 (params/version.go of the releases). */
const opTags =
  'v1.101106.0 v1.101200.0 v1.101315.0 v1.101411.0 v1.101608.0 v1.101609.2 v1.101701.0 v1.101702.3'.split(
    ' ',
  );

export const opFlavour: Flavour = {
  letter: 'o',
  id: 'op-geth',
  label: 'op-geth node',
  firstNumber: 'v1.100000.0',
  programs: ['geth', 'op-geth'],
  releases: releasesOf(
    'op-geth',
    opTags.map((tag) => [
      tag,
      tag.replace(/^v1\.10(\d\d)(\d\d)\..*/, (_, minor, patch) => `v1.${Number(minor)}.${Number(patch)}`),
    ]),
  ),
  image: /(?:^|[/_-])op-geth(?![\w-])/,
  entrypoint: { image: /\/oplabs-tools-artifacts\/images\/op-geth(?![\w-])/, words: [] },
  client: /^Geth\/.*v1\.10\d{4}\./,
  ownModules: [],
  chains: [],
};
