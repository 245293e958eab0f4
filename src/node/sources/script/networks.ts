/** The networks of containers, and who reaches the ports of a container that a command runs. */
import { openTo, type PortHop } from '../../facts/hops.js';
import { portHop, reachOfClients } from '../../facts/reach.js';
import type { Span } from '../../facts/span.js';
import type { Files } from '../launch/files.js';
import type { Container } from '../launch/launch.js';
import { isKnown, type Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import { type ContainerRun, commandsIn, optionsFrom, optionsNamed, scripts } from './container-run.js';
import { publishedPorts } from './ports.js';

/** A network as the command or the file that makes it describes it. */
export interface ContainerNetwork {
  readonly name: string;
  readonly driver: string;
  readonly options: ReadonlyMap<string, string>;
  readonly subnets: readonly string[];
  readonly at: Span;
}

const gateways = ['ipv4', 'ipv6'].map((one) => `com.docker.network.bridge.gateway_mode_${one}`);

/**
 * What the network opens beside the ports that it is given. `nat-unprotected`: packets that are routed to the container
 * reach each port; `routed`: each published one, whatever host address it has.
 * https://docs.docker.com/engine/network/port-publishing/#gateway-modes
 */
export function openedBy(network: ContainerNetwork, published: readonly PortHop[]): PortHop[] {
  const { name, driver, options, subnets, at } = network;
  const modes = gateways.map((one) => options.get(one));
  const opened = (ports: readonly Pick<PortHop, 'to' | 'unsure'>[], why: string) =>
    ports.map(({ to, unsure }) =>
      portHop({
        to,
        host: null,
        port: null,
        at,
        because: `the network ${name} ${why}`,
        instead: null,
        ...(unsure === undefined ? {} : { unsure }),
        access: openTo(subnets.length === 0 ? 'private' : reachOfClients(subnets)),
        remedy: `Attach the container to a network that protects its ports, in the place of ${name}.`,
      }),
    );
  if (modes.includes('nat-unprotected'))
    return opened([{ to: null }], 'does not protect its ports (nat-unprotected)');
  if (/^(?:mac|ip)vlan$/.test(driver))
    return opened([{ to: null }], `is a ${driver}, with an address of its own`);
  return modes.includes('routed') ? opened(published, 'routes packets to its published ports (routed)') : [];
}

/** Reads `docker network create -d macvlan --subnet 10.0.0.0/24 NAME`; null for another command. */
export function networkCreate(words: readonly Placed[]): ContainerNetwork | null {
  const verb = words.findIndex(({ text }) => text === 'network');
  if (verb < 1 || words[verb + 1]?.text !== 'create') return null;
  // -d is --detach of other commands.
  const long = words.map((word) =>
    /^-d./.test(word.text)
      ? word.as(`--driver=${word.text.slice(2)}`)
      : word.text === '-d'
        ? word.as('--driver')
        : word,
  );
  const options: ContainerRun['options'][number][] = [];
  const names: Placed[] = [];
  for (let next = verb + 2; next < long.length; ) {
    const { options: found, at } = optionsFrom(long, next);
    options.push(...found);
    names.push(...long.slice(at, at + 1));
    next = at + 1;
  }
  const name = names.at(-1);
  if (name === undefined) return null;
  const pairs = optionsNamed({ options }, 'opt', 'o').map(pairOf);
  return {
    name: name.text,
    driver: optionsNamed({ options }, 'driver').at(-1)?.text ?? '',
    options: new Map(pairs.map(([key, value]) => [key, value?.text ?? ''])),
    subnets: optionsNamed({ options }, 'subnet').map(({ text }) => text),
    at: name.span(),
  };
}

/** What a command changes of a container that runs, as options that it may be started with. */
export interface ContainerUpdate {
  readonly container: string;
  readonly update: ContainerRun['options'];
}

/** Reads `docker network connect NETWORK CONTAINER` and `docker service update --publish-add PORTS NAME`; null for another command. */
export function containerUpdate(words: readonly Placed[]): ContainerUpdate | null {
  const verb = words.findIndex(({ text }) => text === 'network' || text === 'service');
  const what = words.slice(Math.max(0, verb), verb + 2).map(({ text }) => text);
  const { options, at } = optionsFrom(words, verb + 2);
  const [first, second] = words.slice(at);
  if (verb < 1 || first === undefined) return null;
  if (what.join(' ') === 'service update') {
    const added = options.filter(([name]) => name.endsWith('-add'));
    return { container: first.text, update: added.map(([name, value]) => [name.slice(0, -4), value]) };
  }
  if (what.join(' ') !== 'network connect' || second === undefined) return null;
  return { container: second.text, update: [['network', first]] };
}

const command = /\b(?:docker|podman|nerdctl)(?:[ \t]+-[^\s]*)*[ \t]+network[ \t]+create\b(?:\\\n|[^\n;&|])*/g;

/** The networks of these names that commands in any script of the deployment make, read as they are written. */
export function networksMade(names: readonly string[], files: Files): ContainerNetwork[] {
  if (names.length === 0) return [];
  return files.named(scripts).flatMap((file) => {
    const made = commandsIn(file, command).flatMap((words) => networkCreate(words) ?? []);
    const wanted = made.filter(({ name }) => names.includes(name));
    if (wanted.length > 0) files.use(file, 'selected');
    return wanted;
  });
}

/** The networks of these names; of two with one name the last one counts. */
export function networksNamed(
  names: readonly string[],
  networks: readonly ContainerNetwork[],
): ContainerNetwork[] {
  return names.flatMap((name) => networks.findLast((one) => one.name === name && isKnown(name)) ?? []);
}

/** The networks that a container is attached to, without their options; `container:NAME` is one of them. */
export function networksOf(run: Pick<ContainerRun, 'options'>): string[] {
  return optionsNamed(run, 'network', 'net').flatMap(({ text }) => {
    const name = text.split(',').find((one) => one.startsWith('name='));
    if (name !== undefined) return name.slice('name='.length);
    return text.startsWith('container:') ? text : text.replace(/:.*/, '').split(',');
  });
}

/** The container whose network a container uses, by its name; null if it has its own. */
export function sharedWith(run: ContainerRun): string | null {
  return /^container:(.+)$/.exec(networksOf(run).at(-1) ?? '')?.[1] ?? null;
}

/** Who reaches its ports, where the networks have these; null if it uses the network of the host. */
export function containerOf(run: ContainerRun, networks: readonly ContainerNetwork[]): Container | null {
  const own = networksOf(run);
  if (own.includes('host')) return null;
  if (own.includes('none')) return { published: [], network: null };
  const published: PortHop[] = optionsNamed(run, 'publish').flatMap((text) =>
    publishedPorts(text, { text: text.text, at: text.span(), quote: '' }, '--publish publishes it'),
  );
  if (run.options.some(([name]) => name === 'publish-all')) {
    const every = { to: null, host: '0.0.0.0', port: null, at: run.image.span(), instead: null };
    published.push(portHop({ ...every, because: '--publish-all publishes it' }));
  }
  return {
    published: [...published, ...networksNamed(own, networks).flatMap((one) => openedBy(one, published))],
    network: 'this machine and other containers of its network',
  };
}

/** Why it is not known who reaches it, as a clause; null if its networks are known. */
export function unknownNetwork(run: ContainerRun, networks: readonly ContainerNetwork[]): string | null {
  const own = networksOf(run);
  if (!own.every(isKnown)) return 'its network cannot be known offline';
  const unknown = networksNamed(own, networks).find(({ driver }) => !isKnown(driver) || driver.includes('$'));
  return unknown === undefined ? null : `the driver of its network ${unknown.name} cannot be known offline`;
}
