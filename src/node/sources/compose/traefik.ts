/** Ports of a service that Traefik forwards to, by the labels of the service. */

import { reachOfHost, widest } from '../../facts/reach.js';
import { accessThrough, onMachine } from '../../reach/gate.js';
import type { Access, Gate } from '../../reach/hop.js';
import type { Scope } from '../launch/files.js';
import type { Published } from '../launch/launch.js';
import type { KeyValue } from '../proxies/keys.js';
import { below, gateOfRouter } from '../proxies/traefik.js';
import type { Placed } from '../text/placed.js';
import { wordsOf } from '../text/words.js';
import { itemsOf, last, valuesOf } from './layers.js';
import { publishedBy } from './ports.js';
import type { Layer, Project } from './project.js';

type Labels = ReadonlyMap<string, Placed>;

/** What the routers of a service publish. */
export function routedBy(layers: readonly Layer[], project: Project, files: Scope): Published[] {
  const labels = labelsOf(layers, project);
  const enable = labels.get('traefik.enable');
  const routers = named(labels, /^traefik\.((?:http|tcp)\.routers\.[^.]+)\./);
  // A service that is enabled without a router gets one of a default rule.
  if (routers.size === 0 && enable?.text === 'true') routers.set('http.routers.default', enable);
  if (routers.size === 0 || enable?.text === 'false') return [];
  const services = project.services().map((name) => project.layersOf(name, files));
  const keys = keysOf(new Map(services.flatMap((one) => [...labelsOf(one, project)])));
  const known = below(keys, /^(http|tcp)\.routers\.([^.]+)\.(.+)$/);
  return [...routers].flatMap(([router, at]): Published[] => {
    const entry = entryOf(labels.get(`traefik.${router}.entrypoints`)?.text, services, project);
    if (entry === null) return [];
    const [protocol = '', , name = ''] = router.split('.');
    const gate = gateOfRouter(keys, known.get(`${protocol}.${name}`) ?? [], [], protocol);
    const everyone: Access = { open: reachOfHost(entry.host).reach, withLogin: null };
    const access = accessThrough(
      { gate, listens: entry.host },
      { ...onMachine, reachOf: () => everyone.open },
    );
    if ('unread' in access) {
      const reason = `of the Traefik router ${name}, ${access.unread}, and may limit who connects`;
      files.miss({ name, decides: 'reach', reason });
    }
    const { open, withLogin } = 'unread' in access ? everyone : access;
    const because = `the Traefik router ${name} publishes it${clientsIn(gate)}`;
    const remedy = `Let a middleware of the Traefik router ${name} admit known clients only.`;
    const own = { ...entry, port: portOf(labels, router), at: at.span(), because, instead: null, remedy };
    return [
      ...(open === null ? [] : [{ ...own, reach: open }]),
      ...(withLogin === null ? [] : [{ ...own, reach: withLogin, asksLogin: true as const }]),
    ];
  });
}

/** The addresses that a gate admits, as people write them. */
function clientsIn(gate: Gate): string {
  const lists =
    'unread' in gate
      ? []
      : gate.flat().flatMap(({ does, clients }) => (does === 'admit' ? [clients ?? []] : []));
  return lists.length === 0 ? '' : ` to ${lists.flat().join(',')}`;
}

function labelsOf(layers: readonly Layer[], project: Project): Labels {
  return new Map(
    // In a swarm, those of the service count.
    [...valuesOf(layers, 'labels'), ...valuesOf(layers, 'deploy', 'labels')].flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), project.fill(value)] as const],
    ),
  );
}

/** Labels as the keys of a file of Traefik, which has lists in place of texts with commas. */
function keysOf(labels: Labels): readonly KeyValue[] {
  return [...labels].flatMap(([label, { text }]) => {
    const key = label.replace(/^traefik\./, '');
    const at = { start: 0, end: 0 };
    if (!/\.(?:middlewares|entrypoints|sourcerange)$/.test(key)) return [{ key, value: text, at }];
    return text.split(',').map((one, index) => ({
      key: `${key}.${index}`,
      value: one.trim().replace(/@(?:docker|swarm)$/, ''),
      at,
    }));
  });
}

/** The names in labels, each with the value of its first label. */
function named(labels: Labels, pattern: RegExp): Map<string, Placed> {
  const found = new Map<string, Placed>();
  for (const [label, value] of labels) {
    const name = pattern.exec(label)?.[1];
    if (name !== undefined && !found.has(name)) found.set(name, value);
  }
  return found;
}

/** The port that a router forwards to; null: it is not said. */
function portOf(labels: Labels, router: string): number | null {
  const ports = [...labels].flatMap(([label, value]) => {
    const [, service] =
      /^traefik\.(?:http|tcp)\.services\.([^.]+)\.loadbalancer\.server\.port$/.exec(label) ?? [];
    return service === undefined ? [] : [[service, Number(value.text)] as const];
  });
  const service = labels.get(`traefik.${router}.service`)?.text;
  const [, port] =
    ports.find(([name]) => name === service) ?? (ports.length === 1 ? ports[0] : undefined) ?? [];
  return port === undefined || !Number.isInteger(port) ? null : port;
}

/** The address that clients of an entry point connect to; null: the proxy is in the project and publishes it nowhere. */
function entryOf(entrypoints: string | undefined, services: readonly (readonly Layer[])[], project: Project) {
  const proxy = services.find((one) =>
    /(?:^|\/)traefik(?::|@|$)/.test(last(one, 'image')?.node.text?.text ?? ''),
  );
  if (proxy === undefined || last(proxy, 'network_mode')?.node.text?.text === 'host')
    return { host: '0.0.0.0', hostPort: null };
  const words = itemsOf(proxy, 'command').flatMap(({ node }) =>
    node.text === null ? [] : wordsOf(project.fill(node.text)).map(({ text }) => text),
  );
  const asked = entrypoints?.split(',').map((one) => one.trim().toLowerCase());
  const ports = words.flatMap((word) => {
    const [, name = '', port = ''] = /^--entrypoints\.([^.=]+)\.address=.*:(\d+)/i.exec(word) ?? [];
    return port !== '' && (asked?.includes(name.toLowerCase()) ?? true) ? [Number(port)] : [];
  });
  if (ports.length === 0) return { host: '0.0.0.0', hostPort: null };
  const published = itemsOf(proxy, 'ports')
    .flatMap(({ node }) => publishedBy(node, project.fill))
    .filter(({ port }) => port === null || ports.includes(port));
  return published.length === 0
    ? null
    : widest(published.map(({ host, hostPort }) => ({ ...reachOfHost(host), host, hostPort })));
}
