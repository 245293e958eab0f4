/** The programs that share geth's flags: geth itself, and the forks that are laid over it. */
import type { gethFamily } from '../families.js';
import type { Release } from '../kind.js';

/** A fork, or geth itself. */
export interface Flavour {
  /** Its letter in the flag table. */
  readonly letter: string;
  readonly id: (typeof gethFamily)[number];
  readonly label: string;
  /** Every release known, in the order of the code. */
  readonly releases: readonly Release[];
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

/** The last patch of each minor release of geth from v1.10.9 on, which removed --rpc and its companions. */
const lastPatches = { 10: 26, 11: 6, 12: 2, 13: 15, 14: 13, 15: 11, 16: 9, 17: 8 };
/** Older releases, and a tag that was never released. */
const absent = /^v1\.(?:10\.[0-8]|14\.1)$/;

function releasesOf(product: string, tags: readonly string[]): readonly Release[] {
  return tags.map((tag) => ({ id: `${product}/${tag}`, product, tag }));
}

const gethTags = Object.entries(lastPatches).flatMap(([minor, last]) =>
  Array.from({ length: last + 1 }, (_, patch) => `v1.${minor}.${patch}`).filter((tag) => !absent.test(tag)),
);

export const gethFlavour: Flavour = {
  letter: 'g',
  id: 'geth',
  label: 'geth node',
  releases: releasesOf('geth', gethTags),
  image: /(?:^|[/_-])(?:client-go|go-ethereum)(?![\w-])|(?:^|\/)geth(?![\w-])/,
  entrypoint: { image: /(?:^|\/)ethereum\/client-go(?![\w-])/, words: [] },
  // bsc v1.7.8 answers Geth/v1.7.8: a release older than those known here shows no flavour.
  client: /^Geth\/(?!.*v1\.10\d{4}\.)/,
  ownModules: [],
  chains: [],
};

export const bscFlavour: Flavour = {
  letter: 'b',
  id: 'bsc',
  label: 'BNB Smart Chain node',
  releases: releasesOf('bsc', ['v1.7.8']),
  image: /bnb-chain\/bsc(?![\w-])|(?:^|\/)bsc(?:-geth|-node)?(?=[:@]|$)/,
  entrypoint: { image: /(?:^|\/)bnb-chain\/bsc(?![\w-])/, words: ['--config', '/bsc/config/config.toml'] },
  client: /(?!)/,
  ownModules: ['parlia', 'mev'],
  chains: ['56', '97'],
};

export const opFlavour: Flavour = {
  letter: 'o',
  id: 'op-geth',
  label: 'op-geth node',
  releases: releasesOf('op-geth', ['v1.101702.3']),
  image: /(?:^|[/_-])op-geth(?![\w-])/,
  entrypoint: { image: /\/oplabs-tools-artifacts\/images\/op-geth(?![\w-])/, words: [] },
  client: /^Geth\/.*v1\.10\d{4}\./,
  ownModules: [],
  chains: [],
};
