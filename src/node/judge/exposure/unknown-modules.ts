/** Names of modules that no release known here has, as settings list them and as nodes offer them. */
import type { BlindSpot } from '../../facts/seen.js';
import type { ListedModule } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { moduleOn } from '../../kinds/index.js';
import type { Kind, Modules } from '../../kinds/kind.js';
import { modulesOf } from '../live/answers.js';
import type { LiveEndpoint } from '../live/live.js';
import type { RpcListener } from '../settings/listeners.js';
import { knownHere, unknownTo } from '../settings/unknown-names.js';

/** No node has as many modules; of a longer list the rest is not told one by one. */
const most = 100;

/** Listed names that no node of these releases has a module for, or that do nothing. */
export function oddNames({ catalogue, namesOf }: Modules, { listed }: RpcListener): readonly ListedModule[] {
  const known = ['', ...Object.keys(catalogue).flatMap(namesOf)].filter((name) => name !== 'rpc');
  return (listed ?? []).slice(0, most).filter(({ name }) => !known.includes(name));
}

/** What is wrong with such a name, as a clause, and the one it seems to mean. */
export function oddity(
  kind: Kind,
  name: string,
): { severity: Severity; says: string; instead: string | null } {
  const { inert, closest } = kind.modules;
  if (Object.hasOwn(inert, name)) {
    const severity = name === 'rpc' ? 'info' : 'low';
    return { severity, says: `which adds nothing: ${inert[name]}`, instead: null };
  }
  const instead = closest(name);
  const says = isMiscased(name, instead)
    ? 'which adds nothing: names are lower case'
    : `which is not a module of ${knownHere({ kind: kind.id })}: they ignore it, and another release may have it`;
  return { severity: 'medium', says: instead === null ? says : `${says}; did you mean ${instead}`, instead };
}

function isMiscased(name: string, near: string | null): boolean {
  return near?.toLowerCase() === name.toLowerCase();
}

/** Listed modules that another release may have. */
export function blindToListed({ id, modules }: Kind, listener: RpcListener): BlindSpot[] {
  const names = new Set(oddNames(modules, listener).map(({ name }) => name));
  const unknown = [...names].filter(
    (name) => !Object.hasOwn(modules.inert, name) && !isMiscased(name, modules.closest(name)),
  );
  return unknownTo({ kind: id }, listener.kind, unknown);
}

/** Modules that a node offers and no node of these releases has. */
export function unknownOffered(endpoint: LiveEndpoint): string[] {
  const node = { kind: endpoint.kind, launcher: null };
  return (modulesOf(endpoint) ?? []).filter((name) => moduleOn(node, name) === null).slice(0, most);
}

/** What they do cannot be known. */
export function blindToOffered(endpoint: LiveEndpoint): BlindSpot[] {
  return unknownTo(endpoint, endpoint.name, unknownOffered(endpoint));
}
