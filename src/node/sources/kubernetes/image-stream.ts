/** The image of a container; OpenShift replaces it with one of an ImageStream when that changes. */
import type { Scope } from '../launch/files.js';
import type { Placed } from '../text/placed.js';
import { type Tree, textAt } from '../yaml/tree.js';
import type { Cluster } from './cluster.js';
import type { Pod } from './objects.js';

/** The image of the ImageStream that triggers a rollout, else the one that the container names. */
export function imageOf(container: Tree, pod: Pod, cluster: Cluster, files: Scope): Placed | null {
  const name = textAt(container, 'name');
  const [stream = '', tag = 'latest'] = (triggerOf(name, pod.of.root) ?? '').split(':');
  const streams = stream === '' ? [] : cluster.named('ImageStream', stream, pod.of);
  for (const { root, file } of streams) {
    const found = root.path('spec', 'tags')?.items.find((one) => textAt(one, 'name') === tag);
    const image = found?.path('from', 'name')?.text;
    if (found === undefined || image == null || textAt(found, 'from', 'kind') !== 'DockerImage') continue;
    if (file.file !== pod.of.file.file) files.use(file, 'selected');
    return image;
  }
  return container.get('image')?.text ?? null;
}

/** `name:tag`, of a trigger of a DeploymentConfig or the annotation of a workload; null: no trigger replaces the image. */
function triggerOf(container: string, root: Tree): string | null {
  for (const one of root.path('spec', 'triggers')?.items ?? []) {
    const names = one.path('imageChangeParams', 'containerNames')?.items ?? [];
    if (names.some(({ text }) => text?.text === container))
      return textAt(one, 'imageChangeParams', 'from', 'name');
  }
  const annotation = textAt(root, 'metadata', 'annotations', 'image.openshift.io/triggers');
  return (
    annotated(annotation).find(({ fieldPath }) => fieldPath?.includes(`"${container}"`))?.from?.name ?? null
  );
}

interface Trigger {
  readonly from?: { readonly name?: string };
  readonly fieldPath?: string;
}

/** The triggers of an annotation, in JSON. */
function annotated(text: string): Trigger[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}
