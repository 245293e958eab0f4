/** An http or ws interface as a proxy in front of it has to treat it. */
import { isIPv6 } from 'node:net';
import { reachOfBind } from '../facts/reach.js';
import type { Listener, Settings } from '../facts/settings.js';
import { nameOf } from '../judge/settings/setting.js';
import type { Kind } from '../kinds/kind.js';
import { dialled, usable } from './ports.js';

export interface Endpoint {
  readonly kind: 'http' | 'ws';
  /** Where the proxy dials it: `127.0.0.1:8551`. */
  readonly authority: string;
  /** Modules that pass, sorted, with the former name of kaia. */
  readonly allowed: readonly string[];
  /** What it offers beside them. */
  readonly barred: readonly string[];
  /** Why others reach it past the proxy, and what to do: sentences. Empty: this machine alone reaches it. */
  readonly bypass: readonly string[];
  /** Why nothing of it can pass a proxy that cannot look into its messages: sentences. Empty: it can. */
  readonly blind: readonly string[];
  readonly undetermined: readonly string[];
}

/** null: it is off. */
export function endpointOf(settings: Settings, nodeKind: Kind, kind: 'http' | 'ws'): Endpoint | null {
  const listener = settings.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'off') return null;
  const offered = listener.modules;
  const { builtIn, isPrivileged, namesOf } = nodeKind.modules;
  const barred = (offered ?? []).filter(isPrivileged);
  const { authority, undetermined } = placeOf(listener, nodeKind, kind);
  const list = `its modules are not known (${listener.reason ?? 'see --verbose'}); those that are open everywhere are assumed`;
  return {
    kind,
    authority,
    allowed: (offered ?? ['rpc', ...builtIn])
      .filter((name) => !isPrivileged(name))
      .flatMap(namesOf) // clients still use former names
      .sort(),
    barred,
    bypass: bypassOf(settings, nodeKind, listener, kind),
    blind: blindOf(settings, nodeKind, listener, kind, barred),
    undetermined: [
      ...undetermined,
      ...(offered === null && listener.state === 'on' ? [`${kind}: ${list}`] : []),
    ],
  };
}

function placeOf(
  listener: Listener,
  nodeKind: Kind,
  kind: 'http' | 'ws',
): Pick<Endpoint, 'authority' | 'undetermined'> {
  const { container, state, reason } = listener;
  const published = container?.published ?? null;
  const outside = container === undefined ? listener : published;
  const port = usable(outside?.port ?? null);
  const host = dialled(outside?.host ?? null);
  const name = host ?? '127.0.0.1';
  const authority = `${isIPv6(name) ? `[${name}]` : name}:${port ?? usable(listener.port) ?? nodeKind.interfaces.defaultPort(kind)}`;
  const why =
    state === 'unknown'
      ? (reason ?? 'whether it is on is not known')
      : container !== undefined && published === null
        ? 'nothing publishes its port on this machine'
        : host === null || port === null
          ? 'its address or port is not known'
          : null;
  return { authority, undetermined: why === null ? [] : [`${kind}: ${why}; ${authority} is assumed`] };
}

function bypassOf(
  settings: Settings,
  { interfaces }: Kind,
  listener: Listener,
  kind: 'http' | 'ws',
): string[] {
  const { reach, because } = reachOfBind(listener);
  if (reach === 'loopback' || reach === 'ipc' || listener.state === 'unknown') return [];
  if (listener.container !== undefined)
    return listener.container.published === null
      ? []
      : [`${kind} is reached past this proxy: ${because}. ${unpublish(settings)}`];
  const name = nameOf(settings, interfaces.flags[kind].addr);
  return [
    `${kind} is reached past this proxy: ${because}. Set ${name} to 127.0.0.1, or close the port with --for nftables.`,
  ];
}

function unpublish({ source }: Settings): string {
  return source.kind === 'kubernetes'
    ? 'Make the Service one of type ClusterIP, with the proxy in the cluster.'
    : 'Publish it on 127.0.0.1 alone: --for compose.';
}

/** Messages of a WebSocket stream past every proxy once it is open. */
function blindOf(
  settings: Settings,
  { interfaces, modules }: Kind,
  listener: Listener,
  kind: 'http' | 'ws',
  barred: readonly string[],
): string[] {
  const list = nameOf(settings, interfaces.flags[kind].api);
  const kept = (listener.listed ?? []).map(({ name }) => name).filter((name) => !modules.isPrivileged(name));
  const unlock = settings.values.unlock;
  const unlocked = unlock?.indeterminate != null || (unlock?.value ?? '') !== '';
  return [
    ...(barred.length === 0
      ? []
      : [
          `${kind} offers ${barred.join(', ')}: ${
            kept.some((name) => name !== 'rpc')
              ? `set ${list} to ${kept.join(',')}`
              : `leave nothing else in ${list}, or switch ${kind} off`
          }.`,
        ]),
    ...(listener.modules === null ? [`which modules ${kind} offers is not known.`] : []),
    ...(unlocked
      ? ['the settings unlock an account, or may: take that out, for anybody could sign with it.']
      : []),
  ];
}
