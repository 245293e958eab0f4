/** Values of a service that several texts define, merged as compose does. */
import type { Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import type { YamlNode } from '../yaml/node.js';
import type { Layer } from './project.js';

/** A value in the last layer that sets it; null if none does, or `!reset` removes it. */
export function last(layers: readonly Layer[], ...path: readonly string[]): Layer | null {
  return all(layers, ...path).at(-1) ?? null;
}

/** The values of a key in all layers; `!override` and `!reset`, also around it, remove those of the layers before. */
export function all(layers: readonly Layer[], ...path: readonly string[]): Layer[] {
  let found: Layer[] = [];
  for (const { node, file } of layers) {
    let value: YamlNode | null = node;
    for (const name of ['', ...path]) {
      if (name !== '') value = value?.get(name) ?? null;
      if (value?.tag === '!override' || isReset(value)) found = [];
      if (isReset(value)) value = null;
    }
    if (value !== null) found.push({ node: value, file });
  }
  return found;
}

function isReset(node: YamlNode | null): boolean {
  return node?.tag === '!reset';
}

export function itemsOf(layers: readonly Layer[], ...path: readonly string[]): Layer[] {
  return all(layers, ...path).flatMap(({ node, file }) =>
    (node.isList ? node.items : node.text === null ? [] : [node])
      .filter((item) => !isReset(item))
      .map((item) => ({ node: item, file })),
  );
}

/**
 * The pairs of a map or of a list of NAME=value, in the order of the layers; value null if it is not said here. `!reset` on
 * an entry removes it from the layers before.
 */
export function mergePairs(
  layers: readonly Layer[],
  ...path: readonly string[]
): (readonly [name: string, value: Placed | null, at: Placed])[] {
  return all(layers, ...path).reduce<ReturnType<typeof mergePairs>>((before, { node }) => {
    const reset = new Set(node.entries.flatMap(({ key, value }) => (isReset(value) ? [key.text] : [])));
    return [
      ...before.filter(([name]) => !reset.has(name)),
      ...node.entries
        .filter(({ key }) => !reset.has(key.text))
        .map(({ key, value }) => [key.text, value?.text ?? null, key] as const),
      ...node.items.flatMap(({ text }) => (text === null ? [] : [[...pairOf(text), text] as const])),
    ];
  }, []);
}
