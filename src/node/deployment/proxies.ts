/** The files of proxies whose formats are read: who gets through them. */
import { groupBy } from '../../util/group-by.js';
import { oncePer } from '../../util/once-per.js';
import type { GatedHop } from '../reach/hop.js';
import { caddyForwards } from '../sources/proxies/caddy.js';
import type { FilesAround, ProxyReader } from '../sources/proxies/directive.js';
import { haproxyForwards } from '../sources/proxies/haproxy.js';
import { nginxForwards } from '../sources/proxies/nginx.js';
import { traefikForwards } from '../sources/proxies/traefik.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { mayForward } from './forwards.js';
import { mountersOf, type Surroundings } from './places.js';

const readers: readonly ProxyReader[] = [nginxForwards, haproxyForwards, traefikForwards, caddyForwards];

/** Files that all files together include. */
const maxIncluded = 5_000;

/** A file, and the files that it includes, directly or not. */
export interface Joined {
  readonly file: LineIndex;
  readonly includes: ReadonlyMap<string, LineIndex>;
  readonly forwards: readonly GatedHop[];
}

/** The files of proxies, each with the files that it includes: these are not read by themselves. */
export function proxiesIn(files: readonly LineIndex[], around: Surroundings): readonly Joined[] {
  let left = maxIncluded;
  const mounters = oncePer((file: LineIndex) => new Set(mountersOf(file, around)));
  const isBeside = (one: LineIndex, other: LineIndex) => {
    const [own, others] = [mounters(one), mounters(other)];
    return own.size === others.size && [...own].every((mounter) => others.has(mounter));
  };
  const all = files.flatMap((file) => {
    const key = around.keyOf(file);
    if (!mayForward(file.text, file.file)) return [];
    const includes = new Map<string, LineIndex>();
    const included: FilesAround['included'] = (path, parse, from = file) => {
      const found = around.included(path, from);
      left -= found?.length ?? 0;
      if (found === null || left < 0 || !found.every((one) => isBeside(one, file))) return null;
      const read = found.flatMap((one) => parse(one) ?? []);
      if (found.some((one) => parse(one) === null)) return null;
      for (const one of found) includes.set(around.keyOf(one), one);
      return read;
    };
    const beside = (path: string) => around.textOf(path, file);
    return [{ key, file, includes, forwards: proxyForwards(file.text, { beside, included }) }];
  });
  const including = groupBy(
    all.flatMap((one) => [...one.includes.keys()].map((key) => ({ key, one }))),
    ({ key }) => key,
  );
  return all.filter(
    ({ key, includes }) => including.get(key)?.every(({ one }) => includes.has(one.key)) !== false,
  );
}

/** The forwards of a text in the first of these formats that it has; none where it has none. */
export function proxyForwards(text: string, around: FilesAround): readonly GatedHop[] {
  for (const read of readers) {
    const found = read(text, around);
    if (found !== null) return found;
  }
  return [];
}
