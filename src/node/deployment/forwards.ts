/** Forwarders: places of a text of any format that lead from one address to another. */
import { withoutComments, withStringLines } from './forwards/comments.js';
import { proxies } from './forwards/proxies.js';
import type { Forward } from './forwards/row.js';
import { tunnels } from './forwards/tunnels.js';

export type { Destination } from './forwards/address.js';
export type { Forward } from './forwards/row.js';

const rows = [...proxies, ...tunnels];

/** The forwards that a text sets up, in their order; time is linear in its length. Comments set up none. */
export function forwardsIn(text: string): readonly Forward[] {
  const lines = withStringLines(text);
  const likely = rows.filter((row) => row.applies.test(lines));
  if (likely.length === 0) return [];
  const bare = withoutComments(text);
  const found = likely.flatMap((row) => (row.applies.test(bare) ? row.find(bare) : []));
  return found.sort((a, b) => a.at.start - b.at.start);
}

/** True for a text with words of a forwarder: a cheap test before its comments are left out. */
export function mayForward(text: string): boolean {
  return rows.some(({ applies }) => applies.test(text));
}
