/** The files of proxies whose formats are read: who gets through them. */
import { apacheForwards } from './proxies/apache.js';
import { caddyForwards } from './proxies/caddy.js';
import { envoyForwards } from './proxies/envoy.js';
import { haproxyForwards } from './proxies/haproxy.js';
import { nginxForwards } from './proxies/nginx.js';
import type { Beside, ProxyForward, ProxyReader } from './proxies/passage.js';
import { traefikForwards } from './proxies/traefik.js';

export { unjudgedFilter } from './proxies/conditions.js';
export { alone, placeOf, placeOfText, type Surroundings } from './proxies/containers.js';
export {
  type Beside,
  deniesLocal,
  onMachine,
  type Passage,
  type ProxyForward,
  passageOf,
  type Where,
  wider,
} from './proxies/passage.js';
export { machineBehind } from './proxies/where.js';

const readers: readonly ProxyReader[] = [
  nginxForwards,
  haproxyForwards,
  apacheForwards,
  traefikForwards,
  envoyForwards,
  caddyForwards,
];

/** The forwards of a file in the first of these formats that it has; none where it has none. */
export function proxyForwards(text: string, beside: Beside): readonly ProxyForward[] {
  for (const read of readers) {
    const found = read(text, beside);
    if (found !== null) return found;
  }
  return [];
}
