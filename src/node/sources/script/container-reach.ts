/** Who reaches the ports of a container that a command runs. */
import type { PortHop } from '../../facts/hops.js';
import { portHop } from '../../facts/reach.js';
import type { Container } from '../launch/launch.js';
import { isKnown } from '../text/placed.js';
import { type ContainerRun, valuesOf } from './container-run.js';
import { type ContainerNetwork, named, openedBy } from './networks.js';
import { publishedPorts } from './ports.js';

/** The networks that a container is attached to, without their options; `container:NAME` is one of them. */
export function networksOf(run: Pick<ContainerRun, 'options'>): string[] {
  return valuesOf(run, 'network', 'net').flatMap(({ text }) => {
    const name = text.split(',').find((one) => one.startsWith('name='));
    if (name !== undefined) return name.slice('name='.length);
    return text.startsWith('container:') ? text : text.replace(/:.*/, '').split(',');
  });
}

/** The container whose network a container uses, by its name; null: it has its own. */
export function sharedWith(run: ContainerRun): string | null {
  return /^container:(.+)$/.exec(networksOf(run).at(-1) ?? '')?.[1] ?? null;
}

/** Who reaches its ports, where the networks have these; null: it uses the network of the host. */
export function containerOf(run: ContainerRun, networks: readonly ContainerNetwork[]): Container | null {
  const own = networksOf(run);
  if (own.includes('host')) return null;
  if (own.includes('none')) return { published: [], network: null };
  const published: PortHop[] = valuesOf(run, 'publish').flatMap((text) =>
    publishedPorts(text, { text: text.text, at: text.span(), quote: '' }, '--publish publishes it'),
  );
  if (run.options.some(([name]) => name === 'publish-all')) {
    const every = { to: null, host: '0.0.0.0', port: null, at: run.image.span(), instead: null };
    published.push(portHop({ ...every, because: '--publish-all publishes it' }));
  }
  return {
    published: [...published, ...named(own, networks).flatMap((one) => openedBy(one, published))],
    network: 'this machine and other containers of its network',
  };
}

/** Why it is not known who reaches it, as a clause; null: its networks are known. */
export function unknownNetwork(run: ContainerRun, networks: readonly ContainerNetwork[]): string | null {
  const own = networksOf(run);
  if (!own.every(isKnown)) return 'its network cannot be known offline';
  const unknown = named(own, networks).find(({ driver }) => !isKnown(driver) || driver.includes('$'));
  return unknown === undefined ? null : `the driver of its network ${unknown.name} cannot be known offline`;
}
