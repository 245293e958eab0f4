/** The modules that settings list, beside what the node has and offers. */
import type { EndpointFacts } from '../../facts/live.js';
import type { Listener, Settings, SettingValue } from '../../facts/settings.js';
import { canonicalModule, kindOf, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { namespaceOf } from '../../kinds/request.js';
import { modulesOf } from '../live/answers.js';
import type { LiveEndpoint } from '../live/live.js';

/**
 * The modules that the settings list there and the node does not offer: rpc_modules does not list them, and where their
 * namespace was asked too, that answered that it is absent.
 */
export function notOffered(endpoint: LiveEndpoint): string[] {
  const { listener } = endpoint;
  const offered = modulesOf(endpoint);
  if (offered === null || listener?.state !== 'on') return [];
  return namesListed(endpoint, listener).filter(
    (name) => !offered.includes(name) && !mayAnswer(endpoint, name),
  );
}

/** The same as subjects of findings: `http personal`. */
export function refutedModules(endpoint: LiveEndpoint): string[] {
  return notOffered(endpoint).map((name) => `${endpoint.endpoint.kind} ${name}`);
}

function mayAnswer({ methods }: EndpointFacts, name: string): boolean {
  const asked = Object.entries(methods).filter(([method]) => namespaceOf(method) === name);
  return asked.some(([, one]) => one.state !== 'seen' || one.value === 'present');
}

/** The flags whose value is a module list. */
export function moduleFlags(settings: Settings): readonly string[] {
  const { http, ws } = listenerFlags(settings);
  return [http.api, ws.api];
}

/**
 * The modules that a module list holds `after` and not `before`, and that are privileged or that nobody knows; of
 * another flag there are none.
 */
export function newlyPrivileged(
  settings: Settings,
  flag: string,
  before: SettingValue | null | undefined,
  after: SettingValue | null | undefined,
): string[] {
  const names = (list: typeof before) =>
    String(list ?? '')
      .split(',')
      .map((name) => canonicalModule(settings, name.trim()))
      .filter((name) => name !== '');
  if (!moduleFlags(settings).includes(flag)) return [];
  const had = new Set(names(before));
  return names(after).filter((name) => !had.has(name) && kindOf(settings.kind).modules.isPrivileged(name));
}

/** The names of a list, under today's names. */
export function namesListed(node: Pick<NodeIdentity, 'kind'>, { listed }: Listener): string[] {
  return [...new Set((listed ?? []).map(({ name }) => canonicalModule(node, name)))];
}

/** Modules of a listener, and those of validators it lists where the launcher was guessed or the inventory says it is one. */
export function likelyModules(settings: Settings, listener: Listener): string[] {
  const { modules: there } = listener;
  const missing = namesListed(settings, listener).filter((name) => there?.includes(name) === false);
  return [...(there ?? []), ...kindOf(settings.kind).modules.likely(settings, missing)];
}
