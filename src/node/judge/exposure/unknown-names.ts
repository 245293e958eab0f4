/** Names that no release known here has: modules, flags and variables. */
import { closest, distance } from '../../../util/closest.js';
import { groupBy } from '../../../util/group-by.js';
import { oncePer, oncePerKey } from '../../../util/once-per.js';
import { joinFirst } from '../../../util/words.js';
import { type Assumed, reachOf } from '../../facts/reach.js';
import { isStated } from '../../facts/release.js';
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import type { ListedModule, Settings } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import type { KindModules, KindReleases, Release } from '../../kinds/kind.js';
import { moduleOn, type Node, type NodeSettings } from '../../kinds/node.js';
import { isBefore, isExact, releaseName, releasesOf } from '../../kinds/release.js';
import { modulesOf } from '../live/answers.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import { listenersOn, type RpcListener } from '../settings/listeners.js';

/** "kaia v1.0.3", or "the releases known here (klaytn v1.5.0 to kaia v2.2.1)" */
export function knownHere({ nodeKind, release }: Pick<NodeSettings, 'nodeKind' | 'release'>): string {
  return releasesOf(nodeKind, release);
}

/** The letters in which a misspelt flag differs from the one that is meant, at most. */
const maxTypos = 2;

/** Whether no release is known, for a flag or a key that is no misspelt one: a fork with the same program may have it. */
export function mayBeOfFork({ nodeKind, release, values }: NodeSettings, flag: string): boolean {
  const isKnown = release !== undefined && release.fork === undefined && isExact(release);
  const { configFile: file } = nodeKind;
  const near = closest(flag, [...Object.keys(values), ...(file?.format === 'toml' ? file.names : [])]);
  const isMisspelt = near !== null && distance(flag, near) <= maxTypos;
  return !isKnown && nodeKind.isForked && !isMisspelt;
}

/** Whether other machines reach it. */
export function reachesOutside({ reach }: Pick<Assumed, 'reach'>): boolean {
  return reach === 'private' || reach === 'any';
}

/** Whether other machines reach an interface that serves JSON-RPC or gRPC. */
export function isReachedFromOutside(settings: Settings): boolean {
  return listenersOn(settings, 'http', 'https', 'ws', 'socket', 'grpc').some((one) =>
    reachesOutside(reachOf(one)),
  );
}

/** The effect of these names in another release is not known. `about`: the interface; null for the node. */
export function unknownNameBlindSpots(
  { nodeKind, release }: Pick<Node, 'nodeKind' | 'release'>,
  about: string | null,
  names: readonly string[],
): BlindSpot[] {
  if (names.length === 0 || nodeKind === null) return [];
  const what = joinFirst([...new Set(names)], 3);
  if (release != null && isExact(release) && isStated(release))
    return [
      indeterminate(
        about,
        `${releaseName(release.since)} does not have ${what}, and its effect is not known`,
      ),
    ];
  const reason =
    release?.value == null || isExact(release)
      ? `${releasesOf(nodeKind, null)} do not know ${what}: another release may`
      : `kaiactl does not know whether ${releaseName(release.value)} has ${what}`;
  return [indeterminate(about, reason)];
}

/** A test for names near one of `reads`, or with the first word of several of them (`RPC_`). */
export const resembling = oncePer((reads: readonly string[]) => {
  const first = (name: string) => name.slice(0, name.indexOf('_') + 1);
  const families = groupBy(reads, first);
  families.delete('');
  const isClose = oncePerKey((name: string) => closest(name, reads) !== null, 1_000);
  return ({ variable }: { readonly variable: string }) =>
    (families.get(first(variable))?.length ?? 0) > 1 || isClose(variable);
});

/** Findings are limited to this many modules of a list. */
const maxModules = 100;

/** A listed name that adds no module in the known releases. */
interface IneffectiveName extends ListedModule {
  readonly severity: Severity;
  /** Why it adds none, as a clause. */
  readonly says: string;
  /** The known name that it resembles; null if there is none. */
  readonly instead: string | null;
}

