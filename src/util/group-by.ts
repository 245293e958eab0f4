/** The items by key; keys and items keep their order. Map.groupBy is missing in Node 20. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The items under names of their own: a second one of a name is called `name (2)`. */
export function nameApart<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const counts = new Map<string, number>();
  return items.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1;
    counts.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

/** The items that occur more than once, each of them once. */
export function repeatedIn<T>(items: Iterable<T>): T[] {
  return [...groupBy(items, (one) => one)].flatMap(([item, all]) => (all.length > 1 ? [item] : []));
}
