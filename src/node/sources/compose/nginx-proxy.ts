/**
 * Ports of a service that nginx-proxy forwards to, by the variables of the service.
 * Source: github.com/nginx-proxy/nginx-proxy, docs: VIRTUAL_HOST, VIRTUAL_PORT, NETWORK_ACCESS.
 */
import { reachOfHost, widest } from '../../facts/reach.js';
import { environmentLines } from '../environment/environment.js';
import type { Files, Scope } from '../launch/files.js';
import type { Published } from '../launch/launch.js';
import type { Placed } from '../text/placed.js';
import { itemsOf, last, valuesOf } from './layers.js';
import { publishedBy } from './ports.js';
import type { Layer, Project } from './project.js';

export function virtualHostsOf(layers: readonly Layer[], project: Project, files: Scope): Published[] {
  const variables = variablesOf(layers, project, files);
  const named = variables.get('VIRTUAL_HOST') ?? variables.get('VIRTUAL_HOST_MULTIPORTS');
  const entry = named === undefined ? null : entryOf(project, files);
  if (named === undefined || entry === null) return [];
  const textOf = (name: string) => variables.get(name)?.text ?? '';
  const exposed = itemsOf(layers, 'expose').flatMap(({ node }) => project.textOf(node)?.text ?? []);
  // Without a port it takes the only one that the container exposes.
  const port = textOf('VIRTUAL_PORT') || (exposed.length === 1 ? (exposed[0] ?? '') : '');
  const isInternal = textOf('NETWORK_ACCESS') === 'internal';
  return [
    {
      ...entry,
      port: /^\d+$/.test(port) ? Number(port) : null,
      at: named.span(),
      because: `nginx-proxy publishes it${isInternal ? ' to internal networks' : ''}`,
      instead: null,
      remedy: 'Remove VIRTUAL_HOST, or set NETWORK_ACCESS to internal.',
      reach:
        isInternal && reachOfHost(entry.host).reach === 'any' ? 'private' : reachOfHost(entry.host).reach,
    },
  ];
}

/** The variables of a service. Its files are read for the node, and looked up here. */
function variablesOf(layers: readonly Layer[], project: Project, files: Files): ReadonlyMap<string, Placed> {
  const own = valuesOf(layers, 'environment').flatMap(([name, value]) =>
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

/** The address that clients connect to; null: the proxy is in the project and publishes no port. */
function entryOf(project: Project, files: Scope) {
  const proxy = project
    .services()
    .map((name) => project.layersOf(name, files))
    .find((one) => /(?:^|\/)nginx-proxy(?::|@|$)/.test(project.textOf(last(one, 'image')?.node)?.text ?? ''));
  const everywhere = { host: '0.0.0.0', hostPort: null };
  if (proxy === undefined || last(proxy, 'network_mode')?.node.text?.text === 'host') return everywhere;
  const published = itemsOf(proxy, 'ports').flatMap(({ node }) => publishedBy(node, project.fill));
  return published.length === 0
    ? null
    : widest(published.map(({ host, hostPort }) => ({ ...reachOfHost(host), host, hostPort })));
}
