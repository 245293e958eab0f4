/** A kind of node from its own properties; the others are those of a plain node. */

import type { Dialect } from '../../../src/node/dialect/dialect.js';
import { go } from '../../../src/node/dialect/go/index.js';
import {
  isLocal,
  type Listener,
  type ListenerKind,
  listenerKinds,
} from '../../../src/node/facts/settings.js';
import { type Flag, type Flags, flagSet, plainFlags as usualFlags } from '../../../src/node/kinds/flags.js';
import { flagsOf } from '../../../src/node/kinds/interfaces.js';
import type {
  Identity,
  Interfaces,
  Kind,
  ListenerFlags,
  Module,
  Modules,
  Probes,
  ReleaseEvidence,
  Signs,
  Start,
} from '../../../src/node/kinds/kind.js';
import {
  fixed,
  items,
  listedModules,
  partDecided,
  switchedListener,
} from '../../../src/node/kinds/listening.js';
import { closest } from '../../../src/util/closest.js';
import { listener } from '../judge/facts.js';

type Parts = 'signs' | 'flags' | 'interfaces' | 'modules' | 'identity' | 'probes';
type Required = 'id' | 'label' | 'releases' | 'programs';

type OptionalKind = 'https' | 'socket' | 'engine-ipc' | 'beacon' | 'mcp';

/** The flags of the interfaces that a kind has. */
type OwnListenerFlags = {
  readonly [Name in ListenerKind]?: Name extends OptionalKind
    ? ListenerFlags[Name]
    : Partial<ListenerFlags[Name]>;
};

/**
 * What a kind has to state, and what it may state. A plain node has one set of flags for all its programs, every module
 * of its catalogue, no launcher and no config file; it starts with any settings that its flags allow.
 */
type OwnKind = Pick<Kind, Required> &
  Partial<Omit<Kind, Required | Parts>> & {
    readonly flags: Partial<Flags> & { readonly all: readonly Flag[] };
    readonly interfaces: Partial<Omit<Interfaces, 'flags'>> & {
      readonly flags: OwnListenerFlags;
      /** The flag of the token that callers need. */
      readonly token?: string;
    };
    readonly modules: Partial<Modules> & Pick<Modules, 'catalogue' | 'builtIn'>;
    readonly signs?: Partial<Signs>;
    readonly identity?: Partial<Identity>;
    readonly probes?: Partial<Probes>;
  };

/**
 * The whole kind. Its default listeners are http and ws with their lists, and grpc, pprof, metrics and mainbridge where
 * they have flags; a kind with ipc states its listeners itself.
 */
export function defineKind(own: OwnKind): Kind {
  const { all, ...ownFlags } = own.flags;
  const { token = null } = own.interfaces;
  const listenerFlags = complete(own.interfaces.flags);
  const flags: Flags = { ...plainFlags(all, listenerFlags, own.dialect ?? go), ...ownFlags };
  const modules: Modules = { ...plainModules(own.modules), ...own.modules };
  const interfaces: Interfaces = {
    defaultPort(kind) {
      const { port } = flagsOf({ flags: listenerFlags }, kind);
      return Number(port === null ? null : flags.fallback(port));
    },
    profilers: ['metrics', 'pprof'],
    metricsPath: '/metrics',
    checks: { host: true, wsOrigin: true },
    serves: {},
    socketName: `${own.id}.ipc`,
    networkId: () => null,
    caps: [],
    ...own.interfaces,
    flags: listenerFlags,
  };
  const release = own.release ?? own.releases.at(-1);
  if (release === undefined) throw new Error(`${own.id} has no release`);
  return {
    release,
    at() {
      return this;
    },
    parts: (since, until) => [{ since, until }],
    evidence: unversioned,
    // A first word without a dash is a command, such as `version`.
    startsNode: ([first]) => first === undefined || first.startsWith('-'),
    seenRunning: true,
    isForked: false,
    consoles: [],
    usualLauncher: own.programs[0] ?? own.id,
    programOf: (launcher) => launcher,
    launcherOf: (program) => (own.programs.includes(program) ? program : null),
    programOfBuild: () => null,
    configFile: null,
    secrets: [],
    listeners: (start) =>
      listenerKinds
        .filter((kind) => Object.hasOwn(listenerFlags, kind))
        .map((kind) => plainListener(start, kind, interfaces, modules))
        .map((one) => (start.values[token ?? '']?.value == null ? one : { ...one, login: 'token' })),
    answers: () => Promise.reject(new Error(`${own.id} is not simulated`)),
    startProblems: () => [],
    dialect: go,
    peerPorts: () => [],
    launchers: null,
    policies: {},
    roles: [],
    roleOf: () => null,
    ...own,
    flags,
    interfaces,
    modules,
    signs: { ...plainSigns(own.programs, all), ...own.signs },
    identity: {
      chains: [],
      namesItself: (client) => client.toLowerCase().startsWith(`${own.id}/`),
      offersOwn: () => false,
      ...own.identity,
    },
    probes: {
      accounts: [],
      wallets: null,
      unsafeDebug: null,
      namespaces: [],
      otherHalf: null,
      refusesNamedParameters: true,
      parameterMethods: [],
      excludes: {},
      logged: false,
      ...own.probes,
    },
  };
}

