/** The modules that settings list, beside what the node has and offers. */
import type { Listener, Settings, SettingValue } from '../../facts/settings.js';
import { canonicalModule, kindOf, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';

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
