/** Lists of addresses that a proxy admits or denies, in order: the first that matches a client counts. */
import { reachOfClients } from '../../facts/reach.js';
import { type Reach, reaches } from '../../facts/severity.js';

/** A rule of a list; `all` is every address. */
export interface ClientRule {
  readonly admits: boolean;
  readonly who: string;
}

/** Who is let in where no rule matches is let in; null: nobody. Of several addresses, the farthest counts. */
export function admitted(rules: readonly ClientRule[]): Reach | null {
  let found: Reach | null = null;
  for (const { admits, who } of rules) {
    const isAll = who === 'all';
    if (admits) found = wider(found, isAll ? 'any' : reachOfClients([who]));
    // A denied address leaves the others of its network.
    else if (isAll) return found;
  }
  return 'any';
}

/** The wider of two; null: nobody. */
export function wider(a: Reach | null, b: Reach | null): Reach | null {
  if (a === null || b === null) return a ?? b;
  return reaches.indexOf(a) > reaches.indexOf(b) ? a : b;
}

/** The narrower of two; null: nobody. */
export function narrower(a: Reach | null, b: Reach | null): Reach | null {
  if (a === null || b === null) return null;
  return reaches.indexOf(a) < reaches.indexOf(b) ? a : b;
}
