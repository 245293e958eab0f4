/** The objects that are applied to one cluster, and which of them belong together. */
import { dirname } from 'node:path';
import type { Kind } from '../../kinds/kind.js';
import type { Files } from '../launch/files.js';
import type { LineIndex } from '../text/line-index.js';
import { type Entry, type Tree, textAt, textsOf } from '../yaml/tree.js';
import { type KubernetesObject, objectsOf, type Pod, podsOf } from './objects.js';

/** The objects of a folder are parsed once for all its manifests. */
const parsed = new WeakMap<readonly LineIndex[], readonly KubernetesObject[]>();

/** The objects of the other manifests in the folder. */
export function objectsBeside(file: LineIndex, files: Files, kinds: readonly Kind[]): KubernetesObject[] {
  const all = files.all('kubernetes');
  const known = parsed.get(all) ?? all.flatMap((one) => objectsOf(one, kinds).objects);
  parsed.set(all, known);
  return known.filter((one) => one.file.file !== file.file);
}

export class Cluster {
  readonly objects: readonly KubernetesObject[];
  readonly pods: readonly Pod[];
  /** The entries of ConfigMaps and Secrets that a pod reads as files. */
  readonly mounted = new Set<Entry>();

  constructor(objects: readonly KubernetesObject[]) {
    this.objects = objects;
    this.pods = objects.flatMap((one) => (one.kind === 'ConfigMap' ? [] : podsOf(one)));
  }

  ofKind(...kinds: readonly string[]): KubernetesObject[] {
    return this.objects.filter(({ kind }) => kinds.includes(kind));
  }

  /** The objects that another one names. A folder may hold one for each environment: the nearest files count. */
  named(kind: string, name: string, by: KubernetesObject, namespace = by.namespace): KubernetesObject[] {
    const all = this.ofKind(kind).filter(
      (one) => one.name === name && isSameNamespace(one.namespace, namespace),
    );
    return nearest(all, (one) => distance(one, by));
  }

  /** True when a Service or a policy selects the pod: of all the pods with these labels it selects the nearest. */
  selects(selector: (labels: Pod['labels']) => boolean, by: KubernetesObject, pod: Pod): boolean {
    const matching = this.pods.filter(
      ({ of, labels }) => isSameNamespace(of.namespace, by.namespace) && selector(labels),
    );
    return nearest(matching, ({ of }) => distance(of, by)).some(({ spec }) => spec === pod.spec);
  }
}

function isSameNamespace(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function nearest<T>(all: readonly T[], distanceOf: (one: T) => number): T[] {
  const least = Math.min(...all.map(distanceOf));
  return all.filter((one) => distanceOf(one) === least);
}

/** How many folders above the first object's file hold the other one too; a negative number, so that fewer is farther. */
function distance(one: KubernetesObject, other: KubernetesObject): number {
  const [a, b] = [one, other].map(({ file }) => dirname(file.file).split('/')) as [string[], string[]];
  const apart = a.findIndex((name, at) => name !== b[at]);
  return apart < 0 ? -a.length : -apart;
}

/** The selector of a Service: a map of labels. */
export function byLabels(tree: Tree | null): (labels: Pod['labels']) => boolean {
  const wanted = [...textsOf(tree)];
  return (labels) => wanted.every(([key, value]) => labels.get(key) === value);
}

/** The selector of a policy: `matchLabels` and `matchExpressions`; an empty one selects every pod. */
export function bySelector(tree: Tree | null): (labels: Pod['labels']) => boolean {
  const hasLabels = byLabels(tree?.get('matchLabels') ?? null);
  const expressions = (tree?.get('matchExpressions')?.items ?? []).map((one) => ({
    key: textAt(one, 'key'),
    operator: textAt(one, 'operator'),
    values: new Set((one.get('values')?.items ?? []).map(({ text }) => text?.text ?? '')),
  }));
  return (labels) =>
    hasLabels(labels) &&
    expressions.every(({ key, operator, values }) => {
      const value = labels.get(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.has(value);
      return operator === 'NotIn' ? !isIn : isIn;
    });
}
