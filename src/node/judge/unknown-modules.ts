/** Names of modules that no release known here has, as settings list them and as nodes offer them. */
import type { BlindSpot } from '../facts/seen.js';
import type { ListedModule } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { closestModule, formerName, inertModules, modules } from '../kinds/kaia/modules.js';
import { modulesOf } from './answers.js';
import type { RpcListener } from './listeners.js';
import type { LiveEndpoint } from './live.js';
import { knownHere, unknownTo } from './unknown.js';

/** No node has as many modules; of a longer list the rest is not told one by one. */
const most = 100;

/** Listed names that no node of these releases has a module for, or that do nothing. */
export function oddNames({ listed }: RpcListener): readonly ListedModule[] {
  const known = ['', formerName, ...Object.keys(modules)].filter((name) => name !== 'rpc');
  return (listed ?? []).slice(0, most).filter(({ name }) => !known.includes(name));
}

/** What is wrong with such a name, as a clause, and the one it seems to mean. */
export function oddity(name: string): { severity: Severity; says: string; instead: string | null } {
  if (Object.hasOwn(inertModules, name)) {
    const severity = name === 'rpc' ? 'info' : 'low';
    return { severity, says: `which adds nothing: ${inertModules[name]}`, instead: null };
  }
  const instead = closestModule(name);
  const says = isMiscased(name, instead)
    ? 'which adds nothing: names are lower case'
    : `which is not a module of ${knownHere}: they ignore it, and another release may have it`;
  return { severity: 'medium', says: instead === null ? says : `${says}; did you mean ${instead}`, instead };
}

function isMiscased(name: string, near: string | null): boolean {
  return near?.toLowerCase() === name.toLowerCase();
}

/** Listed modules that another release may have. */
export function blindToListed(listener: RpcListener): BlindSpot[] {
  const names = new Set(oddNames(listener).map(({ name }) => name));
  const unknown = [...names].filter(
    (name) => !Object.hasOwn(inertModules, name) && !isMiscased(name, closestModule(name)),
  );
  return unknownTo(listener.kind, unknown);
}

/** Modules that a node offers and no node of these releases has. */
export function unknownOffered(endpoint: LiveEndpoint): string[] {
  return (modulesOf(endpoint) ?? []).filter((name) => !Object.hasOwn(modules, name)).slice(0, most);
}

/** What they do cannot be known. */
export function blindToOffered(endpoint: LiveEndpoint): BlindSpot[] {
  return unknownTo(endpoint.name, unknownOffered(endpoint));
}
