/** A pure function of one object that computes its result once for each object; results last as long as their objects. */
export function oncePer<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = derive(key);
    known.set(key, { value });
    return value;
  };
}

/**
 * A function of a key that computes its result once for each key; results last as long as the function.
 * @param max how many results are kept; of more, the oldest are computed again
 */
export function oncePerKey<K, V>(derive: (key: K) => V, max = Number.POSITIVE_INFINITY): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) {
      if (known.size >= max) known.delete(known.keys().next().value as K);
      known.set(key, derive(key));
    }
    return known.get(key) as V;
  };
}
