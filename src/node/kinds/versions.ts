/** Versions as people write them, and the releases that they may be. */
import type { ReleaseRange } from '../facts/release.js';
import type { Releases } from './history.js';

/** Compares versions as numbers, as far as both go: below 0 when the first is older. `v3.3.5` is of the series `v3.3`. */
export function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((tag) => tag.replace(/^v/, '').split('.').map(Number)) as [
    number[],
    number[],
  ];
  const at = a.findIndex((number, index) => index < b.length && number !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

const version = /^(?:([a-z-]+)[/ ])?v?(\d{1,4})\.(\d{1,6})(?:\.(\d{1,4}))?([-+][\w.+-]*)?$/;

/**
 * The releases of a product that a version may be; null if it is none of the product. A version without a patch is any of its
 * series, and one that is no release known here lies between two of them.
 */
export function versionIn(
  product: string,
  { all }: Pick<Releases, 'all'>,
  text: string,
): ReleaseRange | null {
  const [, named = product, major, minor, patch, suffix] = version.exec(text) ?? [];
  if (major === undefined || named !== product) return null;
  const isSeries = patch === undefined;
  const tag = `v${[major, minor, ...(isSeries ? [] : [patch])].map(Number).join('.')}`;
  const same = all.filter((one) => compare(one.tag, tag) === 0);
  const before = same[0] ?? all.findLast((one) => compare(one.tag, tag) < 0);
  const behind = same.at(-1) ?? all.find((one) => compare(one.tag, tag) > 0);
  const [since, until] = [before ?? behind, behind ?? before];
  if (since === undefined || until === undefined) return null;
  // Where releases have patches, a series of which none is known is no version.
  if (isSeries && since.tag.split('.').length > 2 && (same.length === 0 || suffix !== undefined)) return null;
  return { value: isSeries ? null : `${product}/${tag}`, since: since.id, until: until.id };
}

/** The name of an image, and its tag, if it has one: `registry.example:5000/geth:v1.13.0@sha256:…`. */
export function imageParts(reference: string): readonly [name: string, tag: string] {
  const [name = '', tag = ''] = reference.replace(/@.*$/, '').split(/:(?=[^/]*$)/);
  return [name, tag];
}
