/** Who reaches a live interface: the widest of what the kernel, the process, the settings and the address say. */
import type { EndpointFacts, MetricsFacts } from '../../facts/live.js';
import {
  type Assumed,
  assume,
  type Reach,
  type ReachBy,
  reachByBrowsers,
  reachOfBind,
  reachOfHost,
  widest,
} from '../../facts/reach.js';
import type { Listener, Settings } from '../../facts/settings.js';
import { listenerFlags } from '../../kinds/index.js';
import { stoodOpen } from './answers.js';

/** Who reaches an interface, and what that rests on. */
export interface Reached extends Assumed {
  readonly by: ReachBy;
  /** True when nothing but a loopback address that was dialled speaks for it: others may reach it too. */
  readonly lowerBound: boolean;
}

/** What the operator says counts, and is said wherever it is used. */
export function assumed(reach: Reached, stated: Reach | undefined): Reached {
  return stated === undefined ? reach : { ...assume(reach, stated), by: 'assumed', lowerBound: false };
}

/** What is known of an interface besides what was seen of it. */
export interface Given {
  readonly listener: Listener | null;
  /** The same as the running process was started. */
  readonly started: Listener | null;
  readonly settings: Settings | null;
}

/** Who reaches its socket: the widest of what the kernel, the process, the settings and the address say. */
export function boundReach(endpoint: EndpointFacts, { listener, started, settings }: Given): Reached {
  const { endpoint: at, bind } = endpoint;
  if (at.kind === 'ipc') {
    const because = 'users of this machine who can open the socket';
    return { reach: 'ipc', because, by: 'address', lowerBound: false };
  }
  const bound = bind.state === 'seen' ? bind.value.map(reachOfHost) : [];
  const dialled = endpoint.source === 'conf' ? [] : [reachOfHost(hostOf(at.url))];
  return weigh([
    ...by('socket', bound),
    ...by('process', boundTo(started, null)),
    ...by('settings', listener?.state === 'off' && bound.length > 0 ? [] : boundTo(listener, settings)),
    ...by('address', dialled),
  ]);
}

/** The same with the browsers it lets in, as the settings say and as they stood open: no firewall keeps those out. */
export function withBrowsers(bound: Reached, endpoint: EndpointFacts, { listener, started }: Given): Reached {
  if (endpoint.endpoint.kind === 'ipc') return bound;
  const openToPages = (one: Listener | null): Assumed[] => (one?.state === 'on' ? reachByBrowsers(one) : []);
  const ways = [
    ...by('process', openToPages(started)),
    ...by('settings', openToPages(listener)),
    ...by('address', throughBrowsers(endpoint)),
  ];
  return widest([bound, ...ways.map((way) => ({ ...way, lowerBound: false }))]);
}

/** A metrics port binds every interface (metrics/utils/metrics.go), pprof what the settings say. */
export function reachOfPort(port: Pick<MetricsFacts, 'bind' | 'url'>, { listener, started }: Given): Reached {
  const bound = port.bind.state === 'seen' ? port.bind.value.map(reachOfHost) : [];
  const opened = (one: Listener | null): Assumed[] => (one?.state === 'on' ? [reachOfBind(one)] : []);
  return weigh([
    ...by('socket', bound),
    ...by('process', opened(started)),
    ...by('settings', opened(listener)),
    ...by('address', [reachOfHost(hostOf(port.url))]),
  ]);
}

type Evidence = Assumed & { readonly by: ReachBy };

function by(evidence: ReachBy, all: readonly Assumed[]): Evidence[] {
  return all.map((one) => ({ ...one, by: evidence }));
}

/** The widest counts, of equals the strongest; that a loopback address answers does not say who else gets through. */
function weigh(all: readonly Evidence[]): Reached {
  const least: Evidence = { reach: 'loopback', because: 'this machine reaches it', by: 'address' };
  const most = widest(all.length === 0 ? [least] : all);
  return { ...most, lowerBound: most.reach === 'loopback' && most.by === 'address' };
}

/** By the address the settings bind; for an interface they keep closed, by the one it would have. */
function boundTo(listener: Listener | null, settings: Settings | null): Assumed[] {
  if (listener?.state === 'on') return [reachOfBind(listener)];
  if (listener?.state !== 'off' || settings === null) return [];
  const { addr } = listenerFlags(settings)[listener.kind === 'ws' ? 'ws' : 'http'];
  const address = settings.keys[addr]?.value ?? settings.values[addr]?.value ?? null;
  return [reachOfHost(address === null ? null : String(address))];
}

function throughBrowsers({ foreignOrigin, foreignHost }: EndpointFacts): Assumed[] {
  const through = 'any web page reaches it through a visitor’s browser';
  if (stoodOpen(foreignOrigin))
    return [{ reach: 'any', because: `${through} (a foreign Origin was let in)` }];
  if (stoodOpen(foreignHost)) return [{ reach: 'any', because: `${through} (a foreign Host was answered)` }];
  return [];
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}
