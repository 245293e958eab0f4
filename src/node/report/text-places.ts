/** Lines with a place, and lists of places by file. */
import { columns, wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { type Folder, withoutName } from './folder.js';
import type { RollUp } from './roll-up.js';
import { narrow } from './text-finding.js';
import type { Paint } from './text-paint.js';

/** Columns of wrapped text, and those after which a line is continued on the next. */
export interface Widths {
  readonly width: number;
  readonly lineWidth: number;
}

/** How a text is laid out, and what it is about. */
export interface Page extends Widths {
  readonly paint: Paint;
  /** Null for one target. */
  readonly all: RollUp | null;
  /** Only the first place of a finding is written with it. */
  readonly folder: Folder;
  readonly verbose: boolean;
}

/** The least columns that a text needs to stay on the line of its place. */
const minText = 24;

/**
 * `head`, `more` and text on a line, which is continued below; the text begins on a line of its own where they leave little
 * room.
 */
export function lineWith(head: string, more: string, text: string, { width, lineWidth }: Widths): string {
  const start = more === '' ? head : `${head} ${more}`;
  if (width < narrow) return wrap(`${start} ${text}`, width, 0, 2);
  if (lineWidth - columns(start) >= minText) return wrap(`${start} ${text}`, lineWidth, 0, 2);
  const first = columns(start) <= lineWidth || more === '' ? start : `${head}\n${wrap(more, width, 2, 4)}`;
  return `${first}\n${wrap(text, lineWidth, 2, 2)}`;
}

/** A place of a list; `file`: null for an endpoint, or a file of one of several machines. */
export interface Told {
  readonly file: string | null;
  /** `12:8`, or the name of a place without a file. */
  readonly place: string;
  /** What is there; empty for the same as at the first place. */
  readonly label: string;
}

/** Places in one file. */
export interface InFile {
  /** Empty: they are only counted. */
  readonly text: string;
  readonly count: number;
}

/** `a.yml:12:8, 14:8 http admin, 20:8 ws admin`, those in the file `own` first and without its name. */
export function byFile(places: readonly Told[], own: string | null, folder: Folder): InFile[] {
  const files = [...groupBy(places, ({ file, place }) => file ?? `\0${place}`).values()];
  const isOwn = ([first]: readonly Told[]) => Number(own !== null && first?.file === own);
  return files
    .sort((a, b) => isOwn(b) - isOwn(a))
    .map((same) => {
      const labels = [...groupBy(same, ({ place }) => place)].map(
        ([place, here]) =>
          [place, [...new Set(here.map(({ label }) => label))].filter(Boolean).join(' + ')] as const,
      );
      const texts = [...groupBy(labels, ([, label]) => label)].map(([label, all]) =>
        `${all.map(([place]) => place).join(', ')} ${label}`.trim(),
      );
      const file = same[0]?.file ?? null;
      const name = file === null || file === own ? '' : `${visible(withoutName(file, folder))}:`;
      return { text: name + texts.join(', '), count: same.length };
    });
}

/** Joins the places of files; those that are only counted are `N more (--verbose)`. */
export function joinPlaces(files: readonly InFile[]): string {
  const named = files.filter(({ text }) => text !== '').map(({ text }) => text);
  const left = files.filter(({ text }) => text === '').reduce((sum, { count }) => sum + count, 0);
  const places = named.join(named.some((text) => text.includes(' ')) ? '; ' : ', ');
  if (left === 0) return places;
  return `${places === '' ? '' : `${places} and `}${left} more (--verbose)`;
}
