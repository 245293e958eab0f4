/** Kubernetes manifests: one launch for each container that starts a node, and for each conf that a ConfigMap holds. */
import { readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Context, Launch, Launches, LaunchVariable } from '../launch.js';
import { launchesOf } from '../script/container.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { YamlNode } from '../yaml/node.js';
import { containerOf } from './reach.js';
import { type Resources, resourcesOf, type Workload } from './resources.js';

type Environment = Map<string, LaunchVariable>;

/** Reads manifests: several documents, Lists, what ConfigMaps hold and Services publish. */
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
  { steps, kinds }: Context,
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
    file: (path) => mounted(workload, container, path, resources, used),
    steps,
    kinds,
  });
}

function wordsIn(node: YamlNode | null): Placed[] {
  return (node?.items ?? []).flatMap(({ text }) => text ?? []);
}

/** $(NAME) as Kubernetes fills it in: a name that is not set stays as it is written, $$ is one $. */
function referred(text: Placed, environment: Environment): Placed {
  if (!text.text.includes('$')) return text;
  const parts: Placed[] = [];
  let start = 0;
  for (const { 0: all, 1: name, index } of text.text.matchAll(/\$\$|\$\(([\w.-]+)\)/g)) {
    const variable = name === undefined ? undefined : environment.get(name);
    if (name !== undefined && variable === undefined) continue;
    const at = text.slice(index, index + all.length);
    parts.push(
      text.slice(start, index),
      name === undefined ? at.as('$') : (variable?.value ?? at.as(unfilled)),
    );
    start = index + all.length;
  }
  return Placed.join([...parts, text.slice(start)]);
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
    } else set(map, name.text, ofConfigMap(from, resources), name, 'it is taken from elsewhere (valueFrom)');
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

/** What a ConfigMap brings to a path of the container. */
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

/** Confs that no container was seen to read. */
function loneConfs(kinds: readonly Kind[], { configMaps }: Resources, used: ReadonlySet<YamlNode>): Launch[] {
  const read = new Set([...used].map(({ at }) => JSON.stringify(at)));
  return [...configMaps].flatMap(([name, map]) =>
    (map.get('data')?.entries ?? []).flatMap(({ key, value }) => {
      const reader = readerOfConf(kinds, key.text);
      const text = value?.text ?? null;
      if (reader === null || text === null || value === null || read.has(JSON.stringify(value.at))) return [];
      return [
        {
          name: `ConfigMap/${name}`,
          ...reader,
          by: 'name' as const,
          start: { kind: 'launcher' as const, conf: text, base: 'none' as const },
          environment: new Map<string, LaunchVariable>(),
          container: { published: [], network: 'the cluster’s network' },
          at: key.span(),
          unread: [],
          when: null,
          alternatives: [],
        },
      ];
    }),
  );
}
