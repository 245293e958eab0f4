/** Reads Kubernetes manifests: one launch for each container that starts a node and for each conf in a ConfigMap. */
import { readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import {
  type Context,
  type Launch,
  type Launches,
  type LaunchVariable,
  loneLaunch,
} from '../launch/launch.js';
import { launchesOf } from '../script/container.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, type Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { YamlNode } from '../yaml/node.js';
import { containerOf } from './reach.js';
import { type Resources, resourcesOf, type Workload } from './resources.js';

type Environment = Map<string, LaunchVariable>;

/** Reads manifests with their Lists, ConfigMaps and Services. */
export function readKubernetes(file: LineIndex, context: Context): Launches {
  const resources = resourcesOf(file, context.kinds);
  const used = new Set<YamlNode>();
  const launches = resources.workloads.flatMap((workload) => {
    const containers = ['initContainers', 'containers'].flatMap((key) => workload.spec.get(key)?.items ?? []);
    return containers.flatMap((container) =>
      launchesIn(workload, container, containers.length > 1, resources, used, context),
    );
  });
  return {
    launches: [...launches, ...loneConfs(context.kinds, resources, used)],
    problems: resources.problems,
    notes: [],
  };
}

function launchesIn(
  workload: Workload,
  container: YamlNode,
  several: boolean,
  resources: Resources,
  used: Set<YamlNode>,
  { files, steps, kinds }: Context,
): Launch[] {
  const environment = environmentOf(container, resources);
  const words = [...wordsIn(container.get('command')), ...wordsIn(container.get('args'))];
  const own = container.get('name')?.text?.text ?? '';
  return launchesOf({
    name: several ? `${workload.name}/${own}` : workload.name,
    words: words.map((word) => referred(word, environment)),
    environment,
    container: containerOf(workload, container, resources),
    image: container.get('image')?.text ?? null,
    files: files.scope(),
    file: (path) => mounted(workload, container, path, resources, used),
    steps,
    kinds,
  });
}

function wordsIn(node: YamlNode | null): Placed[] {
  return (node?.items ?? []).flatMap(({ text }) => text ?? []);
}

/** Expands $(NAME) as Kubernetes does: an unset name stays as it is written, $$ becomes $. */
function referred(text: Placed, environment: Environment): Placed {
  return text.replace(/\$\$|\$\(([\w.-]+)\)/g, ([, name], at) => {
    if (name === undefined) return at.as('$');
    const variable = environment.get(name);
    return variable === undefined ? null : (variable.value ?? at.as(unfilled));
  });
}

function environmentOf(container: YamlNode, resources: Resources): Environment {
  const map: Environment = new Map();
  for (const source of container.get('envFrom')?.items ?? []) {
    const name = source.path('configMapRef', 'name')?.text?.text ?? '';
    for (const { key, value } of resources.configMaps.get(name)?.get('data')?.entries ?? [])
      set(map, key.text, value?.text ?? null, key, null);
  }
  for (const entry of container.get('env')?.items ?? []) {
    const name = entry.get('name')?.text ?? null;
    if (name === null) continue;
    const from = entry.get('valueFrom');
    if (from === null) {
      const value = entry.get('value')?.text ?? name.as('');
      set(map, name.text, referred(value, map), name, null);
    } else
      set(
        map,
        name.text,
        ofConfigMap(from, resources),
        name,
        'it comes from a source outside the manifest (valueFrom)',
      );
  }
  return map;
}

function set(map: Environment, name: string, value: Placed | null, at: Placed, reason: string | null): void {
  map.set(name, {
    value,
    at: (value ?? at).span(),
    indeterminate: value === null ? (reason ?? 'it has no value') : null,
  });
}

function ofConfigMap(from: YamlNode, { configMaps }: Resources): Placed | null {
  const name = from.path('configMapKeyRef', 'name')?.text?.text ?? '';
  const key = from.path('configMapKeyRef', 'key')?.text?.text ?? '';
  return configMaps.get(name)?.path('data', key)?.text ?? null;
}

/** The text of a file that a ConfigMap mounts at a path of the container. */
function mounted(
  { spec }: Workload,
  container: YamlNode,
  path: string,
  { configMaps }: Resources,
  used: Set<YamlNode>,
): Placed | null {
  for (const mount of container.get('volumeMounts')?.items ?? []) {
    const target = mount.get('mountPath')?.text?.text.replace(/\/$/, '') ?? '';
    const under = mount.get('subPath')?.text?.text;
    const file =
      under !== undefined && target === path
        ? under
        : path.startsWith(`${target}/`)
          ? path.slice(target.length + 1)
          : null;
    if (file === null || !isKnown(target)) continue;
    const name = mount.get('name')?.text?.text;
    const volume = spec.get('volumes')?.items.find((one) => one.get('name')?.text?.text === name);
    const source = volume?.get('configMap') ?? null;
    const item = source?.get('items')?.items.find((one) => one.get('path')?.text?.text === file);
    const key = item?.get('key')?.text?.text ?? file;
    const node = configMaps.get(source?.get('name')?.text?.text ?? '')?.path('data', key) ?? null;
    if (node?.text == null) continue;
    used.add(node);
    return node.text;
  }
  return null;
}

/** Confs that no container of the manifest reads. */
function loneConfs(kinds: readonly Kind[], { configMaps }: Resources, used: ReadonlySet<YamlNode>): Launch[] {
  const read = new Set([...used].map(({ at }) => JSON.stringify(at)));
  return [...configMaps].flatMap(([name, map]) =>
    (map.get('data')?.entries ?? []).flatMap(({ key, value }) => {
      const reader = readerOfConf(kinds, key.text);
      const text = value?.text ?? null;
      if (reader === null || text === null || value === null || read.has(JSON.stringify(value.at))) return [];
      return [
        loneLaunch({
          name: `ConfigMap/${name}`,
          ...reader,
          by: 'name',
          start: { kind: 'launcher', conf: text, base: 'none' },
          container: { published: [], network: 'the cluster network' },
          at: key.span(),
        }),
      ];
    }),
  );
}
