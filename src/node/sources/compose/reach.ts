/** Who reaches the ports of a service. */

import type { PortHop } from '../../facts/hops.js';
import type { Container } from '../launch/launch.js';
import { type ContainerNetwork, networksMade, networksNamed, openedBy } from '../script/networks.js';
import type { YamlNode } from '../yaml/node.js';
import { itemsOf, last } from './layers.js';
import { virtualHostsOf } from './nginx-proxy.js';
import { publishedBy } from './ports.js';
import type { Layer, Project, Service } from './project.js';
import { routedBy } from './traefik.js';

/** Services that use the network of each other, at most. */
const maxShared = 8;

/**
 * The published ports of a service; null on the network of the host.
 * @param name - the service as reports call it
 */
export function containerOf(service: Service, name = service.name, depth = 0): Container | null {
  const { layers, project, files } = service;
  const mode = last(layers, 'network_mode') ?? last(layers, 'net');
  const network = project.textOf(mode?.node)?.text ?? '';
  if (network === 'host') return null;
  if (network === 'none') return { published: [], network: null };
  const [, kind, other = ''] = /^(service|container):(.+)$/.exec(network) ?? [];
  if (kind !== undefined && depth < maxShared) {
    const owner = (kind === 'service' ? other : nameOfContainer(other, service)) ?? '';
    const shared = owner === '' ? null : project.service(owner, files);
    if (shared !== null && shared.layers.length > 0) return containerOf(shared, owner, depth + 1);
    const reason = `it uses the network of the ${kind} ${other}, which is not among the files`;
    files.miss({ name: other, decides: 'reach', reason });
  }
  const given = network === '' && isInternal(service) ? [] : itemsOf(layers, 'ports');
  const ports = given.flatMap(({ node }) => publishedBy(node, project.fill));
  const opened = network === '' ? openedByNetworks(service, ports) : [];
  if (opened === null) return null;
  const names = namesOf(service, name);
  return {
    published: [...ports, ...routedBy(service, names), ...virtualHostsOf(service), ...opened],
    network: 'this machine and other containers of its network',
    names,
  };
}

/** The service with this `container_name`; null if no service of the project has it. */
function nameOfContainer(container: string, { project, files }: Service): string | null {
  const nameOf = (service: string) => last(project.service(service, files).layers, 'container_name')?.node;
  return project.services().find((one) => project.textOf(nameOf(one))?.text === container) ?? null;
}

/** What the networks of a service open beside its published ports; null if it uses the network of the host. */
function openedByNetworks(service: Service, published: readonly PortHop[]): PortHop[] | null {
  const { layers, project, files } = service;
  const all = namesIn(layers).flatMap((name) => {
    const node = project.defined('networks', name)?.node;
    return node === undefined ? [] : [{ key: name, node, own: networkName(name, node, project) }];
  });
  if (all.some(({ own }) => own === 'host')) return null;
  const elsewhere = all.flatMap(({ own }) => own ?? []);
  const made = networksNamed(elsewhere, networksMade(elsewhere, files));
  return [...all.map(({ key, node }) => networkOf(key, node, project)), ...made].flatMap((one) =>
    openedBy(one, published),
  );
}

/** The networks of a service. */
function namesIn(layers: readonly Layer[]): string[] {
  const given = last(layers, 'networks')?.node ?? null;
  const keys = given?.isMap
    ? given.entries.map(({ key }) => key)
    : (given?.items ?? []).flatMap(({ text }) => text ?? []);
  return keys.length === 0 ? ['default'] : keys.map((key) => key.text);
}

/** Whether docker publishes no port of the service: each of its networks is internal. */
function isInternal({ layers, project }: Service): boolean {
  return namesIn(layers).every(
    (name) => project.textOf(project.defined('networks', name)?.node.get('internal'))?.text === 'true',
  );
}

/** The name that docker knows the network by, where it is not one of the project. */
function networkName(key: string, node: YamlNode, project: Project): string | null {
  const external = node.get('external');
  const named = project.textOf(external?.get('name')) ?? project.textOf(node.get('name'));
  if (named !== null) return named.text;
  return external === null || external.text?.text === 'false' ? null : key;
}

function networkOf(name: string, node: YamlNode, project: Project): ContainerNetwork {
  const filled = (one: YamlNode | null) => project.textOf(one)?.text ?? '';
  const options = node.get('driver_opts')?.entries ?? [];
  const subnets = (node.path('ipam', 'config')?.items ?? []).map((one) => filled(one.get('subnet')));
  return {
    name,
    driver: filled(node.get('driver')),
    options: new Map(options.map(({ key, value }) => [key.text, filled(value)])),
    subnets: subnets.filter((one) => one !== ''),
    at: node.at,
  };
}

/** Its own, those of its container and host, its aliases in networks, and those that other services link it by. */
function namesOf({ layers, project }: Service, service: string): readonly string[] {
  const own = ['container_name', 'hostname'].map((key) => project.textOf(last(layers, key)?.node)?.text);
  const networks = last(layers, 'networks')?.node.entries ?? [];
  const aliases = networks.flatMap(({ value }) => value?.get('aliases')?.items ?? []);
  const links = project
    .services()
    .flatMap((other) => project.defined('services', other)?.node.get('links')?.items ?? [])
    .flatMap((node) => {
      const [target = '', alias] = (node.text?.text ?? '').split(':') ?? [];
      return alias !== undefined && [service, ...own].includes(target) ? [alias] : [];
    });
  return [service, ...own, ...aliases.map(({ text }) => text?.text), ...links].filter(
    (name) => name !== undefined,
  );
}
