/** Kinds of node that share their flags, for the rules about these flags. */

/** geth and its forks. */
export const gethFamily = ['geth', 'bsc', 'op-geth'] as const;
