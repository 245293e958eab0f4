/** The TOML file of --config, as a release reads it. */
import { once } from '../../../util/once.js';
import type { FlagSet, Period, TomlFile } from '../kind.js';
import { isWithin } from '../tags.js';
import { configKeys, forkKeys } from './config-keys.js';
import { type Flavour, gethFlavour } from './flavours.js';
import { nameIn } from './names.js';
import { releaseNamed } from './releases.js';

interface Row extends Period {
  readonly key: string;
  /** null: no flag sets it. */
  readonly flag: string | null;
}

/** The keys of a table, each under its section. */
export function keysIn(table: string): readonly Row[] {
  let section = '';
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [first = '', second, ...rest] = line.trim().split(' ');
      if (second === undefined) {
        section = `${first}.`;
        return [];
      }
      const isUnset = first === '-';
      const [since = '', until = ''] = (isUnset ? second : (rest[0] ?? '')).split('..');
      const period = { ...(since === '' ? {} : { since }), ...(until === '' ? {} : { until }) };
      return (isUnset ? rest : [first]).map((key) => ({
        ...{ key: section + key, flag: isUnset ? null : second },
        ...period,
      }));
    });
}

const gethRows = once(() => keysIn(configKeys));

/** The periods of geth in which a key, or a section, is there. */
export function periodsOfKey(name: string): readonly Period[] {
  return name.startsWith('Eth.') || name.startsWith('Node.')
    ? gethRows().filter(({ key }) => key === name)
    : [];
}

/** From this release on, an address on the command line counts over that of the file (cmd/utils/flags.go, setHTTP). */
const flagOverFileSince = 'v1.13.6';

/** The file as a release reads it, by its flags; of a fork, only the keys of [Node] are all listed. */
export function configFileAt(flavour: Flavour, release: string, flags: FlagSet, fork: string): TomlFile {
  const { base } = releaseNamed(flavour, release);
  const holds = (period: Period) => isWithin(base, period);
  const own = forkKeys[fork === '' ? flavour.id : fork];
  const isGeth = flavour === gethFlavour && fork === '';
  const known = once(() => [...gethRows().filter(holds), ...(own === undefined ? [] : keysIn(own))]);
  const names = once(() => new Set(known().map(({ key }) => key)));
  const sections = once(
    () => new Set(gethRows().map(({ key }) => key.slice(0, Math.max(0, key.lastIndexOf('.'))))),
  );
  const isListed = (section: string) =>
    isGeth ? sections().has(section) : /^(?:Node|Node\.P2P)$/.test(section);
  const named = (name: string) => nameIn(flags, name);
  const keys = once(
    () =>
      new Map(
        known().flatMap(({ key, flag }) => {
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
    keepsAddress: !holds({ since: flagOverFileSince }),
    reads: () => 'all',
  };
}
