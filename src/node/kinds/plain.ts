/** The answers of a kind that has nothing of its own there: what it states beside them counts instead. */
import { closest } from '../../util/closest.js';
import { once } from '../../util/once.js';
import type { ListenerKind } from '../facts/settings.js';
import { commonModule } from './common-modules.js';
import { executionPolicies } from './execution-policies.js';
import { plainFlags } from './flags.js';
import { type History, type Releases, type Turn, testsOf } from './history.js';
import { flagsIn, type InterfaceRows } from './interfaces.js';
import type {
  Flag,
  FlagSet,
  Flags,
  Interfaces,
  Kind,
  KindReleases,
  Module,
  Modules,
  Probes,
  ReleaseEvidence,
  Secret,
  Signs,
} from './kind.js';
import { partDecided } from './listening.js';
import { isPublicSecret } from './public-secrets.js';
import { readMethod } from './request.js';

/** A kind without scripts, whose nodes execute blocks of Ethereum or of a chain like it. */
export const executionClient = {
  launchers: null,
  policies: executionPolicies,
  roles: Object.keys(executionPolicies),
  roleOf: () => null,
  isForked: true,
} satisfies Partial<Kind>;

/** A kind at one of its releases, by its histories and by what else turns from release to release. */
export function datedKind<Tag extends string>(
  releases: Releases<Tag>,
  id: string,
  at: KindReleases['at'],
  histories: readonly Pick<History<unknown, Tag>, 'testsOf'>[],
  turns: readonly Turn<Tag>[],
): Pick<Kind, 'release' | 'releases' | 'at' | 'parts'> {
  return {
    release: releases.named(id),
    releases: releases.all,
    at: at as () => Kind,
    parts: (since, until, uses) => releases.partsBy(since, until, testsOf(releases, uses, histories, turns)),
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

/** The interfaces of a kind that opens few. */
export function plainInterfaces(rows: InterfaceRows, ports: Readonly<Partial<Record<ListenerKind, number>>>) {
  return {
    flags: flagsIn(rows),
    caps: [],
    profilers: [],
    metricsPath: '/metrics',
    checks: { host: true, wsOrigin: true },
    serves: {},
    defaultPort: (kind) => ports[kind] ?? 0,
    networkId: () => null,
  } satisfies Partial<Interfaces>;
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
    commonKeys: new Set(),
    commonVariables: new Set(),
  } satisfies Partial<Signs>;
}

/** The modules in rows of a release, by name. */
export function catalogueOf(rows: readonly (Module & { readonly name: string })[]): Modules['catalogue'] {
  return Object.fromEntries(
    rows.map(({ name, severity, privileged, does }) => [name, { severity, privileged, does }]),
  );
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

/** Nothing tells the release. */
export const noEvidence: ReleaseEvidence = {
  ofVersion: () => null,
  ofImage: () => null,
  ofPackage: () => null,
  ofClient: () => null,
  ofBuild: () => null,
  ofName: () => null,
  ofUses: () => null,
};

/** Modules that have one name each, and that every node has. */
export function plainModules(catalogue: Modules['catalogue'], builtIn: readonly string[]): Modules {
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
    switchOf: () => null,
    likely: () => [],
    existing: () => ({ sure: names, maybe: [] }),
    publicParts: null,
    offered: ({ sure }, list) => sure.filter((name) => (list ?? builtIn).includes(name)),
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
