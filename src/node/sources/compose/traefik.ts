/** Ports of a service that Traefik forwards to, by the labels of the service. */

import { openTo, type PortHop } from '../../facts/hops.js';
import { portHop, reachOfHost, widest } from '../../facts/reach.js';
import { leadsToAny } from '../../reach/address.js';
import { accessThrough, clientsIn, onMachine, withoutOwnLogins } from '../../reach/gate.js';
import type { KeyValue } from '../proxies/keys.js';
import { below, throughRouter, valuesMatching } from '../proxies/traefik.js';
import { isKnown, type Placed } from '../text/placed.js';
import { splitWords } from '../text/words.js';
import { itemsOf, last, mergePairs } from './layers.js';
import { publishedBy } from './ports.js';
import type { Service } from './project.js';

type Labels = ReadonlyMap<string, Placed>;

/** What the routers of a service publish. */
export function routedBy(service: Service, names: readonly string[]): PortHop[] {
  const { project, files } = service;
  const labels = labelsOf(service);
  const enable = labels.get('traefik.enable');
  if (enable?.text === 'false') return [];
  const own = keysOf(labels);
  const routers = new Map(below(own, 'routers'));
  // A service that is enabled without a router gets one of a default rule.
  if (routers.size === 0 && enable?.text === 'true') routers.set('http.that it has by default', []);
  if (routers.size === 0) return [];
  const services = project.services().map((name) => project.service(name, files));
  // Such a proxy makes routers for services alone that are enabled.
  const proxies = services.filter((one) => traefik.test(imageOf(one)));
  const isHidden = proxies.some((one) => wordsOfProxy(one).some((word) => hidesOthers.test(word)));
  if (isHidden && enable?.text !== 'true' && (enable === undefined || isKnown(enable.text))) return [];
  const keys = keysOf(new Map(services.flatMap((one) => [...labelsOf(one)])));
  return [...routers].flatMap(([id, router]): PortHop[] => {
    const [protocol = '', name = ''] = id.split('.');
    const [, at = enable] =
      [...labels].find(([label]) => label.startsWith(`traefik.${protocol}.routers.${name}.`)) ?? [];
    const asked = valuesMatching(router, /^entrypoints\.\d+$/);
    const entry = entryOf(services, traefik, (proxy) => portsOfEntries(proxy, asked));
    if (entry === null || at === undefined) return [];
    const { gate: written, ...through } = throughRouter(keys, router, protocol);
    const gate = withoutOwnLogins(written, leadsToAny(names));
    const { reach } = reachOfHost(entry.host);
    const access = accessThrough({ gate, listens: entry.host }, { ...onMachine, reachOf: () => reach });
    if ('unread' in access) {
      const reason = `of the Traefik router ${name}, ${access.unread}, and may limit who connects`;
      files.miss({ name, decides: 'reach', reason });
    }
    const because = `the Traefik router ${name} publishes it${clientsIn(gate)}`;
    const remedy = `Let a middleware of the Traefik router ${name} admit known clients only.`;
    const to = portOf(own, router);
    const hop = { ...entry, ...through, to, at: at.span(), because, instead: null, remedy };
    return [portHop({ ...hop, access: 'unread' in access ? openTo(reach) : access })];
  });
}

function labelsOf({ layers, project }: Service): Labels {
  return new Map(
    // In a swarm, those of the service count.
    [...mergePairs(layers, 'labels'), ...mergePairs(layers, 'deploy', 'labels')].flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), project.fill(value)] as const],
    ),
  );
}

/** Labels as the keys of a file of Traefik, which has lists in place of texts with commas. */
function keysOf(labels: Labels): readonly KeyValue[] {
  return [...labels].flatMap(([label, { text }]) => {
    const key = label.replace(/^traefik\./, '');
    const at = { start: 0, end: 0 };
    if (!/\.(?:middlewares|entrypoints|sourcerange|accesscontrolallow\w+)$/.test(key))
      return [{ key, value: text, at }];
    return text.split(',').map((one, index) => ({
      key: `${key}.${index}`,
      value: one.trim().replace(/@(?:docker|swarm)$/, ''),
      at,
    }));
  });
}

/** The port that a router forwards to; null if it is not said. */
function portOf(keys: readonly KeyValue[], router: readonly KeyValue[]): number | null {
  const [service] = valuesMatching(router, /^service$/);
  const ports = [...below(keys, 'services')].flatMap(([id, own]) =>
    valuesMatching(own, /^loadbalancer\.server\.port$/).map((port) => ({
      name: id.replace(/^\w+\./, ''),
      port,
    })),
  );
  const { port } =
    ports.find(({ name }) => name === service) ?? (ports.length === 1 ? ports[0] : undefined) ?? {};
  return /^\d+$/.test(port ?? '') ? Number(port) : null;
}

const hidesOthers = /^--providers\.docker\.exposedbydefault=(?:false|0|f)$/i;

const traefik = /(?:^|\/)traefik(?::|@|$)/;

/** The ports of the entry points that a router asks for; null if they are not said. */
function portsOfEntries(proxy: Service, asked: readonly string[]): readonly number[] | null {
  const words = wordsOfProxy(proxy);
  const names = asked.map((one) => one.toLowerCase());
  const ports = words.flatMap((word) => {
    const [, name = '', port = ''] = /^--entrypoints\.([^.=]+)\.address=.*:(\d+)/i.exec(word) ?? [];
    return port !== '' && (names.length === 0 || names.includes(name.toLowerCase())) ? [Number(port)] : [];
  });
  return ports.length === 0 ? null : ports;
}

function imageOf({ layers, project }: Service): string {
  return project.textOf(last(layers, 'image')?.node)?.text ?? '';
}

function wordsOfProxy({ layers, project }: Service): readonly string[] {
  return itemsOf(layers, 'command').flatMap(({ node }) =>
    node.text === null ? [] : splitWords(project.fill(node.text)).map(({ text }) => text),
  );
}

const everywhere = { host: '0.0.0.0', port: null };

/**
 * The address that clients of a proxy of the project connect to, found by its image; null if it publishes no port.
 * @param portsOf - the ports that it listens on; null if any address may be one
 */
export function entryOf(
  services: readonly Service[],
  image: RegExp,
  portsOf: (proxy: Service) => readonly number[] | null,
): Pick<PortHop, 'host' | 'port'> | null {
  const proxy = services.find((one) => image.test(imageOf(one)));
  if (proxy === undefined || last(proxy.layers, 'network_mode')?.node.text?.text === 'host')
    return everywhere;
  const ports = portsOf(proxy);
  if (ports === null) return everywhere;
  const published = itemsOf(proxy.layers, 'ports')
    .flatMap(({ node }) => publishedBy(node, proxy.project.fill))
    .filter(({ to }) => to === null || ports.length === 0 || ports.includes(to));
  if (published.length === 0) return null;
  const { host, port } = widest(published.map((one) => ({ ...one, ...reachOfHost(one.host) })));
  return { host, port };
}
