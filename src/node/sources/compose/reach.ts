/** Who reaches the ports of a service. */
import type { Scope } from '../launch/files.js';
import type { Container, Published } from '../launch/launch.js';
import { itemsOf, last } from './layers.js';
import { isInternal, openedByNetworks } from './networks.js';
import { publishedBy } from './ports.js';
import type { Layer, Project } from './project.js';
import { routedBy } from './traefik.js';

/** Services that use the network of each other, at most. */
const maxShared = 8;

/** The published ports of a service; null on the network of the host. */
export function containerOf(
  layers: readonly Layer[],
  project: Project,
  files: Scope,
  depth = 0,
): Container | null {
  const mode = last(layers, 'network_mode') ?? last(layers, 'net');
  const network = project.textOf(mode?.node)?.text ?? '';
  if (network === 'host') return null;
  if (network === 'none') return { published: [], network: null };
  const [, kind, name = ''] = /^(service|container):(.+)$/.exec(network) ?? [];
  if (kind !== undefined && depth < maxShared) {
    const owner = kind === 'service' ? name : nameOfContainer(name, project, files);
    const shared = owner === null ? [] : project.layersOf(owner, files);
    if (shared.length > 0) return containerOf(shared, project, files, depth + 1);
    const reason = `it uses the network of the ${kind} ${name}, which is not among the files`;
    files.miss({ name, decides: 'reach', reason });
  }
  const given = network === '' && isInternal(layers, project) ? [] : itemsOf(layers, 'ports');
  const ports: Published[] = given.flatMap(({ node }) => publishedBy(node, project.fill));
  const opened = network === '' ? openedByNetworks(layers, project, files, ports) : [];
  if (opened === null) return null;
  return {
    published: [...ports, ...routedBy(layers, project, files), ...opened],
    network: 'this machine and other containers of its network',
  };
}

/** The service with this `container_name`; null: none of the project. */
function nameOfContainer(container: string, project: Project, files: Scope): string | null {
  const nameOf = (service: string) => last(project.layersOf(service, files), 'container_name')?.node;
  return project.services().find((one) => project.textOf(nameOf(one))?.text === container) ?? null;
}
