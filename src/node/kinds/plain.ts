/** The answers of a kind that has nothing of its own there: what it states beside them counts instead. */
import { closest } from '../../util/closest.js';
import { once } from '../../util/once.js';
import type { Settings } from '../facts/settings.js';
import { commonModule, existingIn, type ModuleForm } from './common-modules.js';
import { plainFlags } from './flags.js';
import type { History } from './history.js';
import { flagsIn, type InterfaceRows } from './interfaces.js';
import type {
  Flag,
  FlagSet,
  Flags,
  Interfaces,
  KindWords,
  Module,
  Modules,
  PeerPort,
  Probes,
  Secret,
  Signs,
} from './kind.js';
import { partDecided } from './listening.js';
import { isPublicSecret } from './public-secrets.js';
import { readMethod } from './request.js';

/** Whether words start a node: they hold no command, or that of a console. `newest` finds a flag by its name. */
export function startsUnless(
  commands: ReadonlySet<string>,
  { dialect, consoles }: Pick<KindWords, 'dialect' | 'consoles'>,
  newest: (name: string) => Flag | null,
): KindWords['startsNode'] {
  return (words) => {
    if (/^(?:--?help|--?version|-h)$/.test(words.join(' '))) return false;
    const command = dialect.commandIn(words, (name) => newest(name)?.type !== 'bool');
    if (command === null || consoles.includes(command)) return true;
    return !/^[a-z]/.test(words[0] ?? '') && !commands.has(command);
  };
}

/** The flags of a kind with one program, by what its releases have. `rows`: of its interfaces. */
export function datedFlags(
  of: () => FlagSet,
  { newest, period }: Pick<History<Flag>, 'newest' | 'period'>,
  rows: () => InterfaceRows,
) {
  const flags = once(() => flagsIn(rows()));
  return {
    ...plainFlags,
    of,
    fallback: (name) => of().byName.get(name)?.fallback ?? null,
    ofAnyRelease: newest,
    period,
    decides: (name) => partDecided(flags(), name),
  } satisfies Partial<Flags>;
}

/** The interfaces of a kind that opens few. `newest` finds a flag by its name. */
export function plainInterfaces(rows: InterfaceRows, newest: (name: string) => Flag | null) {
  const flags = flagsIn(rows);
  return {
    flags,
    caps: [],
    profilers: [],
    metricsPath: '/metrics',
    checks: { host: true, wsOrigin: true },
    serves: {},
    defaultPort: (kind) => Number(/\d*$/.exec(newest(flags[kind].port ?? '')?.fallback ?? '')?.[0]),
    networkId: () => null,
    socketName: '',
  } satisfies Interfaces;
}

/** Few words show the kind: its programs and its images. */
export function plainSigns(programs: readonly string[], image: RegExp) {
  return {
    name: new RegExp(`(?:^|[^\\w.@-])(?:${programs.join('|')})(?![\\w@.-])|${image.source}`, 'm'),
    image,
    variable: /(?!)/,
    generator: null,
    entrypoint: null,
    besideFlag: null,
    flag: /(?!)/,
    otherProgram: /(?!)/,
    commonKeys: new Set(),
    commonVariables: new Set(),
  } satisfies Signs;
}

/** The modules in rows of a release, by name. */
export function catalogueOf(forms: readonly ModuleForm[]): Modules['catalogue'] {
  return Object.fromEntries(
    forms.map(({ name, severity, privileged, does }) => [name, { severity, privileged, does }]),
  );
}

/** A port for peers: its protocol, its flag, the node's own default, and what opens it; absent if every node does. */
export type PeerRow = readonly [
  protocol: PeerPort['protocol'],
  flag: string,
  fallback: number,
  isOpen?: (values: Settings['values']) => boolean,
];

/** The ports of rows; one of a text is that at its end, as in `:32323`. */
export function peersIn(rows: readonly PeerRow[], values: Settings['values']): readonly PeerPort[] {
  return rows.map(([protocol, flag, fallback, isOpen = () => true]) => {
    const { value, indeterminate = null } = values[flag] ?? {};
    const digits = indeterminate === null ? /(?:^|:)(\d+)$/.exec(`${value ?? fallback}`)?.[1] : undefined;
    return { protocol, port: digits === undefined ? null : Number(digits), fallback, isOpen: isOpen(values) };
  });
}

/** True unless one of some switches is on. */
export function unless(...flags: readonly string[]) {
  return (values: Settings['values']) => flags.every((flag) => values[flag]?.value !== true);
}

/** The secret of the engine API. */
export function engineSecret(file: string): Secret {
  return {
    flag: 'authrpc.jwtsecret',
    inDataFolder: file,
    isFolder: false,
    opens: 'authrpc',
    holds: 'the secret of the engine API',
    isPublic: isPublicSecret,
  };
}

/** The key of the node. */
export function nodeKey(flag: string, file: string): Secret {
  return { flag, inDataFolder: file, isFolder: false, holds: 'the node’s key' };
}

/** The modules of a release, which have one name each, and of which lists offer those they name, and rpc. */
export function plainModules(forms: readonly ModuleForm[], builtIn: readonly string[]): Modules {
  const catalogue = catalogueOf(forms);
  const names = Object.keys(catalogue).sort();
  const named = (name: string): Module | null =>
    Object.hasOwn(catalogue, name) ? (catalogue[name] ?? null) : null;
  return {
    catalogue,
    builtIn,
    inert: {},
    emptyMeansAll: false,
    usual: builtIn.filter((name) => named(name)?.privileged === false),
    signing: [],
    signingMethods: [],
    canonical: (name) => name,
    listed: (name) => (named(name) === null ? null : name),
    namesOf: (name) => (named(name) === null ? [] : [name]),
    closest: (name) => closest(name, names),
    foreign: () => ({ severity: 'medium', does: 'do what kaiactl does not know' }),
    isPrivileged: (name) => named(name)?.privileged ?? true,
    isKnownPrivileged: (name) => named(name)?.privileged === true,
    // A node may offer more than its release has.
    on: (_node, name) => named(name) ?? commonModule(name),
    switchOf: (name) => forms.find((form) => form.name === name)?.bySwitch?.[0] ?? null,
    likely: () => [],
    existing: (_launcher, values) => existingIn(forms, values),
    publicParts: null,
    offered({ sure, maybe }, list) {
      const offers = (name: string) => name === 'rpc' || (list ?? builtIn).includes(name);
      return maybe.some(offers) ? null : sure.filter(offers);
    },
  };
}

export const plainProbes: Probes = {
  accounts: [{ module: 'eth', method: readMethod('eth_accounts') }],
  wallets: null,
  unsafeDebug: null,
  namespaces: [],
  refusesNamedParameters: true,
  parameterMethods: [],
  otherHalf: null,
  excludes: {},
  logged: true,
};
