/** One node, with its kind: questions that tables of a known kind answer, and common tables answer of any other. */
import type { Facts } from '../facts/facts.js';
import type { EndpointFacts } from '../facts/live.js';
import type { Policy } from '../facts/policy.js';
import type { Settings } from '../facts/settings.js';
import { commonModule } from './common-modules.js';
import { sharesProgram, starterOfProcess } from './find.js';
import type { Kind, KindProbes, KindReleases, Module, NodeIdentity, UnsafeDebug } from './kind.js';
import { isBefore, isExact, releaseName } from './release.js';

/** A node of a known kind, or of another one, which is judged by the rules for any node. */
export interface Node extends NodeIdentity {
  /** Its kind, at the last of the releases that it may be; null if it is not known. */
  readonly nodeKind: Kind | null;
}

/** Settings with the kind of their node, at the last of the releases that it may be. */
export interface NodeSettings extends Settings {
  readonly nodeKind: Kind;
  /** The calls in the files of its deployment; absent if there is none. */
  readonly callers?: Facts['callers'];
}

/**
 * Settings with their kind, which is one of these.
 * @throws {Error} for an id that no kind has, which is a defect: facts are checked when loaded
 */
export function withKind(kinds: readonly Kind[], settings: Settings): NodeSettings {
  return { ...settings, nodeKind: kindOf(kinds, settings) };
}

/** The kind of settings. @throws {Error} as `withKind` does */
export function kindOf(kinds: readonly Kind[], settings: Pick<Settings, 'kind' | 'release'>): Kind {
  const kind = kindKnown(kinds, settings);
  if (kind === null) throw new Error(`no kind of node is called ${settings.kind}`);
  return kind;
}

/** The kind with this id, at the last of the releases; null if there is no such kind. */
export function kindKnown<K extends KindReleases>(
  kinds: readonly K[],
  { kind, release = null }: { readonly kind: string | null } & Pick<NodeIdentity, 'release'>,
): K | null {
  const known = kinds.find(({ id }) => id === kind) ?? null;
  return known === null || release === null ? known : known.at(release.until, release.fork);
}

/**
 * The kind of node by its answers: the id of a known kind, or the first part of the client's name in lower case, such
 * as `geth`. Returns null if the answers do not show the kind, for example because the interface does not offer web3.
 */
export function kindAnswering(
  kinds: readonly Kind[],
  { modules, client, chain }: Pick<EndpointFacts, 'modules' | 'client' | 'chain'>,
): string | null {
  const names = modules.state === 'seen' ? Object.keys(modules.value) : [];
  const named =
    client.state === 'seen' ? kinds.find(({ identity }) => identity.client.test(client.value)) : undefined;
  const rivals = named === undefined ? kinds : [named];
  const offers = kinds.find((kind) =>
    names.some(
      (name) =>
        kind.identity.ownModules.includes(name) && !rivals.some((rival) => mayOffer(rival, name, kind)),
    ),
  );
  if (offers !== undefined) return offers.id;
  if (client.state !== 'seen') return null;
  const ofChain = kinds.find(
    (kind) => named !== undefined && sharesProgram(kind, named) && hasChain(kind, chain),
  );
  return (ofChain ?? named)?.id ?? clientName(client.value);
}

/** Whether it is a module that is no sign of a kind, since a kind with another program has it too. */
function mayOffer(rival: Kind, name: string, kind: Kind): boolean {
  return !sharesProgram(rival, kind) && Object.hasOwn(rival.modules.catalogue, name);
}

function hasChain({ identity }: KindProbes, chain: EndpointFacts['chain']): boolean {
  return chain.state === 'seen' && identity.chains.includes(chain.value);
}

/** The kind that answers, if it has the same program as the kind that the process seems to be; null if there is none. */
export function kindBehind(
  kinds: readonly Kind[],
  process: Parameters<typeof starterOfProcess>[1],
  endpoints: readonly Parameters<typeof kindAnswering>[1][],
): Kind | null {
  const starter = starterOfProcess(kinds, process);
  const answering = endpoints.map((one) => kindAnswering(kinds, one));
  const found = kinds.find(({ id }) => id !== starter?.kind.id && answering.includes(id));
  return found !== undefined && starterOfProcess([found], process) !== null ? found : null;
}

