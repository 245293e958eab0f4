/** Every kind of node that kaiactl knows. */
import type { EndpointFacts } from '../facts/live.js';
import type { Policy } from '../facts/policy.js';
import type { Settings } from '../facts/settings.js';
import { kinds } from './all.js';
import { commonModule } from './common-modules.js';
import type { Kind, ListenerFlags, Module, NodeIdentity, UnsafeDebug } from './kind.js';
import { isExact } from './release.js';

export { kinds };

/** The kind of facts that older versions saved without a kind: those versions knew only the first. */
export const olderKind: string = (kinds[0] as Kind).id;

/** True for a node of a known kind. A node of another kind is judged by what holds for any node. */
export function isKnown({ kind }: Pick<NodeIdentity, 'kind'>): boolean {
  return kinds.some(({ id }) => id === kind);
}

/** A module on this node: from the table of its kind, else from the common modules. null: unknown module. */
export function moduleOn(node: NodeIdentity, name: string): Module | null {
  const kind = kindKnown(node);
  return kind === null ? commonModule(name) : kind.modules.on(node, name);
}

/** The name that a node of this kind reports for a module; of an unknown kind, the name itself. */
export function canonicalModule({ kind }: Pick<NodeIdentity, 'kind'>, name: string): string {
  return kinds.find(({ id }) => id === kind)?.modules.canonical(name) ?? name;
}

/**
 * The kind of node by its answers: the id of a known kind, or the first part of the client's name in lower case, such
 * as `geth`. null: the answers do not show the kind, for example because the interface does not offer web3.
 */
export function kindAnswering({ modules, client }: Pick<EndpointFacts, 'modules' | 'client'>): string | null {
  const names = modules.state === 'seen' ? Object.keys(modules.value) : [];
  const offers = kinds.find(({ identity }) => identity.offersOwn(names));
  if (offers !== undefined) return offers.id;
  if (client.state !== 'seen') return null;
  return kinds.find(({ identity }) => identity.namesItself(client.value))?.id ?? nameOf(client.value);
}

/** `Geth/v1.17.8/linux-amd64` → `geth`; null: the text does not start with a name. */
function nameOf(client: string): string | null {
  return /^[a-z][a-z0-9 ._-]{0,39}/i.exec(client)?.[0].trim().toLowerCase() ?? null;
}

/**
 * The kind of a node, at the last of the releases that it may be.
 * @throws {Error} for an id that no kind has, which is a defect: facts are checked when loaded
 */
export function kindOf(node: Pick<Settings, 'kind' | 'release'>): Kind {
  const kind = kindKnown(node);
  if (kind === null) throw new Error(`no kind of node is called ${node.kind}`);
  return kind;
}

/** The same; null: there is no such kind. */
export function kindKnown({ kind, release }: Pick<NodeIdentity, 'kind' | 'release'>): Kind | null {
  const known = kinds.find(({ id }) => id === kind) ?? null;
  return known === null || release == null ? known : known.at(release.until);
}

/** The built-in policies of all kinds, by name. */
export const policies: Readonly<Record<string, Policy>> = Object.assign(
  {},
  ...kinds.map((kind) => kind.policies),
);

/** The built-in policy of a role; null: the role has none. */
export function policyOfRole(role: string | null): Policy | null {
  return role !== null && Object.hasOwn(policies, role) ? (policies[role] ?? null) : null;
}

/** The roles of all kinds. */
export const roles: readonly string[] = [...new Set(kinds.flatMap((kind) => kind.roles))];

/** The programs of all kinds. */
export const programs: readonly string[] = kinds.flatMap((kind) => kind.programs);

/** The kind that has a program of this file name; null: none has. */
export function kindOfProgram(name: string): Kind | null {
  return kinds.find((kind) => kind.programs.includes(name)) ?? null;
}

/** The launchers of all kinds. */
export const launchers: readonly string[] = kinds.flatMap((kind) => kind.launchers?.names ?? []);

/** The packages of all kinds. */
export const packages: readonly string[] = [
  ...new Set(kinds.flatMap((kind) => kind.launchers?.packages ?? [])),
];

/** The flags that decide the listeners of these settings. */
export function listenerFlags(settings: Pick<Settings, 'kind'>): ListenerFlags {
  return kindOf(settings).interfaces.flags;
}

/** The switch that keeps a part of debug off http and ws; null: the node's kind has none, or is not known. */
export function unsafeDebugOf(node: Pick<NodeIdentity, 'kind' | 'release'>): UnsafeDebug | null {
  const kind = kindKnown(node);
  const known = kind?.probes.unsafeDebug ?? null;
  if (kind === null || known === null || (node.release != null && isExact(node.release))) return known;
  // Of a node whose release is not known, only what proves it in every release.
  const inEach = kind.releases.flatMap(({ id }) => kind.at(id).probes.unsafeDebug ?? []);
  return {
    ...known,
    moved: known.moved.filter((method) => inEach.every(({ moved }) => moved.includes(method))),
  };
}
