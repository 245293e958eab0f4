/** The objects of a manifest file: all its documents and Lists. */
import type { Kind } from '../../kinds/kind.js';
import type { Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { readYaml } from '../yaml/document.js';
import { type Tree, textAt, textsOf } from '../yaml/tree.js';

export interface KubernetesObject {
  readonly kind: string;
  readonly name: string;
  /** null: the namespace is chosen when the object is applied. */
  readonly namespace: string | null;
  readonly root: Tree;
  readonly file: LineIndex;
  /** Of an object that kustomizations built: the kustomizations, outermost first, and its names in the inner ones. */
  readonly layers?: readonly string[];
  readonly formerNames?: readonly string[];
}

/** A pod as a workload describes it. */
export interface Pod {
  readonly of: KubernetesObject;
  /** `StatefulSet/en`. */
  readonly name: string;
  readonly spec: Tree;
  readonly labels: ReadonlyMap<string, string>;
}

export interface Objects {
  readonly objects: readonly KubernetesObject[];
  readonly problems: Launches['problems'];
}

/** Documents that are parsed even if they name no node; other documents, of which a large file has many, are not. */
const related =
  /\bkind["']?\s*:\s*["']?(?:Service|Ingress\w*|\w*Route\w*|HTTPProxy|VirtualService|Secret|NetworkPolicy|\w*List)\b|ConfigMap/i;

/** Reads the documents that may be about a node. A broken document is a problem; the others are read. */
export function objectsOf(file: LineIndex, kinds: readonly Kind[]): Objects {
  const signs = [related, ...kinds.flatMap(({ signs }) => [signs.name, signs.flag])];
  return objectsIn(file, (text) => signs.some((sign) => sign.test(text)));
}

/** Reads the wanted documents; default: all. */
export function objectsIn(file: LineIndex, wanted?: (text: string) => boolean): Objects {
  const documents = readYaml(file, wanted);
  return {
    objects: documents.flatMap(({ root }) => (root === null ? [] : flattened(root, file))),
    problems: documents.flatMap(({ problem }) => problem ?? []),
  };
}

/** The items of a List, or the object itself. */
function flattened(root: Tree, file: LineIndex): KubernetesObject[] {
  const kind = textAt(root, 'kind');
  const items = /List$/.test(kind) ? root.get('items') : null;
  if (items !== null) return items.items.flatMap((item) => flattened(item, file));
  const namespace = textAt(root, 'metadata', 'namespace');
  const name = textAt(root, 'metadata', 'name');
  return [{ kind, name, namespace: namespace === '' ? null : namespace, root, file }];
}

/** The depth at which a pod is looked for in an object: a CronJob has it at 4. */
const maxDepth = 8;

/** The pods that an object of any kind describes: Argo's Rollout and other operators' objects have templates too. */
export function podsOf(of: KubernetesObject): Pod[] {
  const found: { spec: Tree; above: Tree }[] = [];
  const search = (tree: Tree, above: Tree, depth: number): void => {
    if (tree.get('containers')?.isList) found.push({ spec: tree, above });
    else if (depth < maxDepth)
      for (const next of [...tree.items, ...tree.entries.flatMap(({ value }) => value ?? [])])
        search(next, tree, depth + 1);
  };
  search(of.root, of.root, 0);
  return found.map(({ spec, above }, at) => ({
    of,
    name: `${of.kind}/${of.name}${found.length > 1 ? `/${at}` : ''}`,
    spec,
    labels: textsOf(above.path('metadata', 'labels')),
  }));
}
