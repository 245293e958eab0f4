/** Makes the entry the most recent one of the map; beyond `max` entries, drops the oldest and returns its value. */
export function keepRecent<K, V>(map: Map<K, V>, key: K, value: V, max: number): V | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= max || oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
