/** Who reaches the ports of a service. */
import type { Scope } from '../launch/files.js';
import type { Container, Published } from '../launch/launch.js';
import { itemsOf, last } from './layers.js';
import { publishedBy } from './ports.js';
import type { Layer, Project } from './project.js';
import { routedBy } from './traefik.js';

/** The published ports of a service; null on the network of the host. */
export function containerOf(layers: readonly Layer[], project: Project, files: Scope): Container | null {
  const mode = last(layers, 'network_mode')?.node.text ?? null;
  const network = mode === null ? '' : project.fill(mode).text;
  if (network === 'host') return null;
  if (network === 'none') return { published: [], network: null };
  const [, kind, name = ''] = /^(service|container):(.+)$/.exec(network) ?? [];
  const shared = kind === 'service' ? project.layersOf(name, files) : [];
  if (kind !== undefined && shared.length === 0) {
    const reason = `it uses the network of the ${kind} ${name}, which is not among the files`;
    files.miss({ name, decides: 'reach', reason });
  }
  const owner = shared.length === 0 ? layers : shared;
  const published: Published[] = [
    ...itemsOf(owner, 'ports').flatMap(({ node }) => publishedBy(node, project.fill)),
    ...routedBy(owner, project, files),
  ];
  return { published, network: 'this machine and other containers of its network' };
}
