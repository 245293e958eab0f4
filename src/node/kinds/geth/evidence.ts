/** The evidence of a node's release: versions, image names, download names, answers, build information. */
import type { ReleaseRange } from '../../facts/release.js';
import { evidenceBy } from '../evidence.js';
import type { ReleaseEvidence } from '../kind.js';
import { compare, versionIn } from '../versions.js';
import { type Flavour, gethFlavour } from './flavours.js';
import { baseOf } from './forks.js';

/** The forks keep geth's module path, and many count from v1.0.0 on: a lower number is no evidence that a program is geth. */
export const build = /^github\.com\/ethereum\/go-ethereum\/cmd\/(geth)$/;
const ownNumbersSince = 'v1.9.0';
const answered = /\/(v\d+\.\d+\.\d+)[-+\w.]*\//;

/** The evidence for a flavour. Images of another flavour are no evidence. */
export function evidenceOf(flavour: Flavour): ReleaseEvidence {
  const { releases, id: product, firstNumber = 'v0.0.0', inPath, entrypoint } = flavour;
  const atLeast = (range: ReleaseRange | null, number: string) =>
    compare(range?.value?.slice(product.length + 1) ?? number, number) < 0 ? null : range;
  const ofVersion = (text: string) => atLeast(versionIn(product, releases, text), firstNumber);
  const named = evidenceBy({
    ofVersion,
    ofImage: (name, tag) =>
      baseOf(flavour, ({ image }) => image.test(name), tag) ??
      (flavour.image.test(name) && !/^v?0\./.test(tag) ? ofVersion(tag) : null),
    inPath,
    published: entrypoint.image,
    client: answered,
    ...(flavour === gethFlavour && { build }),
  });
  return {
    ...named,
    ofFlag: (name) => baseOf(flavour, ({ flags = [] }) => flags.some(([own]) => own === name)),
    ofClient: (answer) =>
      flavour.client.test(answer) ? atLeast(named.ofClient(answer), ownNumbersSince) : null,
    ofBuild: (facts) => atLeast(named.ofBuild(facts), ownNumbersSince),
  };
}
