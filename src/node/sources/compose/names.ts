/** The names that other containers know a service by. */
import { last } from './layers.js';
import type { Layer, Project } from './project.js';

/** Its own, those of its container and host, its aliases in networks, and those that other services link it by. */
export function namesOf(service: string, layers: readonly Layer[], project: Project): readonly string[] {
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
