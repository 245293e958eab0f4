/**
 * Ports of a service that nginx-proxy forwards to, by the variables of the service.
 * Source: github.com/nginx-proxy/nginx-proxy, docs: VIRTUAL_HOST, VIRTUAL_PORT, NETWORK_ACCESS.
 */
import { openTo, type PortHop } from '../../facts/hops.js';
import { portHop, reachOfHost } from '../../facts/reach.js';
import { environmentLines } from '../environment/environment.js';
import type { Placed } from '../text/placed.js';
import { itemsOf, mergePairs } from './layers.js';
import type { Service } from './project.js';
import { entryOf } from './traefik.js';

export function virtualHostsOf(service: Service): PortHop[] {
  const { layers, project, files } = service;
  const variables = variablesOf(service);
  const named = variables.get('VIRTUAL_HOST') ?? variables.get('VIRTUAL_HOST_MULTIPORTS');
  if (named === undefined) return [];
  const services = project.services().map((name) => project.service(name, files));
  const entry = entryOf(services, /(?:^|\/)nginx-proxy(?::|@|$)/, () => []);
  if (entry === null) return [];
  const textOf = (name: string) => variables.get(name)?.text ?? '';
  const exposed = itemsOf(layers, 'expose').flatMap(({ node }) => project.textOf(node)?.text ?? []);
  // Without a port it takes the only one that the container exposes.
  const port = textOf('VIRTUAL_PORT') || (exposed.length === 1 ? (exposed[0] ?? '') : '');
  const isInternal = textOf('NETWORK_ACCESS') === 'internal';
  const { reach } = reachOfHost(entry.host);
  return [
    portHop({
      ...entry,
      to: /^\d+$/.test(port) ? Number(port) : null,
      at: named.span(),
      instead: null,
      because: `nginx-proxy publishes it${isInternal ? ' to internal networks' : ''}`,
      remedy: 'Remove VIRTUAL_HOST, or set NETWORK_ACCESS to internal.',
      access: openTo(isInternal && reach === 'any' ? 'private' : reach),
    }),
  ];
}

/** The variables of a service. Its files are read for the node, and looked up here. */
function variablesOf({ layers, project, files }: Service): ReadonlyMap<string, Placed> {
  const own = mergePairs(layers, 'environment').flatMap(([name, value]) =>
    value === null ? [] : [[name, project.fill(value)] as const],
  );
  const others = itemsOf(layers, 'env_file').flatMap(({ node, file }) => {
    const path = project.textOf(node.isMap ? node.get('path') : node);
    const found = path === null ? null : files.peek(path.text, file);
    const lines = found === null || 'problem' in found ? [] : environmentLines(found);
    return lines.map(({ name, value }) => [name, value] as const);
  });
  return new Map([...others, ...own]);
}