/** For a kind with one known release, which needs no evidence. */
export const unversioned: ReleaseEvidence = {
  ofVersion: () => null,
  ofImage: () => null,
  ofPackage: () => null,
  ofClient: () => null,
  ofBuild: () => null,
  ofName: () => null,
  ofUses: () => null,
};

/** The flags of every interface; null for those that the kind does not have. */
function complete(own: OwnListenerFlags): ListenerFlags {
  const none = { enable: null, addr: null, port: null };
  const listed = { ...none, api: null, origins: null };
  return {
    ...own,
    http: { ...listed, vhosts: null, ...own.http },
    ws: { ...listed, ...own.ws },
    authrpc: { ...none, ...own.authrpc },
    graphql: { ...none, ...own.graphql },
    grpc: { ...none, ...own.grpc },
    pprof: { ...none, ...own.pprof },
    metrics: { enable: null, port: null, ...own.metrics },
    mainbridge: { enable: null, port: null, ...own.mainbridge },
    ipc: { enable: null, ...own.ipc },
  };
}

function plainFlags(all: readonly Flag[], listenerFlags: ListenerFlags, dialect: Dialect): Flags {
  const set = flagSet(dialect, all);
  return {
    ...usualFlags,
    of: () => set,
    fallback: (name) => set.byName.get(name)?.fallback ?? null,
    ofAnyRelease: (name) => set.byName.get(name) ?? null,
    period: (name) => (set.byName.has(name) ? {} : null),
    decides: (name) => partDecided(listenerFlags, name),
    identity: [],
    dataFolder: null,
  };
}

/** A list offers the modules it names; names are those of the catalogue and have no other form. */
function plainModules({ catalogue, builtIn }: OwnKind['modules']): Omit<Modules, 'catalogue' | 'builtIn'> {
  const names = Object.keys(catalogue).sort();
  const named = (name: string): Module | null =>
    Object.hasOwn(catalogue, name) ? (catalogue[name] ?? null) : null;
  return {
    inert: {},
    emptyMeansAll: false,
    publicParts: null,
    usual: builtIn.filter((name) => named(name)?.privileged === false),
    signing: [],
    signingMethods: [],
    canonical: (name) => name,
    listed: (name) => (Object.hasOwn(catalogue, name) ? name : null),
    namesOf: (name) => [name],
    closest: (name) => closest(name, names),
    foreign: () => ({ severity: 'medium', does: 'do what kaiactl does not know' }),
    isPrivileged: (name) => named(name)?.privileged ?? true,
    isKnownPrivileged: (name) => named(name)?.privileged === true,
    on: (_node, name) => named(name),
    switchOf: () => null,
    likely: () => [],
    existing: () => ({ sure: names, maybe: [] }),
    offered: ({ sure }, list) => sure.filter((name) => (list ?? builtIn).includes(name)),
  };
}

/** Its programs' names and its flags' environment variables show a kind; the form of its flags does not. */
function plainSigns(programs: readonly string[], flags: readonly Flag[]): Signs {
  const anyOf = (names: readonly string[]) => names.map((name) => name.replaceAll('.', '\\.')).join('|');
  const name = new RegExp(`(?<![\\w.@-])(?:${anyOf(programs)})(?![\\w@])`);
  const never = /(?!)/;
  return {
    name,
    image: name,
    variable: new RegExp(`^(?:${anyOf(flags.flatMap(({ environment }) => environment))})$`),
    generator: null,
    entrypoint: null,
    flag: never,
    besideFlag: null,
    otherProgram: never,
    commonKeys: new Set(),
    commonVariables: new Set(),
  };
}

function plainListener(start: Start, kind: ListenerKind, interfaces: Interfaces, modules: Modules): Listener {
  if (isLocal(kind)) return listener(kind);
  const { values } = start;
  const flags = flagsOf(interfaces, kind);
  const lists = kind === 'http' || kind === 'ws' ? interfaces.flags[kind] : null;
  const existing = modules.existing(start.launcher, values);
  const itemsOf = (flag: string | null) => (flag === null ? [] : items(values[flag]));
  const own = switchedListener(
    start,
    kind,
    flags,
    lists === null
      ? fixed(null)
      : {
          ...listedModules(start, lists.api, (list) => modules.offered(existing, list)),
          origins: itemsOf(lists.origins),
          vhosts: kind === 'http' ? itemsOf(interfaces.flags.http.vhosts) : null,
        },
  );
  const isPortFixed = flags.enable !== null && flags.port === null;
  return isPortFixed ? { ...own, port: interfaces.defaultPort(kind) } : own;
}
