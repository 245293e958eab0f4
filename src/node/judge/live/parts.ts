/** The interfaces of a live node that rules ask for: by node, by kind, and without those that are closed on purpose. */
import type { Endpoint, EndpointFacts } from '../../facts/live.js';
import { reachOfHost } from '../../facts/reach.js';
import { isRefused, seenValue } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import { isOpen } from './answers.js';
import type { LiveEndpoint } from './interfaces.js';
import type { Live } from './live.js';

/** The interfaces of a target by node; null if there is none. */
export interface Parts {
  /** The node of a known kind, and interfaces that did not answer. */
  readonly own: Live | null;
  /** A node of another or unknown kind, judged by the rules for any node. */
  readonly other: Live | null;
}

/**
 * Splits the interfaces of a target by node. If a node of a known kind answers, or nothing does, all endpoints are its own
 * except those that answer as another kind. Otherwise they are judged as those of any node, without the endpoints that
 * only the settings name and that did not answer.
 */
export function splitByNode(live: Live): Parts {
  const answering = live.endpoints.filter(isOpen);
  const isOwn = live.nodeKind !== null && live.inPlaceOf === null;
  if (isOwn || answering.length === 0) {
    const others = answering.filter((one) => one.nodeKind === null || one.kind !== live.kind);
    const own = live.endpoints.filter((one) => !others.includes(one));
    const { kind = null, nodeKind = null } = others[0] ?? {};
    return {
      own: { ...live, endpoints: own },
      other: others.length === 0 ? null : anyNode(live, { kind, nodeKind, endpoints: others, metrics: [] }),
    };
  }
  const named = live.endpoints.filter((one) => isOpen(one) || one.source !== 'conf');
  return { own: null, other: anyNode(live, { endpoints: named }) };
}

function anyNode(live: Live, part: Partial<Live>): Live {
  return { ...live, launcher: null, settings: null, grpc: [], engine: [], ...part };
}

/** Whether an interface of the node answered: another one that refuses connections is then closed, not out of reach. */
export function isUp(live: Live): boolean {
  return live.endpoints.some(isOpen);
}

/** The endpoints of these kinds, without those that are closed as the settings say. */
export function relevantEndpoints<K extends Endpoint['kind']>(
  live: Live,
  ...kinds: readonly K[]
): EndpointOf<K>[] {
  return live.endpoints.filter(
    (one): one is EndpointOf<K> =>
      kinds.some((kind) => kind === one.endpoint.kind) && (isOpen(one) || !isClosed(live, one)),
  );
}

/** Whether the settings close it, if nothing listens while the node answers, or if only a restart would open it. */
export function isClosed(live: Live, one: LiveEndpoint): boolean {
  const { isRestartPending, started } = live;
  if (one.listener?.state === 'off' || (isUp(live) && isUnbound(one))) return true;
  return isRestartPending && started !== null && !one.started && isRefused(one.modules);
}

/** Whether the connection was refused and the kernel shows no socket there. */
function isUnbound({ modules, bind }: LiveEndpoint): boolean {
  return isRefused(modules) && bind.state === 'not-seen' && bind.code === 'not-found';
}

export type EndpointOf<K extends Endpoint['kind']> = LiveEndpoint & {
  readonly endpoint: { readonly kind: K };
};

/** Each address that the kernel shows, and the name that the settings give it. */
export function wideBinds({
  bind,
  listener,
}: Pick<EndpointFacts, 'bind'> & { readonly listener: Listener | null }) {
  const isWide = (host: string | null) => reachOfHost(host).reach !== 'loopback';
  const declared = listener?.state === 'on' && isWide(listener.host) ? listener.host : null;
  return (seenValue(bind) ?? []).filter(isWide).map((host) => ({ host, about: declared ?? host }));
}
