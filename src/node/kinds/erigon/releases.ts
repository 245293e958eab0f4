/** The series of releases of erigon whose flags are known, and the evidence of a release. */
import type { ReleaseRange } from '../../facts/release.js';
import { evidenceBy } from '../evidence.js';
import { taggedReleases } from '../history.js';
import { versionIn } from '../versions.js';

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

function ofImage(name: string, tag: string): ReleaseRange | null {
  const fork = forks.exec(name)?.[1];
  if (fork === undefined) return imageName.test(name) ? ofVersion(tag) : null;
  const base = fork === 'op-erigon' ? ofVersion(tag) : null;
  return { ...(base ?? releases.whole), value: null, fork };
}

/** The program in the build information; forks keep the path. */
export const build = /^github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\/v\d+)?\/cmd\/(erigon|rpcdaemon)$/;

/** A path holds a release in the repository, its package, or the name of its image. */
export const evidence = evidenceBy({
  ofVersion,
  ofImage,
  inPath:
    /github\.com\/(?:erigontech|ledgerwatch)\/erigon(?:\.git)?(?:\/releases\/download\/|\/archive\/(?:refs\/tags\/)?|\/tree\/|@)v?(\d+\.\d+\.\d+)|(?:^|[/\s"'=])erigon_v?(\d+\.\d+\.\d+)_linux/,
  published: publishedImage,
  client: /^erigon\/v?(\d+\.\d+\.\d+)/i,
  build,
});
