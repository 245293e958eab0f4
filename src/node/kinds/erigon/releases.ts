/** The series of releases of erigon whose flags are known, and the evidence of a release. */
import type { BuildFacts } from '../../facts/live.js';
import type { ReleaseRange } from '../../facts/release.js';
import { taggedReleases } from '../history.js';
import type { ReleaseEvidence } from '../kind.js';
import { noEvidence } from '../plain.js';
import { imageParts, versionIn } from '../versions.js';

const tags = ['v2.48', 'v2.60', 'v3.0', 'v3.3', 'v3.4', 'v3.5', 'v3.7'] as const;
export type Tag = (typeof tags)[number];

/** One for each series whose flags or defaults were read; what differs within a series is not known. */
export const releases = taggedReleases('erigon', tags);

/** Forks, by the last part of an image's name. All but op-erigon, whose numbers are erigon's, have numbers of their own. */
const forks = /(?:^|[/_-])((?:bsc|op|cdk|xlayer|zkevm|pulse|pulsechain)-?erigon)$/;

/** The name of an image of erigon or of a fork, before its tag. */
export const imageName = /(?:^|[/_-])(?:erigon|rpcdaemon)(?![\w-])/;

/** Images that are published for erigon; their entrypoint is the program. */
export const publishedImage = /(?:^|\/)(?:erigontech|thorax|ledgerwatch)\/erigon(?![\w-])/;

/** Releases up to August 2022 are numbered by their date, as v2022.08.02. */
const dated = /^(?:erigon[ /])?v?(20\d\d\.\d{1,3}\.\d{1,4})(?:[-+][\w.+-]*)?$/;

function ofVersion(text: string): ReleaseRange | null {
  const [, date] = dated.exec(text) ?? [];
  const { since } = releases.whole;
  return date === undefined
    ? versionIn('erigon', releases, text)
    : { value: `erigon/v${date}`, since, until: since };
}

function ofImage(reference: string): ReleaseRange | null {
  const [name, tag] = imageParts(reference);
  const fork = forks.exec(name)?.[1];
  if (fork !== undefined) {
    const base = fork === 'op-erigon' ? ofVersion(tag) : null;
    return { ...(base ?? releases.whole), value: null, fork };
  }
  return imageName.test(name) ? ofVersion(tag.replace(/^release-/, '')) : null;
}

/** A release in the repository, its package, or the name of its image. */
const inPath =
  /github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\.git)?(?:\/releases\/download\/|\/archive\/(?:refs\/tags\/)?|\/tree\/|@)v?(\d+\.\d+\.\d+)|(?:^|[/\s"'=])erigon_v?(\d+\.\d+\.\d+)_linux/;

export const evidence: ReleaseEvidence = {
  ...noEvidence,
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
};

/** `github.com/erigontech/erigon/cmd/rpcdaemon`; forks keep the path. */
export function programOfBuild({ path }: Pick<BuildFacts, 'path'>): string | null {
  return (
    /^github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\/v\d+)?\/cmd\/(erigon|rpcdaemon)$/.exec(path)?.[1] ??
    null
  );
}
