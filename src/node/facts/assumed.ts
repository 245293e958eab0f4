/** What is known of interfaces beside their settings: the operator's word, published ports, proxies and firewalls. */
import type { Facts } from './facts.js';
import { gateBefore, type PortGate } from './firewall.js';
import { type OwnHop, openTo, type RelayHop } from './hops.js';
import type { PublishedPort } from './live.js';
import { leadsTo, ownHop, reachOfBind, reachOfHost, widest } from './reach.js';
import { seen } from './seen.js';
import type { Listener, Settings } from './settings.js';
import { type Reach, reaches } from './severity.js';
import { changeSettings } from './worlds.js';

/**
 * Applies the reach that the operator states, the ports that the host of a container publishes, the relays and
 * the ports that a firewall closes to every interface.
 */
export function withAssumed(facts: Facts): Facts {
  const { assumed, conf, live, hops = [], closed = [] } = facts;
  const node = live?.process.state === 'seen' ? live.process.value : null;
  const published = node?.published ?? [];
  if (assumed === undefined && published.length + hops.length + closed.length === 0) return facts;
  const each = (settings: Settings, of: (listener: Listener) => Listener): Settings => {
    const { listeners, name } = behindFirewall(settings, closed);
    const known = listeners.map((one) => relayed(limited(of(one), published), hops, name));
    return { ...settings, listeners: known };
  };
  const stated = (settings: Settings) => each(settings, (one) => ofListener(one, assumed?.[one.kind]));
  const process =
    node?.settings == null ? {} : { process: seen({ ...node, settings: each(node.settings, (one) => one) }) };
  return {
    ...facts,
    conf: conf?.state === 'seen' ? { ...conf, value: changeSettings(conf.value, stated) } : conf,
    live: live === null ? null : { ...live, ...(assumed === undefined ? {} : { assumed }), ...process },
  };
}

function ofListener(listener: Listener, assumed: Reach | undefined): Listener {
  return assumed === undefined ? listener : { ...listener, assumed };
}

/** The settings with the limits of a firewall, where nothing else limits more. */
export function behindFirewall(settings: Settings, closed: readonly PortGate[]): Settings {
  if (closed.length === 0) return settings;
  const listeners = settings.listeners.map((listener) => {
    const gate = gateBefore(listener, closed);
    const { reach } = reachOfBind(withoutAssumed(listener));
    const isNarrower = reaches.indexOf(gate?.access.open ?? reach) < reaches.indexOf(reach);
    return gate !== null && isNarrower ? behind(listener, gate) : listener;
  });
  return { ...settings, listeners };
}

/** Who connects to a container's port is limited by the address on which its host publishes it. */
function limited(listener: Listener, published: readonly PublishedPort[]): Listener {
  const ways = published
    .filter(({ inside }) => inside === listener.port)
    .map(({ address, port }) => ({
      reach: reachOfHost(address).reach,
      because: `docker-proxy publishes it on ${address}:${port}`,
    }));
  if (ways.length === 0 || ownHop(listener) !== undefined) return listener;
  const { reach: open, because } = widest(ways);
  return behind(listener, { of: 'address', access: openTo(open), because, via: [] });
}

/** The listener with a gate before its address, in the place of another one. */
function behind(listener: Listener, gate: OwnHop): Listener {
  const others = (listener.hops ?? []).filter(({ of }) => of !== 'address');
  return { ...listener, hops: [gate, ...others] };
}

function relayed(listener: Listener, all: readonly RelayHop[], name: Settings['name']): Listener {
  const hops = all.filter(({ to }) => leadsTo(to, listener, name));
  return hops.length === 0 ? listener : { ...listener, hops: [...(listener.hops ?? []), ...hops] };
}

/** The listener without the operator's statement. */
export function withoutAssumed({ assumed: _, ...listener }: Listener): Listener {
  return listener;
}