/** `Geth/v1.17.8/linux-amd64` → `geth`; null if the text does not start with a name. */
function clientName(client: string): string | null {
  return /^[a-z][a-z0-9 ._-]{0,39}/i.exec(client)?.[0].trim().toLowerCase() ?? null;
}

/** A module on this node: from the table of its kind, else from the common modules. Returns null for an unknown module. */
export function moduleOn(node: Node, name: string): Module | null {
  return node.nodeKind === null ? commonModule(name) : node.nodeKind.modules.on(node, name);
}

/** The name that this node reports for a module; of an unknown kind, the name itself. */
export function canonicalModule({ nodeKind }: Pick<Node, 'nodeKind'>, name: string): string {
  return nodeKind?.modules.canonical(name) ?? name;
}

/** The release that added a flag, where the node may be an older one: `klaytn v1.10.0`. Returns null if it has the flag. */
export function addedBy(
  { nodeKind, release = null }: Pick<Node, 'nodeKind' | 'release'>,
  flag: string,
): string | null {
  const since = nodeKind?.flags.period(flag)?.since;
  if (nodeKind === null || since === undefined || release === null) return null;
  return isBefore(nodeKind, release.since, since) ? releaseName(since) : null;
}

/** The name under which every release that the node may be has a flag; null if there is none. */
export function nameInEach(settings: NodeSettings, flag: string): string | null {
  const { nodeKind, launcher, release } = settings;
  if (release === undefined) return flag;
  const { flags } = nodeKind;
  const names = [flag, ...(flags.of(nodeKind.programOf(launcher)).byName.get(flag)?.aliases ?? [])];
  const has = (name: string) => {
    const { since = release.since, until = release.until } = flags.period(name) ?? {};
    return !isBefore(nodeKind, release.since, since) && !isBefore(nodeKind, until, release.until);
  };
  return names.find(has) ?? null;
}

/** The switch that keeps a part of debug off http and ws; null if the node's kind has none, or is not known. */
export function unsafeDebugOf({
  nodeKind,
  release = null,
}: Pick<Node, 'nodeKind' | 'release'>): UnsafeDebug | null {
  const known = nodeKind?.probes.unsafeDebug ?? null;
  if (nodeKind === null || known === null || (release !== null && isExact(release))) return known;
  return {
    ...known,
    // Of a node whose release is not known, only what proves it in every release.
    get moved() {
      const inEach = nodeKind.releases.flatMap(({ id }) => nodeKind.at(id).probes.unsafeDebug ?? []);
      return known.moved.filter((method) => inEach.every(({ moved }) => moved.includes(method)));
    },
  };
}

/** Whether it is a kind of node whose newest release keeps a part of debug off http and ws with a switch. */
export function hasUnsafeDebug({ nodeKind }: Pick<Node, 'nodeKind'>): boolean {
  const newest = nodeKind?.releases.at(-1);
  return newest !== undefined && nodeKind?.at(newest.id).probes.unsafeDebug !== null;
}

/**
 * The role of a node: as its operator says, as its policy is called, or as its program or launcher tells. Returns null if it is not known,
 * or the launcher is a guess.
 */
export function roleOf(
  kinds: readonly Kind[],
  { role, conf, live }: Facts,
  policy: Policy | null,
): string | null {
  if (role !== null) return role;
  if (policy !== null && kinds.some(({ roles }) => roles.includes(policy.name))) return policy.name;
  const settings = conf?.state === 'seen' ? conf.value.settings : null;
  const started = live?.process.state === 'seen' ? starterOfProcess(kinds, live.process.value) : null;
  if (settings === null || settings.by === 'guess') return started?.kind.roleOf(started.launcher) ?? null;
  return kindKnown(kinds, settings)?.roleOf(settings.launcher) ?? null;
}

/** The built-in policy of a role; null if the role has none. */
export function policyOfRole(kinds: readonly Kind[], role: string | null): Policy | null {
  const own = kinds.find(({ policies }) => role !== null && Object.hasOwn(policies, role));
  return own?.policies[role as string] ?? null;
}
