/** The answers of a kind that has nothing of its own there: what it states beside them counts instead. */
import { closest } from '../../util/closest.js';
import { commonModule } from './common-modules.js';
import { executionPolicies } from './execution-policies.js';
import type { Kind, Module, Modules, Probes, ReleaseEvidence } from './kind.js';
import { readMethod } from './request.js';

/** A kind without scripts, whose nodes execute blocks of Ethereum or of a chain like it. */
export const executionClient = {
  launchers: null,
  policies: executionPolicies,
  roles: Object.keys(executionPolicies),
  roleOf: () => null,
  isForked: true,
} satisfies Partial<Kind>;

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
