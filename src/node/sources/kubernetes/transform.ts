/** Transformers of kustomizations: images and labels. */
import { listTree, mapTree, mergeTrees, textTree, withEntry } from '../yaml/composed.js';
import { type Tree, textAt } from '../yaml/tree.js';

const maxDepth = 8;

/** Overrides images by name in all containers below a value. */
export function withImages(tree: Tree, images: readonly Tree[], depth = 0): Tree {
  if (depth > maxDepth) return tree;
  if (tree.isList)
    return listTree(
      tree.at,
      tree.items.map((item) => withImages(item, images, depth + 1)),
    );
  if (!tree.isMap) return tree;
  return tree.entries.reduce<Tree>((map, { key, value }) => {
    if (value === null || (!value.isMap && !value.isList)) return map;
    const next = /^(?:initC|c)ontainers$/.test(key.text)
      ? listTree(
          value.at,
          value.items.map((item) => withImage(item, images)),
        )
      : withImages(value, images, depth + 1);
    return withEntry(map, key, next);
  }, tree);
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
