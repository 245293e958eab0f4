/** Files of YAML, JSON and TOML as lists of their scalar values. */
import { LineIndex, type Range } from '../text/line-index.js';
import { readToml } from '../toml/document.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';

/** A scalar by the keys above it, in lower case; items of lists are numbered: `http.routers.rpc.middlewares.0`. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly at: Range;
}

/** Returns null if it is neither YAML nor TOML. */
export function keysOf(text: string): readonly KeyValue[] | null {
  const file = new LineIndex('', text);
  const toml = readToml(file);
  if (toml.problem === null)
    return toml.entries.flatMap(({ key, value, at }) => {
      const own = { key: key.toLowerCase(), at: file.range(at) };
      if (!Array.isArray(value)) return value === null ? [] : [{ ...own, value: String(value) }];
      return value.map((one, index) => ({ ...own, key: `${own.key}.${index}`, value: String(one) }));
    });
  const [document] = readYaml(file);
  return document?.root == null || document.problem !== null
    ? null
    : flattenTree(document.root, '', (tree) => file.range(tree.at));
}

/** The scalars of a tree below a key. */
export function flattenTree(tree: Tree, key: string, rangeOf: (tree: Tree) => Range): KeyValue[] {
  if (tree.text !== null) return [{ key, value: tree.text.text, at: rangeOf(tree) }];
  const named = tree.entries.map((one) => [one.key.text.toLowerCase(), one.value] as const);
  const listed = tree.items.map((one, index) => [String(index), one] as const);
  return [...named, ...listed].flatMap(([name, value]) =>
    value === null ? [] : flattenTree(value, key === '' ? name : `${key}.${name}`, rangeOf),
  );
}
