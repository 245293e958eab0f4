/** The objects of a manifest file: all its documents and Lists. */
import type { Kind } from '../../kinds/kind.js';
import type { Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed, PlacedIndex } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { showText } from '../text/unknown.js';
import { readYaml } from '../yaml/document.js';
import { itemsAt, type Tree, textAt, textsOf } from '../yaml/tree.js';
import { namesNode, referredNames } from './references.js';

export interface KubernetesObject {
  readonly kind: string;
  readonly name: string;
  /** Null if the namespace is chosen when the object is applied. */
  readonly namespace: string | null;
  readonly root: Tree;
  readonly file: LineIndex;
  /** Of an object that kustomizations built: the kustomizations, outermost first, and its names in the inner ones. */
  readonly layers?: readonly string[];
  readonly formerNames?: readonly string[];
}

/** Its name, and those in the kustomizations that it was built by. */
export function namesOf({ name, formerNames = [] }: KubernetesObject): string[] {
  return [name, ...formerNames];
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

/** Objects that nodes may refer to. */
const related =
  /\bkind["']?\s*:\s*["']?(?:Service|\w*Ingress\w*|\w*Route\w*|\w*Proxy|Virtual\w+|Middleware\w*|ConfigMap|Secret|\w*(?:Policy|Authentication)|Kong\w+|Mapping|\w*Gateway|\w*List)\b/i;

/**
 * Reads the documents that may be about a node; a large file has many others, which are not parsed. The documents that
 * name a node come first: objects that nodes may refer to cannot use up the limit of the reader before them.
 * @param configured - the names of the ConfigMaps and Secrets that name a node: an object that refers to one may start it
 */
export function objectsOf(file: LineIndex, kinds: readonly Kind[], configured: ReadonlySet<string>): Objects {
  const isOfNode = (text: string) => namesNode(kinds, text);
  const isRelated = (text: string) =>
    related.test(text) || referredNames(text).some((name) => configured.has(name));
  const nodes = objectsIn(file, isOfNode);
  const others = objectsIn(file, (text) => isRelated(text) && !isOfNode(text));
  return {
    objects: [...nodes.objects, ...others.objects],
    problems: [...nodes.problems, ...others.problems],
  };
}

/** Reads the wanted documents; default: all. */
export function objectsIn(file: LineIndex, wanted?: (text: string) => boolean): Objects {
  const documents = readYaml(file, wanted);
  return {
    objects: documents.flatMap(({ root }) => (root === null ? [] : flattened(root, file))),
    problems: documents.flatMap(({ problem }) => problem ?? []),
  };
}

/** The items of a List, the objects of a template of OpenShift, or the object itself. */
function flattened(root: Tree, file: LineIndex): KubernetesObject[] {
  const kind = textAt(root, 'kind');
  if (kind === 'Template' && root.get('objects') !== null)
    return itemsAt(filledIn(root, file), 'objects').flatMap((item) => flattened(item, file));
  const items = /List$/.test(kind) ? root.get('items') : null;
  if (items !== null) return items.items.flatMap((item) => flattened(item, file));
  const namespace = textAt(root, 'metadata', 'namespace');
  const name = textAt(root, 'metadata', 'name');
  return [{ kind, name, namespace: namespace === '' ? null : namespace, root, file }];
}

/** A template of OpenShift with the values of its `parameters`; one without a value is not known. */
function filledIn(template: Tree, file: LineIndex): Tree | null {
  const parameters = itemsAt(template, 'parameters');
  const values = new Map(parameters.map((one) => [textAt(one, 'name'), one.get('value')?.text ?? null]));
  const { start, end } = file.range(template.at);
  const text = Placed.at(file, start, end).replace(
    /\$\{\{?(\w+)\}?\}/g,
    ([, name = ''], at) => values.get(name) ?? at.as(unfilled),
  );
  return readYaml(new PlacedIndex(text))[0]?.root ?? null;
}

function shownName({ root, name }: KubernetesObject): string {
  const text = root.path('metadata', 'name')?.text ?? null;
  return text === null || isKnown(name) ? name : showText(text);
}

/** The depth at which a pod is looked for in an object: a CronJob has it at 4. */
const maxDepth = 8;

/**
 * The labels that controllers add to their pods. `unfilled` stands for a part that differs between pods or is made up later.
 * https://kubernetes.io/docs/reference/labels-annotations-taints/
 */
function labelsByController({ kind, name }: KubernetesObject): readonly (readonly [string, string])[] {
  const job = kind === 'CronJob' ? `${name}-${unfilled}` : name;
  const ofJob = [
    ['job-name', job],
    ['batch.kubernetes.io/job-name', job],
    ['controller-uid', unfilled],
    ['batch.kubernetes.io/controller-uid', unfilled],
    ['batch.kubernetes.io/job-completion-index', unfilled],
  ] as const;
  if (kind === 'Job' || kind === 'CronJob') return ofJob;
  if (kind === 'Deployment' || kind === 'ReplicaSet') return [['pod-template-hash', unfilled]];
  if (kind === 'DaemonSet') return [['controller-revision-hash', unfilled]];
  if (kind !== 'StatefulSet') return [];
  return [
    ['statefulset.kubernetes.io/pod-name', `${name}-${unfilled}`],
    ['apps.kubernetes.io/pod-index', unfilled],
    ['controller-revision-hash', unfilled],
  ];
}

/** The pods that an object of any kind describes: Argo's Rollout and other operators' objects have templates too. */
export function podsOf(of: KubernetesObject): Pod[] {
  const found: { spec: Tree; above: Tree }[] = [];
  const search = (tree: Tree, above: Tree, depth: number): void => {
    if (['containers', 'initContainers'].some((key) => tree.get(key)?.isList))
      found.push({ spec: tree, above });
    else if (depth < maxDepth)
      for (const next of [...tree.items, ...tree.entries.flatMap(({ value }) => value ?? [])])
        search(next, tree, depth + 1);
  };
  search(of.root, of.root, 0);
  return found.map(({ spec, above }, at) => ({
    of,
    name: `${of.kind}/${shownName(of)}${found.length > 1 ? `/${at}` : ''}`,
    spec,
    labels: new Map([...textsOf(above.path('metadata', 'labels')), ...labelsByController(of)]),
  }));
}
