/** The files of proxies whose formats are read: who gets through them. */
import { nginxForwards } from './proxies/nginx.js';
import type { ProxyForward, ProxyReader } from './proxies/passage.js';

export type { Passage, ProxyForward } from './proxies/passage.js';

const readers: readonly ProxyReader[] = [nginxForwards];

/** The forwards of a file in the first of these formats that it has; none where it has none. */
export function proxyForwards(text: string): readonly ProxyForward[] {
  for (const read of readers) {
    const found = read(text);
    if (found !== null) return found;
  }
  return [];
}
