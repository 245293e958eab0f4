/** Rows of the table of forwarders: each finds its forwards in a text without comments. */

import { groupBy } from '../../../util/group-by.js';
import type { Destination } from '../../facts/relays.js';
import { destinationOf, isLoopbackAddress, local } from '../../reach/address.js';
import type { Hop } from '../../reach/hop.js';

/** A program that forwards, or a file for one. */
export interface Row {
  readonly program: string;
  /** Only texts that match are read. */
  readonly applies: RegExp;
  find(text: string): readonly Hop[];
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Pattern {
  /**
   * Named groups: `to` holds one address or several; without it `port` is one of `host`, by default of this machine. `listens`
   * holds the address it listens on.
   */
  readonly forward: RegExp;
  /** The destinations of a match; absent: those of the groups. */
  readonly destinations?: (groups: Groups) => readonly Destination[];
  /** The listening address of a match, and of its line before it; absent: the group `listens`. */
  readonly listening?: (groups: Groups, before: string) => string | null;
  /** Who takes it at most, by the whole text; undefined: that is not known. */
  readonly from?: Hop['from'] | ((text: string) => Hop['from']);
}

const groupsOf = (match: RegExpExecArray): Groups => match.groups ?? {};

/** A row with one expression, whose matches are forwards. */
export function pattern(
  program: string,
  applies: RegExp,
  forward: RegExp,
  how: Omit<Pattern, 'forward'> = {},
): Row {
  const isLoopback = (listens: string | null) => listens !== null && isLoopbackAddress(listens);
  return {
    program,
    applies,
    find: (text) =>
      foundBy({ ...how, forward }, text).map((found) => ({
        ...found,
        program,
        isLoopback: isLoopback(found.listens),
      })),
  };
}

/** The places of destinations, before the addresses that their sections listen on are known. */
function foundBy({ forward, listening, destinations = usual, from }: Pattern, text: string) {
  const taken = typeof from === 'function' ? from(text) : from;
  const by: Pick<Hop, 'from'> = taken === undefined ? {} : { from: taken };
  return [...text.matchAll(forward)].flatMap((match) => {
    const groups = groupsOf(match);
    const at = { start: match.index, end: match.index + match[0].length };
    const listens = listening?.(groups, lineBefore(text, match.index)) ?? groups.listens ?? null;
    return destinations(groups).map((to) => ({ at, to, listens, ...by }));
  });
}

/** The last 300 characters of the line before an offset. */
export function lineBefore(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - 300), offset).replace(/^.*\n/s, '');
}

function usual({ to, host, port }: Groups): readonly Destination[] {
  if (to === undefined) return [host === undefined ? local(port) : destinationOf(`${host}:${port}`)];
  return to.split(/[\s"']+/).flatMap((one) => (one === '' ? [] : [destinationOf(one)]));
}

interface Sections extends Omit<Pattern, 'listening'>, Pick<Row, 'program' | 'applies'> {
  /** The beginnings of sections, their type in `type` and their name in `name`. */
  readonly section: RegExp;
  /** The addresses that a section listens on, in `listens`. */
  readonly listen: RegExp;
  /** Types of sections that hold destinations; absent: any. */
  readonly forwards?: RegExp;
  /** Types of sections that hold listening addresses; absent: any. */
  readonly listeners?: RegExp;
  /** True where the name of a section is the address that requests name; every address is bound. */
  readonly isNamedByAddress?: boolean;
  /** The listening address in the text of `listens`. */
  readonly listenText?: (text: string) => string | null;
}

interface Section {
  readonly start: number;
  readonly type: string;
  readonly name: string | null;
}

interface Listening {
  readonly section: Section;
  readonly text: string;
}

/**
 * A row for files with sections: a destination is reached by the addresses of its section, or by all of the text if its
 * section has none. A section as a destination means the destinations of that section.
 */
export function sections(row: Sections): Row {
  return {
    program: row.program,
    applies: row.applies,
    find(text) {
      const all = [...text.matchAll(row.section)].map((match) => {
        const { type = '', name = null } = groupsOf(match);
        return { start: match.index, type, name };
      });
      const listens = listeningIn(row, text, all);
      const bySection = groupBy(listens, ({ section }) => section);
      const ofText = widest(listens);
      const names = new Set(all.flatMap(({ name }) => name ?? []));
      return foundBy(row, text).flatMap((found): Hop[] => {
        const { at, to, from } = found;
        const section = sectionAt(all, at.start);
        const isNamed = to !== null && 'host' in to && to.port === null && names.has(to.host ?? '');
        if (isNamed || row.forwards?.test(section.type) === false) return [];
        const own = bySection.get(section);
        const named = row.isNamedByAddress && section.name !== null ? section.name.trim() : null;
        const elsewhere = named === null ? ofText : { listens: named, isLoopback: false };
        const by = from === undefined ? {} : { from };
        return [{ at, program: row.program, to, ...by, ...(own === undefined ? elsewhere : widest(own)) }];
      });
    },
  };
}

const none: Section = { start: -1, type: '', name: null };

/** The last section that begins before an offset. */
function sectionAt(all: readonly Section[], offset: number): Section {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as Section).start <= offset) low = middle + 1;
    else high = middle;
  }
  return all[low - 1] ?? none;
}

function listeningIn(row: Sections, text: string, all: readonly Section[]): readonly Listening[] {
  return [...text.matchAll(row.listen)].flatMap((match) => {
    const section = sectionAt(all, match.index);
    const written = groupsOf(match).listens ?? '';
    const address = row.listenText === undefined ? written : row.listenText(written);
    return address === null || row.listeners?.test(section.type) === false
      ? []
      : [{ section, text: address }];
  });
}

/** The first address that is not loopback, else the first. */
function widest(listens: readonly Listening[]): Pick<Hop, 'listens' | 'isLoopback'> {
  const wide = listens.find(({ text }) => !isLoopbackAddress(text))?.text;
  const listensOn = wide ?? listens[0]?.text ?? null;
  return { listens: listensOn, isLoopback: listensOn !== null && wide === undefined };
}
