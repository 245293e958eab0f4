/** A kind of node from its own properties; the others are those of a plain node. */

import { go } from '../../../src/node/dialect/go/index.js';
import { noEvidence } from '../../../src/node/kinds/evidence.js';
import { type Flag, type Flags, flagSet } from '../../../src/node/kinds/flags.js';
import type { InterfaceRows } from '../../../src/node/kinds/interfaces.js';
import type {
  Identity,
  Interfaces,
  Kind,
  Modules,
  Probes,
  ReleaseEvidence,
  Signs,
} from '../../../src/node/kinds/kind.js';
import { listenersOf, type Quirk } from '../../../src/node/kinds/listening.js';
import {
  datedFlags,
  plainInterfaces,
  plainModules,
  plainProbes,
  plainSigns,
} from '../../../src/node/kinds/plain.js';

type Parts = 'signs' | 'flags' | 'interfaces' | 'modules' | 'identity' | 'probes';
type Required = 'id' | 'label' | 'releases' | 'programs';

/**
 * What a kind has to state, and what it may state. A plain node has one set of flags for all its programs, every module
 * of its catalogue, no launcher and no config file; it starts with any settings that its flags allow.
 */
type OwnKind = Pick<Kind, Required> &
  Partial<Omit<Kind, Required | Parts>> & {
    readonly flags: Partial<Flags> & { readonly all: readonly Flag[] };
    readonly interfaces: Partial<Interfaces> & {
      readonly rows: InterfaceRows;
      readonly quirks?: readonly Quirk[];
    };
    readonly modules: Partial<Modules> & Pick<Modules, 'catalogue' | 'builtIn'>;
    readonly signs?: Partial<Signs>;
    readonly identity?: Partial<Identity>;
    readonly probes?: Partial<Probes>;
  };

/** The whole kind. */
export function defineKind(own: OwnKind): Kind {
  const { all, ...ownFlags } = own.flags;
  const { rows, quirks = [], ...ownInterfaces } = own.interfaces;
  const set = flagSet(own.dialect ?? go, all);
  const named = { newest: (name: string) => set.byName.get(name) ?? null };
  const period = (name: string) => (set.byName.has(name) ? {} : null);
  const flags: Flags = {
    ...datedFlags(
      () => set,
      { ...named, period },
      () => rows,
    ),
    identity: [],
    dataFolder: null,
    ...ownFlags,
  };
  const modules: Modules = {
    ...plainModules(
      Object.entries(own.modules.catalogue).map(([name, module]) => ({ name, ...module })),
      own.modules.builtIn,
    ),
    on: (_node, name) => own.modules.catalogue[name] ?? null,
    ...own.modules,
  };
  const usual = plainInterfaces(rows, flags.ofAnyRelease);
  const interfaces: Interfaces = {
    ...usual,
    profilers: ['metrics', 'pprof'],
    socketName: `${own.id}.ipc`,
    ...ownInterfaces,
  };
  const release = own.release ?? own.releases.at(-1);
  if (release === undefined) throw new Error(`${own.id} has no release`);
  const never = /(?!)/;
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
    dialect: go,
    launchers: null,
    policies: {},
    roles: [],
    listeners: (start) =>
      listenersOf({ rows, quirks, modules, holds: () => true, socketName: interfaces.socketName }, start).map(
        (one) =>
          usual.flags[one.kind].port === null && one.port === null && one.path === null
            ? { ...one, port: interfaces.defaultPort(one.kind as 'http') }
            : one,
      ),
    answers: () => Promise.reject(new Error(`${own.id} is not simulated`)),
    startProblems: () => [],
    peerPorts: () => [],
    roleOf: () => null,
    ...own,
    flags,
    interfaces,
    modules,
    signs: {
      ...plainSigns(own.programs, never),
      image: new RegExp(`(?<![\\w.@-])(?:${own.programs.join('|')})(?![\\w@])`),
      variable: new RegExp(`^(?:${all.flatMap(({ environment }) => environment).join('|')})$`),
      flag: never,
      otherProgram: never,
      ...own.signs,
    },
    identity: {
      chains: [],
      client: new RegExp(`^${own.id}/`, 'i'),
      ownModules: [],
      ...own.identity,
    },
    probes: { ...plainProbes, accounts: [], logged: false, ...own.probes },
  };
}

/** For a kind with one known release, which needs no evidence. */
export const unversioned: ReleaseEvidence = noEvidence;
