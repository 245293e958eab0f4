/** Rows of the table of forwarders: each finds its forwards in a text without comments. */

import type { Destination } from '../../facts/hops.js';
import { destinationOf, local } from '../../reach/address.js';
import type { WrittenHop } from '../../reach/hop.js';

/** A program that forwards, or a file for one. */
export interface ForwarderRow {
  /** Only texts that match are read. */
  readonly applies: RegExp;
  find(text: string): readonly WrittenHop[];
}

export type Groups = Readonly<Record<string, string | undefined>>;

interface How {
  /** The destinations of a match; absent for those of the groups. */
  readonly destinations?: (groups: Groups) => readonly Destination[];
  /** The listening address of a match, and of its line before it; absent for the group `listens`. */
  readonly listening?: (groups: Groups, before: string) => string | null;
  /** Who takes it at most, by the whole text; undefined if that is not known. */
  readonly from?: WrittenHop['from'] | ((text: string) => WrittenHop['from']);
}

/**
 * A row with one expression, whose matches are forwards. Named groups: `to` holds one address or several; without it `port`
 * is one of `host`, by default of this machine. `listens` holds the address it listens on.
 */
export function pattern(
  program: string,
  applies: RegExp,
  forward: RegExp,
  { listening, destinations = usual, from }: How = {},
): ForwarderRow {
  const find = (text: string): readonly WrittenHop[] => {
    const taken = typeof from === 'function' ? from(text) : from;
    const by: Pick<WrittenHop, 'from'> = taken === undefined ? {} : { from: taken };
    return [...text.matchAll(forward)].flatMap((match) => {
      const groups: Groups = match.groups ?? {};
      const at = { start: match.index, end: match.index + match[0].length };
      const listens = listening?.(groups, lineBefore(text, match.index)) ?? groups.listens ?? null;
      return destinations(groups).map((to) => ({ at, program, to, listens, ...by }));
    });
  };
  return { applies, find };
}

/** The last 300 characters of the line before an offset. */
export function lineBefore(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - 300), offset).replace(/^.*\n/s, '');
}

function usual({ to, host, port }: Groups): readonly Destination[] {
  if (to === undefined) return [host === undefined ? local(port) : destinationOf(`${host}:${port}`)];
  return to.split(/[\s"']+/).flatMap((one) => (one === '' ? [] : [destinationOf(one)]));
}
