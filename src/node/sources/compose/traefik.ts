/** Ports of a service that Traefik forwards to, by the labels of the service. */

import { narrowest, reachOfClients, reachOfHost, widest } from '../../facts/reach.js';
import type { Limit } from '../../facts/settings.js';
import type { Scope } from '../launch/files.js';
import type { Published } from '../launch/launch.js';
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
  const routers = named(labels, /^traefik\.(?:http|tcp)\.routers\.([^.]+)\./);
  // A service that is enabled without a router gets one of a default rule.
  if (routers.size === 0 && enable?.text === 'true') routers.set('default', enable);
  if (routers.size === 0 || enable?.text === 'false') return [];
  const services = project.services().map((name) => project.layersOf(name, files));
  const known = new Map(services.flatMap((one) => [...labelsOf(one, project)]));
  return [...routers].flatMap(([router, at]): Published[] => {
    const entry = entryOf(fieldOf(labels, router, 'entrypoints'), services, project);
    if (entry === null) return [];
    const limits = (fieldOf(labels, router, 'middlewares')?.split(',') ?? []).flatMap((one) => {
      const name = one.trim().replace(/@docker$/, '');
      const limit = limitOf(name, known);
      if (limit !== undefined) return limit ?? [];
      const reason = `the middleware ${name} of the Traefik router ${router} is not among the labels`;
      files.miss({ name, decides: 'reach', reason: `${reason}, and may limit who connects` });
      return [];
    });
    const { reach } = narrowest([reachOfHost(entry.host), ...limits]);
    const because = [`the Traefik router ${router} publishes it`, ...limits.map((one) => one.because)].join(
      ' ',
    );
    const remedy = `Let a middleware of the Traefik router ${router} admit known clients only.`;
    return [{ ...entry, port: portOf(labels, router), at: at.span(), because, instead: null, remedy, reach }];
  });
}

function labelsOf(layers: readonly Layer[], project: Project): Labels {
  return new Map(
    valuesOf(layers, 'labels').flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), project.fill(value)] as const],
    ),
  );
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

function fieldOf(labels: Labels, router: string, field: string): string | undefined {
  const text = (protocol: string) => labels.get(`traefik.${protocol}.routers.${router}.${field}`)?.text;
  return text('http') ?? text('tcp');
}

/** The port that a router forwards to; null: it is not said. */
function portOf(labels: Labels, router: string): number | null {
  const ports = [...labels].flatMap(([label, value]) => {
    const [, service] =
      /^traefik\.(?:http|tcp)\.services\.([^.]+)\.loadbalancer\.server\.port$/.exec(label) ?? [];
    return service === undefined ? [] : [[service, Number(value.text)] as const];
  });
  const service = fieldOf(labels, router, 'service');
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

/** The limit of a middleware; null: it limits no client. `undefined`: its definition is not among the labels. */
function limitOf(name: string, labels: Labels): Limit | null | undefined {
  let isDefined = false;
  for (const [label, { text }] of labels) {
    const [, middleware, field = ''] =
      /^traefik\.(?:http|tcp)\.middlewares\.([^.]+)\.(.+)$/.exec(label) ?? [];
    if (middleware !== name.toLowerCase()) continue;
    isDefined = true;
    if (/^ip(?:allow|white)list\.sourcerange$/.test(field))
      return { reach: reachOfClients(text.split(',')), because: `to ${text}` };
    if (/^(?:basic|digest|forward)auth\./.test(field))
      return { reach: 'private', because: `to clients that ${field.split('.')[0]} accepts` };
  }
  return isDefined ? null : undefined;
}
