/** How a proxy treats an http or ws interface. */

import { isIPv6 } from 'node:net';
import { sayIf } from '../../util/words.js';
import { publishedBy, reachOfBind } from '../facts/reach.js';
import type { Listener, Settings } from '../facts/settings.js';
import { writtenName } from '../judge/settings/setting.js';
import type { Kind, KindListeners, KindModules, KindWords } from '../kinds/kind.js';
import { addressToDial, usable } from './ports.js';

export interface Endpoint {
  readonly kind: 'http' | 'ws';
  /** The address the proxy connects to: `127.0.0.1:8551`. */
  readonly authority: string;
  /** Modules to forward, sorted, including former names. */
  readonly allowed: readonly string[];
  /** Offered modules that are not forwarded. */
  readonly blocked: readonly string[];
  /** Why it can be reached without the proxy, and what to do: sentences. Empty when only this machine reaches it. */
  readonly bypass: readonly string[];
  /** What must change before a proxy may forward messages it cannot inspect: sentences. */
  readonly obstacles: readonly string[];
  readonly undetermined: readonly string[];
}

/** Returns null when it is off. */
export function endpointOf(settings: Settings, nodeKind: Kind, kind: 'http' | 'ws'): Endpoint | null {
  const listener = settings.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'off') return null;
  const offered = listener.modules;
  const { builtIn, isPrivileged, namesOf } = nodeKind.modules;
  const blocked = (offered ?? []).filter(isPrivileged);
  const { authority, undetermined } = authorityOf(listener, nodeKind, kind);
  const list = `its modules are unknown (${listener.reason ?? 'see --verbose'}); the default modules are assumed`;
  return {
    kind,
    authority,
    allowed: (offered ?? ['rpc', ...builtIn])
      .filter((name) => !isPrivileged(name))
      .flatMap(namesOf) // clients still use former names
      .sort(),
    blocked,
    bypass: bypassOf(settings, nodeKind, listener, kind),
    obstacles: obstaclesOf(settings, nodeKind, listener, kind, blocked),
    undetermined: [
      ...undetermined,
      ...(offered === null && listener.state === 'on' ? [`${kind}: ${list}`] : []),
    ],
  };
}

function authorityOf(
  listener: Listener,
  nodeKind: KindListeners,
  kind: 'http' | 'ws',
): Pick<Endpoint, 'authority' | 'undetermined'> {
  const { container, state, reason } = listener;
  const published = publishedBy(listener);
  const outside = container === undefined ? listener : published;
  const port = usable(outside?.port ?? null);
  const host = addressToDial(outside?.host ?? null);
  const name = host ?? '127.0.0.1';
  const authority = `${isIPv6(name) ? `[${name}]` : name}:${port ?? usable(listener.port) ?? nodeKind.interfaces.defaultPort(kind)}`;
  const why =
    state === 'unknown'
      ? (reason ?? 'it is unknown whether it is on')
      : container !== undefined && published === null
        ? 'its port is not published on this machine'
        : host === null || port === null
          ? 'its address or port is unknown'
          : null;
  return { authority, undetermined: why === null ? [] : [`${kind}: ${why}; ${authority} is assumed`] };
}

function bypassOf(
  settings: Settings,
  { interfaces }: KindListeners,
  listener: Listener,
  kind: 'http' | 'ws',
): string[] {
  const { reach, because } = reachOfBind(listener);
  if (reach === 'loopback' || reach === 'ipc' || listener.state === 'unknown') return [];
  if (listener.container !== undefined)
    return publishedBy(listener) === null
      ? []
      : [`${kind} can be reached without this proxy: ${because}. ${unpublish(settings)}`];
  const { addr } = interfaces.flags[kind];
  const remedy =
    addr === null ? 'Close the port' : `Set ${writtenName(settings, addr)} to 127.0.0.1, or close the port`;
  return [`${kind} can be reached without this proxy: ${because}. ${remedy} with --for nftables.`];
}

function unpublish({ source }: Settings): string {
  return source.kind === 'kubernetes'
    ? 'Use a Service of type ClusterIP and run the proxy in the cluster.'
    : 'Publish it on 127.0.0.1 only: --for compose.';
}

/** A proxy does not see the messages of an open WebSocket. */
function obstaclesOf(
  settings: Settings,
  { flags, interfaces, modules }: KindListeners & KindModules & KindWords,
  listener: Listener,
  kind: 'http' | 'ws',
  blocked: readonly string[],
): string[] {
  const { api } = interfaces.flags[kind];
  const list = api === null ? `the modules of ${kind}` : writtenName(settings, api);
  const kept = (listener.listed ?? []).map(({ name }) => name).filter((name) => !modules.isPrivileged(name));
  const unlock = settings.values[flags.unlock ?? ''];
  const unlocked = unlock?.indeterminate != null || (unlock?.value ?? '') !== '';
  const remedy = kept.some((name) => name !== 'rpc')
    ? `set ${list} to ${kept.join(',')}`
    : `remove ${blocked.join(', ')} from ${list}, or switch ${kind} off`;
  return [
    ...sayIf(blocked.length > 0, `${kind} offers ${blocked.join(', ')}: ${remedy}.`),
    ...sayIf(listener.modules === null, `the modules of ${kind} are unknown.`),
    ...sayIf(
      unlocked,
      'the settings unlock an account, or may do so, and every client could sign with it: remove the unlock setting.',
    ),
  ];
}
