/** The data of ConfigMaps and Secrets, as variables or as the files that a container mounts. */
import type { FileRole, SecretFile } from '../../facts/settings.js';
import type { Scope } from '../launch/files.js';
import { within } from '../script/mounts.js';
import { isKnown, type Placed } from '../text/placed.js';
import { opensEngine, secretIn } from '../text/secret-content.js';
import { type Entry, itemsAt, type Tree, textAt } from '../yaml/tree.js';
import type { Cluster } from './cluster.js';
import type { KubernetesObject, Pod } from './objects.js';

/** A value of a ConfigMap or Secret. */
interface Datum {
  readonly text: Placed;
  readonly entry: Entry;
}

/** The data by key, with the file marked as used; null if no such object is among the files. */
export function dataOf(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  pod: Pod,
  cluster: Cluster,
  files: Scope,
  role: FileRole,
): ReadonlyMap<string, Datum> | null {
  const [object] = name === '' ? [] : cluster.named(kind, name, pod.of);
  if (object === undefined) return null;
  if (object.file.file !== pod.of.file.file) files.use(object.file, role);
  return dataIn(object);
}

/** `data` of a Secret and `binaryData` are base64, `stringData` overrides `data`. */
function dataIn({ kind, root }: KubernetesObject): ReadonlyMap<string, Datum> {
  const [encoded, plain] = kind === 'Secret' ? ['data', 'stringData'] : ['binaryData', 'data'];
  const read = (part = '') =>
    (root.get(part)?.entries ?? []).map((entry) => {
      const text = entry.value?.text ?? entry.key.as('');
      const decoded = part === encoded ? text.as(Buffer.from(text.text, 'base64').toString('utf8')) : text;
      return [entry.key.text, { text: decoded, entry }] as const;
    });
  return new Map([...read(encoded), ...read(plain)]);
}

/** The text of a file in a container; null for the image's own file. */
export function mountedFile(path: string, container: Tree, pod: Pod, cluster: Cluster, files: Scope) {
  const mounts = itemsAt(container, 'volumeMounts').flatMap((mount) => {
    const target = textAt(mount, 'mountPath').replace(/\/$/, '');
    const inside = within(path, target);
    return inside === null || !isKnown(target) ? [] : [{ mount, target, inside }];
  });
  const [first, ...others] = mounts;
  if (first === undefined) return null;
  const { mount, inside } = others.reduce((a, b) => (b.target.length > a.target.length ? b : a), first);
  const name = textAt(mount, 'name');
  const volume = pod.spec.get('volumes')?.items.find((one) => textAt(one, 'name') === name) ?? null;
  const file = [textAt(mount, 'subPath'), inside].filter((part) => part !== '').join('/');
  const missing: string[] = [];
  for (const { kind, object, keyOf } of sourcesOf(volume)) {
    const data = dataOf(kind, object, pod, cluster, files, 'mounted');
    const datum = data?.get(keyOf(file)) ?? null;
    if (datum !== null && mount.get('subPathExpr') === null) {
      cluster.mounted.add(datum.entry);
      return datum.text;
    }
    missing.push(
      data === null
        ? `${kind} ${object}, which is not among the files, may hold ${path}`
        : `${kind} ${object} is mounted over ${path} and does not hold it`,
    );
  }
  const [problem] = missing;
  const unnamed = name === '' ? 'a volume' : `the volume ${name}`;
  return { problem: problem ?? `${unnamed} may hold ${path}, and its content is not among the files` };
}

interface VolumeSource {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly object: string;
  keyOf(file: string): string;
}

/** The ConfigMaps and Secrets of a volume; empty for a volume of another kind. */
function sourcesOf(volume: Tree | null): VolumeSource[] {
  const projected = itemsAt(volume, 'projected', 'sources');
  return [volume, ...projected].flatMap((one) => [
    ...sourceOf('ConfigMap', one?.get('configMap') ?? null, 'name'),
    ...sourceOf('Secret', one?.get('secret') ?? null, one === volume ? 'secretName' : 'name'),
  ]);
}

function sourceOf(kind: VolumeSource['kind'], source: Tree | null, nameKey: string): VolumeSource[] {
  if (source === null) return [];
  const items = itemsAt(source, 'items');
  const keyOf = (file: string): string => {
    const item = items.find((one) => textAt(one, 'path') === file);
    return item === undefined ? file : textAt(item, 'key');
  };
  return [{ kind, object: textAt(source, nameKey), keyOf }];
}

/** An object of which a pod gets all keys, or one; `variable`: the name that the container gives this one. */
interface Reference {
  readonly kind: VolumeSource['kind'];
  readonly object: string;
  readonly key?: string;
  readonly variable?: string;
}

/** The ConfigMaps and Secrets that set variables of a container. */
function variableSourcesOf(container: Tree): Reference[] {
  const all = itemsAt(container, 'envFrom').flatMap((source) =>
    sourcesNamed(source, 'configMapRef', 'secretRef'),
  );
  const single = itemsAt(container, 'env').flatMap((entry) => {
    const from = entry.get('valueFrom');
    return sourcesNamed(from, 'configMapKeyRef', 'secretKeyRef').map(({ at, ...one }) => ({
      ...one,
      key: textAt(at, 'key'),
      variable: textAt(entry, 'name'),
    }));
  });
  return [...all, ...single];
}

/** The objects that an entry of `envFrom`, or a `valueFrom`, names. */
export function sourcesNamed(from: Tree | null, configMap: string, secret: string) {
  return [[configMap, 'ConfigMap'] as const, [secret, 'Secret'] as const].flatMap(([name, kind]) => {
    const at = from?.get(name) ?? null;
    return at === null ? [] : [{ kind, object: textAt(at, 'name'), at }];
  });
}

/** The keys and passwords in the ConfigMaps and Secrets of a container, as their manifests write them. */
export function secretsOf(container: Tree, pod: Pod, cluster: Cluster, files: Scope): SecretFile[] {
  const volumes = itemsAt(pod.spec, 'volumes');
  const found = new Map<string, SecretFile>();
  for (const { kind, object: name, key: wanted, variable = '' } of [
    ...volumes.flatMap((one): Reference[] => sourcesOf(one)),
    ...variableSourcesOf(container),
    ...tokensOf(cluster),
  ]) {
    const [object] = name === '' ? [] : cluster.named(kind, name, pod.of);
    for (const [key, { text, entry }] of object === undefined ? [] : dataIn(object)) {
      const isRead = (wanted ?? key) === key && isKnown(entry.value?.text?.text ?? '');
      const holds = isRead ? secretIn(variable === '' ? key : `${variable}.${key}`, text.text) : null;
      if (holds === null || object === undefined) continue;
      if (object.file.file !== pod.of.file.file) files.use(object.file, 'mounted');
      const path = `${object.file.file}: ${kind}/${name} ${key}`;
      const at = (entry.value?.text ?? entry.key).span();
      found.set(path, { path, mode: 0, flag: '', holds, isTracked: true, at });
    }
  }
  return [...found.values()];
}

/** The tokens of the engine API, also those that no pod names: an operator or a chart may hand them to the node. */
function tokensOf(cluster: Cluster): Reference[] {
  return cluster.ofKind('Secret').flatMap((object) => {
    const keys = [...dataIn(object).keys()].filter(opensEngine);
    return keys.map((key) => ({ kind: 'Secret' as const, object: object.name, key }));
  });
}

/** The names of the ConfigMaps and Secrets that a pod has as volumes. */
export function volumesOf({ spec }: Pod): string[] {
  return itemsAt(spec, 'volumes').flatMap((volume) => sourcesOf(volume).map(({ object }) => object));
}
