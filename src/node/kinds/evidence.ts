/** The evidence of a release, by what names the releases of a program. */
import type { ReleaseRange } from '../facts/release.js';
import type { ReleaseEvidence } from './kind.js';
import { imageParts } from './versions.js';

/** Where versions of a program stand. The group of a pattern that matches holds the version. */
export interface ReleaseNames {
  /** The releases that a version may be; null if it is none. */
  ofVersion(text: string): ReleaseRange | null;
  /** The releases in an image of that name, or those that a fork in it descends from; null if it is another image. */
  ofImage(name: string, tag: string): ReleaseRange | null;
  /** A download, a package, or a release in the repository. */
  readonly inPath: RegExp;
  /** A published image, which a path may name; absent if there is none. */
  readonly published?: RegExp;
  /** An answer to web3_clientVersion. */
  readonly client: RegExp;
  /** The path of the program in its build information; absent if builds tell nothing. */
  readonly build?: RegExp;
}

/** Nothing tells the release. */
export const noEvidence: ReleaseEvidence = {
  ofVersion: () => null,
  ofImage: () => null,
  ofPackage: () => null,
  ofClient: () => null,
  ofBuild: () => null,
  ofName: () => null,
  ofFlag: () => null,
  ofUses: () => null,
};

export function evidenceBy({ ofVersion, inPath, published, client, build, ...names }: ReleaseNames) {
  const versionIn = (pattern: RegExp, text: string) => pattern.exec(text)?.slice(1).find(Boolean);
  const ofImage = (reference: string) => {
    const [name, tag] = imageParts(reference);
    return names.ofImage(name, tag.replace(/^(?:alltools-)?(?:(?:release|stable)-)?/, ''));
  };
  return {
    ...noEvidence,
    ofVersion,
    ofImage,
    ofPackage(path) {
      const version = versionIn(inPath, path);
      return version === undefined && published?.test(path) ? ofImage(path) : ofVersion(version ?? '');
    },
    ofClient: (answer) => ofVersion(versionIn(client, answer) ?? ''),
    ofBuild: ({ path, tag, version }) => (build?.test(path) ? ofVersion(tag ?? version ?? '') : null),
  } satisfies ReleaseEvidence;
}
