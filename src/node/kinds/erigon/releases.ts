/** The series of releases of erigon whose flags are known, and the evidence of a release. */
import type { BuildFacts } from '../../facts/live.js';
import type { ReleaseRange } from '../../facts/release.js';
import type { Period, Release, ReleaseEvidence } from '../kind.js';

const product = 'erigon';

/** One for each series whose flags or defaults were read; what differs within a series is not known. */
export const releases: readonly Release[] = 'v2.48 v2.60 v3.0 v3.3 v3.4 v3.5 v3.7'
  .split(' ')
  .map((tag) => ({ id: `${product}/${tag}`, product, tag }));

const [oldest, newest] = [releases[0], releases.at(-1)] as [Release, Release];

/** Forks, by the last part of an image's name. All but op-erigon, whose numbers are erigon's, have numbers of their own. */
const forks = /(?:^|[/_-])((?:bsc|op|cdk|xlayer|zkevm|pulse|pulsechain)-?erigon)$/;

/** The name of an image of erigon or of a fork, before its tag. */
export const imageName = /(?:^|[/_-])(?:erigon|rpcdaemon)(?![\w-])/;

/** Images that are published for erigon; their entrypoint is the program. */
export const publishedImage = /(?:^|\/)(?:erigontech|thorax|ledgerwatch)\/erigon(?![\w-])/;

const version = /^(?:erigon[ /])?v?(\d{1,4})\.(\d{1,3})(?:\.(\d{1,4}))?(?:[-+][\w.+-]*)?$/;

/** A tag as a number that counts up with the series. */
function numberOf(tag: string): number {
  const [major = 0, minor = 0] = tag.slice(1).split('.').map(Number);
  return major * 1000 + minor;
}

/** True for a tag of the period, both ends included. */
export function isWithin(tag: string, { since, until }: Period): boolean {
  const number = numberOf(tag);
  return (
    (since === undefined || number >= numberOf(since)) && (until === undefined || number <= numberOf(until))
  );
}

export function releaseNamed(id: string): Release {
  const known = releases.find((one) => one.id === id);
  if (known === undefined) throw new Error(`${id} is not a release of this node`);
  return known;
}

/** Releases up to August 2022 are numbered by their date, as v2022.08.02. */
const firstDate = 2000;

/** A release lies in the series of its first two numbers, or between two known ones. */
function ofVersion(text: string): ReleaseRange | null {
  const [, major = '', minor = '', patch] = version.exec(text) ?? [];
  if (major === '') return null;
  const series = Number(major) >= firstDate ? 0 : numberOf(`v${major}.${minor}`);
  const before = releases.findLast(({ tag }) => numberOf(tag) <= series) ?? oldest;
  const behind = releases.find(({ tag }) => numberOf(tag) >= series) ?? newest;
  const value = patch === undefined ? null : `${product}/v${Number(major)}.${minor}.${patch}`;
  return { value, since: before.id, until: behind.id };
}

function ofImage(reference: string): ReleaseRange | null {
  const [name = '', tag = ''] = reference.replace(/@.*$/, '').split(/:(?=[^/]*$)/);
  const fork = forks.exec(name)?.[1];
  if (fork !== undefined) {
    const base = fork === 'op-erigon' ? ofVersion(tag) : null;
    return { value: null, since: base?.since ?? oldest.id, until: base?.until ?? newest.id, fork };
  }
  return imageName.test(name) ? ofVersion(tag.replace(/^release-/, '')) : null;
}

/** A release in the repository, its package, or the name of its image. */
const inPath =
  /github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\.git)?(?:\/releases\/download\/|\/archive\/(?:refs\/tags\/)?|\/tree\/|@)v?(\d+\.\d+\.\d+)|(?:^|[/\s"'=])erigon_v?(\d+\.\d+\.\d+)_linux/;

export const evidence: ReleaseEvidence = {
  ofVersion,
  ofImage,
  ofPackage(path) {
    const [, tag, archive] = inPath.exec(path) ?? [];
    const named = tag ?? archive;
    return named === undefined ? (publishedImage.test(path) ? ofImage(path) : null) : ofVersion(named);
  },
  ofClient: (client) => ofVersion(/^erigon\/v?(\d+\.\d+\.\d+)/i.exec(client)?.[1] ?? ''),
  ofBuild: ({ tag, version: named, path }: BuildFacts) =>
    programOfBuild({ path }) === null ? null : ofVersion(tag ?? named ?? ''),
  ofName: () => null,
  ofUses: () => null,
};

/** `github.com/erigontech/erigon/cmd/rpcdaemon`; forks keep the path. */
export function programOfBuild({ path }: Pick<BuildFacts, 'path'>): string | null {
  return (
    /^github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\/v\d+)?\/cmd\/(erigon|rpcdaemon)$/.exec(path)?.[1] ??
    null
  );
}
