/** The resources of a manifest file: all its documents and Lists. */

import type { Kind } from '../../kinds/kind.js';
import type { Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { readYaml } from '../yaml/document.js';
import type { YamlNode } from '../yaml/node.js';

/** A pod as a workload describes it. */
export interface Workload {
  /** `StatefulSet/en`. */
  readonly name: string;
  readonly spec: YamlNode;
  readonly labels: ReadonlyMap<string, string>;
}

export interface Resources {
  readonly workloads: readonly Workload[];
  readonly configMaps: ReadonlyMap<string, YamlNode>;
  readonly services: readonly YamlNode[];
  readonly ingresses: readonly YamlNode[];
  readonly problems: Launches['problems'];
}

/** The path of the pod in each kind of workload. */
const pods: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Documents that are parsed even if they name no node; other documents, of which a large file has many, are not. */
const beside = /\bkind["']?\s*:\s*["']?(?:Service|Ingress|\w*List)\b|ConfigMap/i;

/** Reads every document. A broken document is a problem; the others are read. */
export function resourcesOf(file: LineIndex, kinds: readonly Kind[]): Resources {
  const workloads: Workload[] = [];
  const configMaps = new Map<string, YamlNode>();
  const services: YamlNode[] = [];
  const ingresses: YamlNode[] = [];
  const documents = readYaml(file, (text) =>
    [beside, ...kinds.map(({ signs }) => signs.name)].some((sign) => sign.test(text)),
  );
  for (const node of documents.flatMap(({ root }) => (root === null ? [] : flattened(root)))) {
    const kind = node.get('kind')?.text?.text ?? '';
    const name = node.path('metadata', 'name')?.text?.text ?? '';
    const path = Object.hasOwn(pods, kind) ? pods[kind] : undefined;
    if (kind === 'ConfigMap') configMaps.set(name, node);
    else if (kind === 'Service') services.push(node);
    else if (kind === 'Ingress') ingresses.push(node);
    else if (path !== undefined) {
      const pod = node.path(...path);
      const spec = pod?.get('spec') ?? null;
      if (spec !== null)
        workloads.push({
          name: `${kind}/${name}`,
          spec,
          labels: textsOf(pod?.path('metadata', 'labels') ?? null),
        });
    }
  }
  return {
    workloads,
    configMaps,
    services,
    ingresses,
    problems: documents.flatMap(({ problem }) => problem ?? []),
  };
}

/** The items of a List, or the resource itself. */
function flattened(node: YamlNode): YamlNode[] {
  const kind = node.get('kind')?.text?.text ?? '';
  return /List$/.test(kind) && node.get('items') !== null
    ? (node.get('items')?.items ?? []).flatMap(flattened)
    : [node];
}

/** A map of texts. */
export function textsOf(node: YamlNode | null): Map<string, string> {
  return new Map((node?.entries ?? []).map(({ key, value }) => [key.text, value?.text?.text ?? '']));
}
