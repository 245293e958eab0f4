/** The objects that are applied to one cluster, and which of them belong together. */
import { dirname } from 'node:path';
import type { MissingFile } from '../../facts/settings.js';
import { isKnown } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { type Entry, itemsAt, type Tree, textAt, textsOf } from '../yaml/tree.js';
import type { Input } from './kustomize.js';
import { type KubernetesObject, namesOf, type Pod, podsOf } from './objects.js';

export class Cluster {
  readonly objects: readonly KubernetesObject[];
  readonly pods: readonly Pod[];
  /** The entries of ConfigMaps and Secrets that a pod reads as files. */
  readonly mounted = new Set<Entry>();

  /** The files that the objects were built from, and what of them is missing. */
  readonly inputs: readonly Input[];
  readonly gaps: readonly MissingFile[];

  constructor(
    objects: readonly KubernetesObject[],
    inputs: readonly Input[] = [],
    gaps: readonly MissingFile[] = [],
  ) {
    this.objects = objects;
    this.inputs = inputs;
    this.gaps = gaps;
    this.pods = objects.flatMap((one) => (one.kind === 'ConfigMap' ? [] : podsOf(one)));
  }

  ofKind(...kinds: readonly string[]): KubernetesObject[] {
    return this.objects.filter(({ kind }) => kinds.includes(kind));
  }

  /** The objects that another one names. A folder may hold one for each environment: the nearest files count. */
  named(kind: string, name: string, by: KubernetesObject, namespace = by.namespace): KubernetesObject[] {
    const all = this.ofKind(kind).filter(
      (one) => namesOf(one).includes(name) && isSameNamespace(one.namespace, namespace),
    );
    return nearest(all, (one) => distance(one, by));
  }

  /** Whether a Service or a policy selects the pod: of all the pods with these labels it selects the nearest. */
  selects(selector: (labels: Pod['labels']) => boolean, by: KubernetesObject, pod: Pod): boolean {
    const matching = this.pods.filter(
      ({ of, labels }) => isSameNamespace(of.namespace, by.namespace) && selector(labels),
    );
    const selected = by.layers === undefined ? nearest(matching, ({ of }) => distance(of, by)) : matching;
    return selected.some(({ spec }) => spec === pod.spec);
  }
}

/** Whether the namespaces are equal, or one of them is chosen later. */
export function isSameNamespace(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function nearest<T>(all: readonly T[], distanceOf: (one: T) => number): T[] {
  const least = Math.min(...all.map(distanceOf));
  return all.filter((one) => distanceOf(one) === least);
}

/** Minus the number of folders, or of kustomizations, that both have in common from the outermost on. */
function distance(one: KubernetesObject, other: KubernetesObject): number {
  const isBuilt = one.layers !== undefined && other.layers !== undefined;
  const [a, b] = [one, other].map(({ file, layers }) =>
    isBuilt ? (layers ?? []) : dirname(file.file).split('/'),
  );
  const common = (a ?? []).findIndex((name, at) => name !== b?.[at]);
  return -(common < 0 ? (a?.length ?? 0) : common) - (isBuilt ? built : 0);
}

/** Objects of the same kustomization are nearer than any folder. */
const built = 1_000;

/** The selector of a Service: a map of labels. A label that is not known may be the one of the pod. */
export function byLabels(tree: Tree | null): (labels: Pod['labels']) => boolean {
  const wanted = [...textsOf(tree)];
  return (labels) => wanted.every(([key, value]) => mayBe(labels.get(key) ?? '', value));
}

/** Whether a label has a value, as far as both are known. */
function mayBe(label: string, value: string): boolean {
  if (!isKnown(value)) return true;
  const [before = '', ...rest] = label.split(unfilled);
  const after = rest.at(-1) ?? '';
  const isLong = value.length >= before.length + after.length;
  return rest.length === 0 ? label === value : isLong && value.startsWith(before) && value.endsWith(after);
}

/**
 * The selector of a policy: `matchLabels` and `matchExpressions`; an empty one selects every pod, and one that is not known
 * selects none for certain.
 */
export function bySelector(tree: Tree | null): (labels: Pod['labels']) => boolean {
  const matchLabels = tree?.get('matchLabels') ?? null;
  const texts = [tree?.text?.text, matchLabels?.text?.text, ...textsOf(matchLabels).values()];
  if (!isKnown(texts.join(''))) return () => false;
  const wanted = [...textsOf(matchLabels)];
  const expressions = itemsAt(tree, 'matchExpressions').map((one) => ({
    key: textAt(one, 'key'),
    operator: textAt(one, 'operator'),
    values: new Set(itemsAt(one, 'values').map(({ text }) => text?.text ?? '')),
  }));
  return (labels) =>
    wanted.every(([key, value]) => labels.get(key) === value) &&
    expressions.every(({ key, operator, values }) => {
      const value = labels.get(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      if (value !== undefined && !isKnown(value)) return false;
      const isIn = value !== undefined && values.has(value);
      return operator === 'NotIn' ? !isIn : isIn;
    });
}
