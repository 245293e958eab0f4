/** Interfaces that are on unless unresolved words switch them off. */
import { type Setting, type Settings, spanOf } from '../../facts/settings.js';
import type { NodeSettings } from '../../kinds/node.js';
import { isOf, type ListenerOf, listenersOn } from './listeners.js';
import { extraFlags } from './setting.js';

/** Listeners that are on, or that are on unless unresolved words switch them off; their `reason` then says so. */
export function presumedListeners<K extends 'http' | 'ws' | 'grpc'>(
  settings: NodeSettings,
  ...kinds: readonly K[]
): ListenerOf<K>[] {
  const maybe = settings.listeners.filter((one) => one.state === 'unknown');
  return [
    ...listenersOn(settings, ...kinds),
    ...maybe.flatMap((one) => (isOf(one, kinds) ? presumed(settings, one) : [])),
  ];
}

function presumed<L extends ListenerOf<'http' | 'ws' | 'grpc'>>(settings: NodeSettings, listener: L): L[] {
  const { kind } = listener;
  if (kind === 'grpc') return [];
  const { enable, addr, api, origins } = settings.nodeKind.interfaces.flags[kind];
  if (overriddenValue(settings, enable)?.value !== true) return [];
  const list = overriddenValue(settings, api);
  if (typeof list?.value !== 'string') return [];
  const at = spanOf(list.origin);
  const listed = list.value.split(',').map((name) => ({ name: name.trim(), at }));
  const host = overriddenValue(settings, addr)?.value;
  return [
    {
      ...listener,
      state: 'on',
      reason:
        settings.source.kind === 'conf'
          ? `unless ${extraFlags(settings.nodeKind)} says otherwise`
          : 'unless the filled-in values say otherwise',
      host: typeof host === 'string' ? host : null,
      listed,
      modules: listed.flatMap(({ name }) => settings.nodeKind.modules.listed(name) ?? []),
      origins: items(overriddenValue(settings, origins)),
      vhosts:
        kind === 'http'
          ? items(overriddenValue(settings, settings.nodeKind.interfaces.flags.http.vhosts))
          : null,
    },
  ];
}

/** The value that an unresolved word may override; undefined without a flag, and if the setting itself is unresolved. */
function overriddenValue(
  settings: Settings,
  flag: string | null,
): Pick<Setting, 'value' | 'origin'> | undefined {
  const setting = flag === null ? undefined : settings.values[flag];
  if (setting?.indeterminate == null) return setting;
  return setting.origin.kind === 'flag' ? setting.shadowed.find(({ value }) => value !== null) : undefined;
}

function items(setting: Pick<Setting, 'value'> | undefined): string[] {
  return typeof setting?.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}
