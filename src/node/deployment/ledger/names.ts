/** Names that people give to scripts, containers and images, and the node or client that they name. */
import type { Kind } from '../../kinds/kind.js';
import { otherOfName } from '../../kinds/others.js';
import { productsOf } from './vocabulary.js';

/** Words that begin or end the name of what is no node. */
const other = new Set(
  (
    'stop kill backup restore check health healthcheck liveness readiness ready probe wait install uninstall test tests lint ' +
    'build monitor exporter export import metrics alert alerts clean cleanup prune purge rotate download upgrade update status ' +
    'log logs watch stats attach console keygen keys snapshot indexer scan scanner crawler bot explorer app api web ui frontend ' +
    'backend worker relayer bridge wallet faucet dashboard notify report deploy'
  ).split(' '),
);

/** Whether the name is that of something else about a node: `geth-backup`, `wait-for-geth`, `bsc-indexer`. */
export function isOther(name: string): boolean {
  const [first = '', ...rest] = name
    .toLowerCase()
    .replace(/[-_](?:with|for|from)[-_].*/, '')
    .split(/[-_.]/);
  return other.has(first) || other.has(rest.at(-1) ?? '');
}

/** The node or client that the longest run of the parts of a name names. */
export function startOf(kinds: readonly Kind[], name: string) {
  const parts = [...name.matchAll(/[A-Za-z0-9]+/g)].slice(0, 8);
  for (let length = parts.length; length > 0; length -= 1)
    for (let from = 0; from + length <= parts.length; from += 1) {
      const last = parts[from + length - 1];
      const whole = name.slice(parts[from]?.index, (last?.index ?? 0) + (last?.[0].length ?? 0));
      const starts = [whole, whole.toLowerCase(), whole.toLowerCase().replaceAll('_', '-')]
        .map((one) => kinds.find((kind) => isNamed(kind, one)) ?? otherOfName(one))
        .find((one) => one !== null);
      if (starts !== undefined) return { whole, starts };
    }
  return null;
}

function isNamed(kind: Kind, name: string): boolean {
  return [kind.programs, kind.launchers?.names, productsOf(kind)].some(
    (names) => names?.includes(name) === true,
  );
}
