/** Networks on which the ports of a container are reached although it does not publish them there. */
import { openTo, type PortHop } from '../../facts/hops.js';
import { portHop, reachOfClients } from '../../facts/reach.js';
import type { Span } from '../../facts/span.js';
import type { Files } from '../launch/files.js';
import { isKnown, Placed } from '../text/placed.js';
import { pairOf, wordsOf } from '../text/words.js';
import { type ContainerRun, optionsFrom, valuesOf } from './container-run.js';

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

/** Reads `docker network create -d macvlan --subnet 10.0.0.0/24 NAME`; null: another command. */
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
  const pairs = valuesOf({ options }, 'opt', 'o').map(pairOf);
  return {
    name: name.text,
    driver: valuesOf({ options }, 'driver').at(-1)?.text ?? '',
    options: new Map(pairs.map(([key, value]) => [key, value?.text ?? ''])),
    subnets: valuesOf({ options }, 'subnet').map(({ text }) => text),
    at: name.span(),
  };
}

/** What a command changes of a container that runs, as options that it may be started with. */
export interface ContainerUpdate {
  readonly container: string;
  readonly update: ContainerRun['options'];
}

/** Reads `docker network connect NETWORK CONTAINER` and `docker service update --publish-add PORTS NAME`; null: another command. */
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

const scripts = /\.(?:sh|bash|mk)$|(?:^|\/)(?:GNU)?[Mm]akefile$/;
const command = /\b(?:docker|podman|nerdctl)(?:[ \t]+-[^\s]*)*[ \t]+network[ \t]+create\b(?:\\\n|[^\n;&|])*/g;

/** The networks of these names that commands in any script of the deployment make, read as they are written. */
export function networksMade(names: readonly string[], files: Files): ContainerNetwork[] {
  if (names.length === 0) return [];
  return files.named(scripts).flatMap((file) => {
    const made = [...file.text.matchAll(command)].flatMap(({ 0: { length }, index }) => {
      const before = file.text.slice(file.text.lastIndexOf('\n', index) + 1, index);
      const isText = /^\s*@?(?:#|echo\b|printf\b)|\s#\s/.test(before);
      return isText ? [] : (networkCreate(wordsOf(Placed.at(file, index, index + length))) ?? []);
    });
    const wanted = made.filter(({ name }) => names.includes(name));
    if (wanted.length > 0) files.use(file, 'selected');
    return wanted;
  });
}

/** The networks of these names; of two with one name the last one counts. */
export function named(names: readonly string[], networks: readonly ContainerNetwork[]): ContainerNetwork[] {
  return names.flatMap((name) => networks.findLast((one) => one.name === name && isKnown(name)) ?? []);
}
