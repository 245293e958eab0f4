/** Evidence of a node's release: versions, image names, package names, build information. */
import type { BuildFacts } from '../../facts/live.js';
import type { ReleaseRange } from '../../facts/release.js';
import { evidenceBy } from '../evidence.js';
import type { ReleaseEvidence, Uses } from '../kind.js';
import { versionIn } from '../versions.js';
import { renamedSince } from './modules.js';
import { binaryOf, launchers } from './names.js';
import { type ReleaseId, releases } from './releases.js';

const { since: oldest, until: newest } = releases.whole;

/** The last release under the product's former names; images and Go modules are renamed with the next one. */
const lastFormerName: ReleaseId = 'kaia/v1.0.0';
const firstNewName: ReleaseId = 'kaia/v1.0.1';
const formerly: ReleaseRange = { value: null, since: oldest, until: lastFormerName };
const today: ReleaseRange = { value: null, since: firstNewName, until: newest };

/** The releases of a version, as `v1.12.1` or `klaytn/v1.8.4`; a number that both products have is taken for the newer one. */
function ofVersion(text: string): ReleaseRange | null {
  const product = /^klaytn[/ ]|^v?1\.[1-9]/.test(text) ? 'klaytn' : 'kaia';
  return versionIn(product, { all: releases.all.filter((one) => one.product === product) }, text);
}

/** `klaytn/klaytn:v1.8.1`: a tag that is no version leaves the releases of the name. */
function ofImage(name: string, tag: string): ReleaseRange | null {
  const [, own] = /(?:^|\/)(klaytn\/klaytn|kaiachain\/kaia)$/.exec(name) ?? [];
  return own === undefined ? null : (ofVersion(tag) ?? (own === 'kaiachain/kaia' ? today : formerly));
}

const names = [...launchers, ...launchers.map(binaryOf)].join('|');

/** The tag that the build was told, the module's version, or else its path, which was renamed with kaia v1.0.1. */
function ofBuild({ path, module, version, tag }: BuildFacts): ReleaseRange | null {
  const isFormer = /^github\.com\/klaytn\/klaytn(?:\/|$)/.test(module ?? path);
  if (!isFormer && !/^github\.com\/kaiachain\/kaia(?:\/|$)/.test(module ?? path)) return null;
  const named = version === null || pseudoVersion.test(version) ? '' : version;
  return ofVersion(tag ?? '') ?? ofVersion(named) ?? (isFormer ? formerly : today);
}

/** Go counts up from the last tag that the module's path allows, so the number is not that of the release. */
const pseudoVersion = /[-.]\d{14}-[0-9a-f]{12}\b/;

/** `github.com/kaiachain/kaia/cmd/ken` → ken */
export const build = new RegExp(
  `^github\\.com/(?:klaytn/klaytn|kaiachain/kaia)/cmd/(${launchers.map(binaryOf).join('|')})$`,
);

/** Names that came with kaia: a node that older releases are does not answer to them. */
function ofName(name: string): ReleaseRange | null {
  return /^KAIA_|^kaia$/.test(name) ? { value: null, since: renamedSince, until: newest } : null;
}

/** The name of a network: launchers refuse one that they do not know, unless a network id overrides it. */
function ofUses(uses: Uses): ReleaseRange | null {
  const since = uses.has('NETWORK_ID') ? undefined : networkSince[uses.get('NETWORK') ?? ''];
  return since === undefined ? null : { value: null, since, until: newest };
}

const networkSince: Readonly<Record<string, ReleaseId>> = { mainnet: 'kaia/v0.9.0', kairos: 'kaia/v1.0.1' };

export const evidence: ReleaseEvidence = {
  ...evidenceBy({
    ofVersion,
    ofImage,
    // `/opt/kend-v1.8.1-linux-amd64/conf/kend.conf`, `kend-v1.8.1-0.el7.x86_64.rpm`
    inPath: new RegExp(
      `(?:^|/)(?:${names})(?:_(?:baobab|kairos))?-v?(\\d+\\.\\d+\\.\\d+(?:-rc\\.\\d+)?)(?=[-./_]|$)`,
    ),
    // Every release says Klaytn: `Klaytn/<identity>/v2.2.1+0123456789/linux-amd64/go1.25.3`
    client: /\/(v\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)\/[^/]+\/go[^/]*$/,
  }),
  ofBuild,
  ofName,
  ofUses,
};
