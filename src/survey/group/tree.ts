/** The root of a tree at once. Free of everything outside itself, so that a thread can be given its text. */

/** The root over nodes of one level, a node without a sibling going up unhashed; 0 for none. */
export function treeRoot(nodes: readonly bigint[], hash: (left: bigint, right: bigint) => bigint): bigint {
  let level = nodes;
  while (level.length > 1) {
    const above: bigint[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at] as bigint, level[at + 1]];
      above.push(right === undefined ? left : hash(left, right));
    }
    level = above;
  }
  return level[0] ?? 0n;
}
