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

/** In these releases, an address on the command line counts over that of the file (cmd/utils/flags.go, setHTTP). */
const flagOverFile: Period<Tag> = { since: 'v1.13.6' };

/** The file as a release reads it, by its flags; of a fork, only the keys of [Node] are all listed. */
export function configFileAt(flavour: Flavour, release: string, flags: FlagSet, fork: string): TomlFile {
  const holds = (period: Period<Tag>) => flavour.releases.holds(release, period);
  const own = forkKeys[fork === '' ? flavour.id : fork] ?? [];
  const isGeth = flavour === gethFlavour && fork === '';
  const known = once(() => [...keyHistory.rows().filter(holds), ...keysIn(own)]);
  const names = once(() => new Set(known().map(({ name }) => name)));
  const sections = once(() => new Set<string>(configKeys.map(([section]) => section)));
  const isListed = (section: string) =>
    isGeth ? sections().has(section) : /^(?:Node|Node\.P2P)$/.test(section);
  const named = (name: string) => nameIn(flags, name);
  const keys = once(
    () =>
      new Map(
        known().flatMap(({ name: key, flag }) => {
          const name = flag === null ? null : named(flag);
          return name === null ? [] : [[key, name] as const];
        }),
      ),
  );
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
      return parts.some(
        (_, at) => isListed(parts.slice(0, at).join('.')) && !names().has(parts.slice(0, at + 1).join('.')),
      );
    },
    switches: new Map(
      (['http', 'ws'] as const).flatMap((kind) => {
        const [address, enable] = [named(`${kind}.addr`), named(kind)];
        return address === null || enable === null ? [] : [[address, enable] as const];
      }),
    ),
    keepsAddress: !holds(flagOverFile),
    reads: () => 'all',
  };
}
