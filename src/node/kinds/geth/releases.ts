/** When a fact holds, and the evidence of a node's release. */
import type { BuildFacts } from '../../facts/live.js';
import type { ReleaseRange } from '../../facts/release.js';
import type { Period, ReleaseEvidence } from '../kind.js';
import { type Flavour, gethFlavour } from './flavours.js';

/** The tag of a release: `geth/v1.15.0` → `v1.15.0`. */
export function tagOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

/** Compares versions as numbers: below 0 when the first is older. */
function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((tag) => tag.slice(1).split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** True when a fact with this period, in tags of geth, holds for the release. A fork has every fact that is not over. */
export function holdsAt({ id }: Flavour, release: string, { since, until }: Period): boolean {
  if (id !== gethFlavour.id) return until === undefined;
  const tag = tagOf(release);
  return (
    (since === undefined || compare(tag, since) >= 0) && (until === undefined || compare(tag, until) <= 0)
  );
}

const version = /^(?:(?:geth|bsc|op-geth)[/ ])?v?(\d{1,4})\.(\d{1,6})\.(\d{1,4})(?:[-+][\w.+-]*)?$/;

/** The evidence for a flavour. Images of another flavour are no evidence. */
export function evidenceOf(flavour: Flavour): ReleaseEvidence {
  const { releases, id: product } = flavour;
  function ofVersion(text: string): ReleaseRange | null {
    const numbers = version.exec(text)?.slice(1, 4);
    if (numbers === undefined || (/^[a-z]/.test(text) && !text.startsWith('v') && !isOwn(text))) return null;
    const tag = `v${numbers.map(Number).join('.')}`;
    const value = `${product}/${tag}`;
    const before = releases.findLast((one) => compare(one.tag, tag) <= 0);
    const behind = releases.find((one) => compare(one.tag, tag) >= 0);
    const [since, until] = [before ?? behind, behind ?? before];
    return since === undefined || until === undefined ? null : { value, since: since.id, until: until.id };
  }
  const isOwn = (text: string) => text.startsWith(`${product}/`) || text.startsWith(`${product} `);
  return {
    ofVersion,
    ofImage(reference) {
      const [name = '', tag = ''] = reference.replace(/@.*$/, '').split(/:(?=[^/]*$)/);
      return flavour.image.test(name) ? ofVersion(tag.replace(/^(?:release|stable|alltools)-/, '')) : null;
    },
    ofPackage: () => null,
    ofClient(client) {
      const tag = /\/(v\d+\.\d+\.\d+)[-+\w.]*\//.exec(client)?.[1] ?? null;
      const isKnown = tag !== null && flavour.client.test(client) && compare(tag, 'v1.9.0') >= 0;
      return isKnown ? ofVersion(tag) : null;
    },
    ofBuild: ({ tag, version: named, path }: BuildFacts) =>
      product === gethFlavour.id && programOfBuild({ path }) !== null ? ofVersion(tag ?? named ?? '') : null,
    ofName: () => null,
    ofUses: () => null,
  };
}

/** The forks keep geth's module path: `github.com/ethereum/go-ethereum/cmd/geth`. */
export function programOfBuild({ path }: Pick<BuildFacts, 'path'>): string | null {
  return path === 'github.com/ethereum/go-ethereum/cmd/geth' ? 'geth' : null;
}