export function ineffectiveNames(settings: NodeSettings, { listed }: RpcListener): IneffectiveName[] {
  const { modules } = settings.nodeKind;
  const isKnown = (name: string) =>
    name === '' || (modules.listed(name) !== null && !Object.hasOwn(modules.inert, name));
  const names = (listed ?? []).map(({ name }) => name);
  // The first word speaks for the whole list.
  if ((modules.listWord?.(names) ?? null) !== null) return [];
  const unknown = (listed ?? []).slice(0, maxModules).filter(({ name }) => !isKnown(name));
  return unknown.map((one) => ({ ...one, ...explain(settings, one.name) }));
}

function explain(settings: NodeSettings, name: string): Omit<IneffectiveName, keyof ListedModule> {
  const { inert, closest } = settings.nodeKind.modules;
  if (Object.hasOwn(inert, name)) {
    const severity = name === 'rpc' ? 'info' : 'low';
    return { severity, says: `which adds nothing: ${inert[name]}`, instead: null };
  }
  const near = closest(name);
  // The name itself, where another release has the module.
  const instead = near === name ? null : near;
  const says = isMiscased(name, instead)
    ? 'which adds nothing: names are lower case'
    : `which ${notListed(settings, name)}`;
  if (instead !== null) return { severity: 'medium', says: `${says}; did you mean ${instead}`, instead };
  // Another release, or a fork, may have the module.
  const isLikely = near === null && (settings.release === undefined || !isExact(settings.release));
  return { severity: isLikely ? 'low' : 'medium', says, instead };
}

/** A clause about a name that no module of the release has. */
function notListed(settings: NodeSettings, name: string): string {
  const { nodeKind: kind } = settings;
  const isOne = settings.release !== undefined && isExact(settings.release);
  const known = knownHere(settings);
  const has = ({ id }: Release) => lists(kind, id, name);
  const [first, last] = [kind.releases.find(has), kind.releases.findLast(has)];
  if (first !== undefined && last !== undefined) {
    const isOver = isBefore(kind, last.id, kind.release.id);
    const when = isOver ? `went after ${releaseName(last.id)}` : `came with ${releaseName(first.id)}`;
    return `${when}: ${isOne ? known : `${isOver ? 'a newer' : 'an older'} node`} ignores it`;
  }
  return `is not a module of ${known}${isOne ? '' : '; another release may have it'}`;
}

function lists(kind: KindModules & KindReleases, release: string, name: string): boolean {
  return kind.at(release).modules.listed(name) !== null;
}

function isMiscased(name: string, near: string | null): boolean {
  return near?.toLowerCase() === name.toLowerCase();
}

/** Blind spots for listed modules that another release may have. */
export function listedBlindSpots(settings: NodeSettings, listener: RpcListener): BlindSpot[] {
  if (settings.release !== undefined && isExact(settings.release)) return [];
  const { nodeKind: kind } = settings;
  const { inert } = kind.modules;
  const unknown = ineffectiveNames(settings, listener).filter(
    ({ name, instead }) =>
      !Object.hasOwn(inert, name) &&
      !isMiscased(name, instead) &&
      !kind.releases.some(({ id }) => lists(kind, id, name)),
  );
  const names = unknown.map(({ name }) => name);
  return unknownNameBlindSpots(settings, listener.kind, names);
}

/** Modules that a node offers and no known release has. */
export function unknownOffered(endpoint: LiveEndpoint): string[] {
  const node = { ...endpoint, launcher: null };
  return (modulesOf(endpoint) ?? []).filter((name) => moduleOn(node, name) === null).slice(0, maxModules);
}

export function offeredBlindSpots(endpoint: LiveEndpoint): BlindSpot[] {
  return unknownNameBlindSpots(endpoint, endpoint.name, unknownOffered(endpoint));
}
