/** The texts of ConfigMaps, and the containers that mount them, whatever they run. */
import type { Scope } from '../launch/files.js';
import type { Container } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { itemsAt, textAt } from '../yaml/tree.js';
import { Cluster, isSameNamespace } from './cluster.js';
import { volumesOf } from './data.js';
import { type KubernetesObject, objectsIn } from './objects.js';
import { containerOf } from './reach.js';

export interface MountedText {
  readonly file: LineIndex;
  readonly text: Placed;
  /** Those that mount it, of every pod of the files; null for the ports: it is on the network of the host. */
  readonly by: readonly { readonly image: string; readonly container: Container | null }[];
}

export function mountedTexts(files: readonly LineIndex[], scope: Scope): MountedText[] {
  const cluster = new Cluster(files.flatMap((file) => objectsIn(file).objects));
  return cluster.ofKind('ConfigMap').flatMap((map) =>
    (map.root.get('data')?.entries ?? []).flatMap(({ value }) => {
      const text = value?.text ?? null;
      return text === null ? [] : [{ file: map.file, text, by: mountersOf(map, cluster, scope) }];
    }),
  );
}

function mountersOf(map: KubernetesObject, cluster: Cluster, scope: Scope): MountedText['by'] {
  const pods = cluster.pods.filter(
    (pod) => isSameNamespace(pod.of.namespace, map.namespace) && volumesOf(pod).includes(map.name),
  );
  return pods.flatMap((pod) =>
    itemsAt(pod.spec, 'containers')
      .filter((one) => (one.get('volumeMounts')?.items.length ?? 0) > 0)
      .map((one) => ({ image: textAt(one, 'image'), container: containerOf(pod, one, cluster, scope) })),
  );
}
