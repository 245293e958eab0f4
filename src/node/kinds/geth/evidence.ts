/** The evidence of a node's release: versions, image names, download names, answers, build information. */
import type { BuildFacts } from '../../facts/live.js';
import type { ReleaseRange } from '../../facts/release.js';
import type { ReleaseEvidence } from '../kind.js';
import { noEvidence } from '../plain.js';
import { compare, imageParts, versionIn } from '../versions.js';
import { type Flavour, gethFlavour } from './flavours.js';
import { baseOfImage } from './forks.js';

/**
 * A download, `geth-alltools-linux-arm7-1.8.27-4bcc0a37.tar.gz`, the package of Ubuntu, `ethereum=1.9.25+build26351+bionic`,
 * and a release in the repository: `github.com/bnb-chain/bsc/releases/download/v1.2.3/geth_linux`.
 */
const downloads: Readonly<Record<string, RegExp>> = {
  geth: /(?:^|[/\s"'=])geth-(?:alltools-)?(?:linux|darwin|windows)-\w+-(\d+\.\d+\.\d+)(?=[-.\w]|$)|^(?:ethereum|geth)=(\d+\.\d+\.\d+)\+build/,
};
const repositories: Readonly<Record<string, string>> = {
  geth: 'ethereum/go-ethereum',
  bsc: '(?:bnb-chain|binance-chain)/bsc',
  'op-geth': 'ethereum-optimism/op-geth',
};

/** The version in the name of a package or in the address of a release of the flavour; null: it names none. */
function versionsOf({ id }: Flavour): (path: string) => string | null {
  const inRepository = new RegExp(
    `github\\.com/${repositories[id]}(?:\\.git)?(?:/releases/download/|/archive/(?:refs/tags/)?|/tree/|/cmd/geth@|@)(v?\\d+\\.\\d+\\.\\d+)`,
  );
  return (path) => {
    const [, ...found] = downloads[id]?.exec(path) ?? inRepository.exec(path) ?? [];
    return found.find((one) => one !== undefined) ?? null;
  };
}

/** Numbers below count for geth only with a compiler of their time: forks count from v1.0.0 on. */
const ownNumbersSince = 'v1.9.0';
const oldCompiler = /\/go1\.(?:\d|1[0-2])(?:\.|$)/;

/** The evidence for a flavour. Images of another flavour are no evidence. */
export function evidenceOf(flavour: Flavour): ReleaseEvidence {
  const { releases, id: product, firstNumber = 'v0.0.0' } = flavour;
  const versionNamed = versionsOf(flavour);
  function ofVersion(text: string): ReleaseRange | null {
    const range = versionIn(product, releases, text);
    const number = range?.value?.slice(product.length + 1) ?? firstNumber;
    return compare(number, firstNumber) < 0 ? null : range;
  }
  function ofImage(reference: string): ReleaseRange | null {
    const [name, tag] = imageParts(reference);
    const base = baseOfImage(flavour, name, tag);
    if (base !== null) return base;
    return flavour.image.test(name)
      ? ofVersion(tag.replace(/^alltools-/, '').replace(/^(?:release|stable)-/, ''))
      : null;
  }
  return {
    ...noEvidence,
    ofVersion,
    ofImage,
    ofPackage(path) {
      const named = versionNamed(path);
      return named === null && flavour.entrypoint.image.test(path) ? ofImage(path) : ofVersion(named ?? '');
    },
    ofClient(client) {
      const tag = /\/(v\d+\.\d+\.\d+)[-+\w.]*\//.exec(client)?.[1] ?? null;
      if (tag === null || !flavour.client.test(client)) return null;
      return compare(tag, ownNumbersSince) >= 0 || oldCompiler.test(client) ? ofVersion(tag) : null;
    },
    ofBuild({ tag, version: named, path }: BuildFacts) {
      const range = programOfBuild({ path }) === null ? null : ofVersion(tag ?? named ?? '');
      const isOwn = product === gethFlavour.id && range?.value != null;
      return isOwn && compare(range.value.slice('geth/'.length), ownNumbersSince) >= 0 ? range : null;
    },
  };
}

/** The forks keep geth's module path: `github.com/ethereum/go-ethereum/cmd/geth`. */
export function programOfBuild({ path }: Pick<BuildFacts, 'path'>): string | null {
  return path === 'github.com/ethereum/go-ethereum/cmd/geth' ? 'geth' : null;
}
