/** JSON patches (RFC 6902) as kustomizations have them. */
import { listTree, withEntry } from '../yaml/composed.js';
import { type Tree, textAt } from '../yaml/tree.js';

/** The tree with all operations applied; null: one cannot be applied, or is of a kind that is not followed. */
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
