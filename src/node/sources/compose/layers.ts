/** Values of a service that several texts define, merged as compose does. */
import type { Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import type { YamlNode } from '../yaml/node.js';
import type { Layer } from './project.js';

/** A value in the last layer that sets it; null: none does, or `!reset` removes it. */
export function last(layers: readonly Layer[], ...path: readonly string[]): Layer | null {
  for (const { node, file } of layers.toReversed()) {
    const found = node.path(...path);
    if (found !== null) return found.tag === '!reset' ? null : { node: found, file };
  }
  return null;
}

/** The values of a key in all layers; `!override` and `!reset` remove those of the layers before. */
export function all(layers: readonly Layer[], ...path: readonly string[]): Layer[] {
  let found: Layer[] = [];
  for (const { node, file } of layers) {
    const value = node.path(...path);
    if (value === null) continue;
    if (value.tag === '!override' || value.tag === '!reset') found = [];
    if (value.tag !== '!reset') found.push({ node: value, file });
  }
  return found;
}

/** The items of a list in all layers. */
export function itemsOf(layers: readonly Layer[], ...path: readonly string[]): Layer[] {
  return all(layers, ...path).flatMap(({ node, file }) =>
    (node.isList ? node.items : node.text === null ? [] : [node]).map((item) => ({ node: item, file })),
  );
}

/** The pairs of a map or of a list of NAME=value, in the order of the layers; value null: it is not said here. */
export function valuesOf(
  layers: readonly Layer[],
  ...path: readonly string[]
): (readonly [name: string, value: Placed | null, at: Placed])[] {
  return all(layers, ...path).flatMap(({ node }) => [
    ...node.entries.map(({ key, value }) => [key.text, textOf(value), key] as const),
    ...node.items.flatMap(({ text }) => (text === null ? [] : [[...pairOf(text), text] as const])),
  ]);
}

function textOf(value: YamlNode | null): Placed | null {
  return value?.text ?? null;
}
