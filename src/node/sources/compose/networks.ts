/** Networks on which the ports of a service are reached although it does not publish them. */
import { reachOfClients } from '../../facts/reach.js';
import type { Published } from '../launch/launch.js';
import type { YamlNode } from '../yaml/node.js';
import { last } from './layers.js';
import type { Layer, Project } from './project.js';

/** One entry for each network that gives the service an address which other machines reach; null: the host's network. */
export function networksOf(layers: readonly Layer[], project: Project): Published[] | null {
  const given = last(layers, 'networks')?.node ?? null;
  const keys = given?.isMap
    ? given.entries.map(({ key }) => key)
    : (given?.items ?? []).flatMap(({ text }) => text ?? []);
  const names = keys.length === 0 ? ['default'] : keys.map((key) => key.text);
  const all = names.flatMap((name) => {
    const node = project.defined('networks', name)?.node;
    return node === undefined ? [] : [{ name, node }];
  });
  const isHost = all.some(({ name, node }) => nameOf(name, node, project) === 'host');
  return isHost ? null : all.flatMap(({ name, node }) => openedBy(name, node, project));
}

/** The name that docker knows the network by, where it is not one of the project. */
function nameOf(key: string, node: YamlNode, project: Project): string | null {
  const external = node.get('external');
  const named = external?.get('name')?.text ?? node.get('name')?.text ?? null;
  if (named !== null) return project.fill(named).text;
  return external === null || external.text?.text === 'false' ? null : key;
}

/** `nat-unprotected`: every port of the container accepts packets that are routed to its address. */
const modes = ['ipv4', 'ipv6'].map((one) => `com.docker.network.bridge.gateway_mode_${one}`);

function openedBy(name: string, node: YamlNode, project: Project): Published[] {
  const textAt = (...path: readonly string[]) => {
    const text = node.path(...path)?.text ?? null;
    return text === null ? '' : project.fill(text).text;
  };
  const driver = textAt('driver');
  const isOpen = modes.some((mode) => textAt('driver_opts', mode) === 'nat-unprotected');
  if (!/^(?:mac|ip)vlan$/.test(driver) && !isOpen) return [];
  const subnets = (node.path('ipam', 'config')?.items ?? []).flatMap((one) => one.get('subnet')?.text ?? []);
  const reach =
    subnets.length === 0 ? 'private' : reachOfClients(subnets.map((one) => project.fill(one).text));
  const why = isOpen
    ? 'does not protect its ports (nat-unprotected)'
    : `is a ${driver}, with an address of its own`;
  return [
    {
      port: null,
      host: null,
      hostPort: null,
      reach,
      at: node.at,
      because: `the network ${name} ${why}`,
      instead: null,
      remedy: `Attach the service to a network that protects its ports, in the place of ${name}.`,
    },
  ];
}
