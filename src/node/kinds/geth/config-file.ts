/** The TOML file of --config, as a release reads it. */
import { once } from '../../../util/once.js';
import type { Period } from '../../facts/release.js';
import { historyOf } from '../history.js';
import type { FlagSet, TomlFile } from '../kind.js';
import { configKeys, forkKeys, type KeyRow } from './config-keys.js';
import { type Flavour, gethFlavour, type Tag } from './flavours.js';
import { nameIn } from './names.js';

interface Key extends Period<Tag> {
  readonly name: string;
  /** It is null if no flag sets it. */
  readonly flag: string | null;
}

/** The keys of a table, each under its section. */
function keysIn(table: readonly KeyRow[]): readonly Key[] {
  return table.flatMap(([section, keys, { flag = null, ...period } = {}]) =>
    keys.map((key) => ({ name: section === '' ? key : `${section}.${key}`, flag, ...period })),
  );
}

/** The keys of geth, and of no fork. */
export const keyHistory = historyOf(gethFlavour.releases, () => keysIn(configKeys));

/** The file as a release reads it, with tables that are made on demand; of a fork, only the keys of [Node] are all listed. */
export function configFileAt(flavour: Flavour, release: string, set: () => FlagSet, fork: string): TomlFile {
  const holds = (period: Period<Tag>) => flavour.releases.holds(release, period);
  const own = forkKeys[fork === '' ? flavour.id : fork] ?? [];
  const isGeth = flavour === gethFlavour && fork === '';
  const known = once(() => [...keyHistory.rows().filter(holds), ...keysIn(own)]);
  const names = once(() => new Set(known().map(({ name }) => name)));
  const sections = new Set<string>(isGeth ? configKeys.map(([section]) => section) : ['Node', 'Node.P2P']);
  /** The flag under its name at the release, if it has one. */
  const named = (flag: string) => [nameIn(set(), flag) ?? []].flat();
  const pairsOf = (name: string, flag: string) => named(flag).map((one) => [name, one] as const);
  const keys = once(() => new Map(known().flatMap(({ name, flag }) => pairsOf(name, flag ?? ''))));
  return {
    flag: 'config',
    format: 'toml',
    get keys() {
      return keys();
    },
    get names() {
      return names();
    },
    isRefused(key) {
      const parts = key.split('.');
      const upTo = (at: number) => parts.slice(0, at).join('.');
      return parts.some((_, at) => sections.has(upTo(at)) && !names().has(upTo(at + 1)));
    },
    get switches() {
      return new Map(
        ['http', 'ws'].flatMap((kind) => named(`${kind}.addr`).flatMap((addr) => pairsOf(addr, kind))),
      );
    },
    // Later, that on the command line counts (cmd/utils/flags.go, setHTTP).
    keepsAddress: holds({ until: 'v1.13.5' }),
    reads: () => 'all',
  };
}
