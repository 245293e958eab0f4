/** How a kustomization changes objects: images, labels, and the patches of the objects that they name. */
import { listTree, mapTree, mergeTrees, type Tree, textAt, textTree, withEntry } from '../yaml/tree.js';
import { type KubernetesObject, namesOf } from './objects.js';

const maxDepth = 8;

/** Overrides images by name in all containers below a value. */
export function withImages(tree: Tree, images: readonly Tree[], depth = 0): Tree {
  if (depth > maxDepth) return tree;
  const inner = (one: Tree) => withImages(one, images, depth + 1);
  if (tree.isList) return mapItems(tree, inner);
  return tree.entries.reduce<Tree>((map, { key, value }) => {
    if (value === null || (!value.isMap && !value.isList)) return map;
    const isOfContainers = /^(?:initC|c)ontainers$/.test(key.text);
    const next = isOfContainers ? mapItems(value, (one) => withImage(one, images)) : inner(value);
    return withEntry(map, key, next);
  }, tree);
}

function mapItems({ at, items }: Tree, change: (item: Tree) => Tree): Tree {
  return listTree(at, items.map(change));
}

function withImage(container: Tree, images: readonly Tree[]): Tree {
  const entry = container.entries.find(({ key }) => key.text === 'image');
  const text = entry?.value?.text ?? null;
  const [, name = '', rest = ''] = /^(.*?)((?::[^/]*)?(?:@.*)?)$/.exec(text?.text ?? '') ?? [];
  const image = images.find((one) => textAt(one, 'name') === name);
  if (entry === undefined || text === null || image === undefined) return container;
  const [tag, digest] = [textAt(image, 'newTag'), textAt(image, 'digest')];
  const version = digest === '' ? (tag === '' ? rest : `:${tag}`) : `@${digest}`;
  const newName = textAt(image, 'newName');
  return withEntry(container, entry.key, textTree(text.as(`${newName === '' ? name : newName}${version}`)));
}

/** The places of the labels and selectors that `commonLabels` sets, by kind; other kinds have a pod template. */
const places: Readonly<Record<string, readonly string[]>> = {
  Pod: ['metadata', 'labels'],
  Service: ['spec', 'selector'],
  NetworkPolicy: ['spec', 'podSelector', 'matchLabels'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'labels'],
};
const template = ['spec', 'template', 'metadata', 'labels'];

interface Labels {
  readonly pairs: Tree;
  readonly isForSelectors: boolean;
  readonly isForTemplates: boolean;
}

/** Adds labels to pods and, where they are for these, to templates of pods and to selectors. */
export function withLabels(kind: string, tree: Tree, { pairs: labels, ...isFor }: Labels): Tree {
  const path = places[kind] ?? template;
  const isSelector = kind === 'Service' || kind === 'NetworkPolicy';
  if (kind !== 'Pod' && !(isSelector ? isFor.isForSelectors : isFor.isForTemplates)) return tree;
  const key = labels.entries[0]?.key;
  if (key === undefined || tree.path(...path.slice(0, kind === 'Pod' ? 1 : 2)) === null) return tree;
  const over = path.reduceRight<Tree>(
    (value, name) => mapTree(labels.at, [{ key: key.as(name), value }]),
    labels,
  );
  return mergeTrees(tree, over, () => []) ?? tree;
}

/** By the target, else by the kind and name in the patch; null if the target is not followed. */
export function targetOf(target: Tree | null, patch: Tree): ((object: KubernetesObject) => boolean) | null {
  if (target === null) {
    const [kind, name] = [textAt(patch, 'kind'), textAt(patch, 'metadata', 'name')];
    return (object) => object.kind === kind && namesOf(object).includes(name);
  }
  const [kind, name] = [textAt(target, 'kind'), textAt(target, 'name')].map(matcherOf);
  const labels = textAt(target, 'labelSelector')
    .split(',')
    .filter((one) => one !== '');
  if (kind == null || name == null || target.get('annotationSelector') !== null) return null;
  if (!labels.every((one) => /^[\w./-]+==?[\w.-]*$/.test(one))) return null;
  return (object) =>
    kind(object.kind) &&
    namesOf(object).some(name) &&
    labels.every((one) => {
      const [key = '', value = ''] = one.split(/==?/);
      return object.root.path('metadata', 'labels', key)?.text?.text === value;
    });
}

/** A pattern of names: alternatives, with `.*` for any text. Other regular expressions are not followed (null). */
function matcherOf(pattern: string): ((text: string) => boolean) | null {
  if (pattern === '') return () => true;
  const alternatives = pattern.replace(/^\^?\(?|\)?\$?$/g, '').split('|');
  if (!alternatives.every((one) => /^(?:[\w-]|\.\*)*$/.test(one))) return null;
  return (text) =>
    alternatives.some((one) => {
      const [start = '', ...parts] = one.split('.*');
      const end = parts.pop();
      if (end === undefined) return text === start;
      if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length)
        return false;
      const inside = text.slice(start.length, text.length - end.length);
      return parts.reduce((at, part) => (at < 0 ? at : inside.indexOf(part, at)), 0) >= 0;
    });
}

/** The tree with all operations applied; null if one cannot be applied, or is of a kind that is not followed. */
export function jsonPatched(tree: Tree, operations: readonly Tree[]): Tree | null {
  let patched: Tree | null = tree;
  for (const operation of operations) {
    const kind = textAt(operation, 'op');
    const pointer = operation.get('path');
    const keys = textAt(operation, 'path').split('/').slice(1);
    if (patched === null || pointer === null || keys.length === 0) return null;
    const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (kind === 'add' || kind === 'replace' || kind === 'remove')
      patched = changed(patched, path, kind, kind === 'remove' ? null : operation.get('value'), pointer);
    else if (kind !== 'test') return null;
  }
  return patched;
}

function changed(
  tree: Tree,
  [key = '', ...rest]: readonly string[],
  kind: 'add' | 'replace' | 'remove',
  value: Tree | null,
  pointer: Tree,
): Tree | null {
  const isLast = rest.length === 0;
  if (tree.isList) {
    const at = key === '-' ? tree.items.length : Number(key);
    if (!Number.isInteger(at) || at < 0 || at > tree.items.length) return null;
    const inner = tree.items[at];
    const next = isLast ? value : inner === undefined ? null : changed(inner, rest, kind, value, pointer);
    if (next === null && !(isLast && kind === 'remove')) return null;
    const items = [...tree.items];
    items.splice(at, isLast && kind === 'add' ? 0 : 1, ...(next === null ? [] : [next]));
    return listTree(tree.at, items);
  }
  const entry = tree.entries.find((one) => one.key.text === key);
  const name = entry?.key ?? pointer.text?.as(key) ?? null;
  if (!tree.isMap || name === null) return null;
  if (isLast) return withEntry(tree, name, value);
  const next = entry?.value == null ? null : changed(entry.value, rest, kind, value, pointer);
  return next === null ? null : withEntry(tree, name, next);
}
