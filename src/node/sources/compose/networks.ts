/** Networks on which the ports of a service are reached although it does not publish them. */
import type { Files } from '../launch/files.js';
import type { Published } from '../launch/launch.js';
import { type ContainerNetwork, named, networksMade, openedBy } from '../script/networks.js';
import type { YamlNode } from '../yaml/node.js';
import { last } from './layers.js';
import type { Layer, Project } from './project.js';

/** What the networks of a service open beside its published ports; null: it uses the network of the host. */
export function openedByNetworks(
  layers: readonly Layer[],
  project: Project,
  files: Files,
  published: readonly Published[],
): Published[] | null {
  const all = namesIn(layers).flatMap((name) => {
    const node = project.defined('networks', name)?.node;
    return node === undefined ? [] : [{ key: name, node, own: nameOf(name, node, project) }];
  });
  if (all.some(({ own }) => own === 'host')) return null;
  const elsewhere = all.flatMap(({ own }) => own ?? []);
  const made = named(elsewhere, networksMade(elsewhere, files));
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

/** True where docker publishes no port of the service: each of its networks is internal. */
export function isInternal(layers: readonly Layer[], project: Project): boolean {
  return namesIn(layers).every(
    (name) => project.textOf(project.defined('networks', name)?.node.get('internal'))?.text === 'true',
  );
}

/** The name that docker knows the network by, where it is not one of the project. */
function nameOf(key: string, node: YamlNode, project: Project): string | null {
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
