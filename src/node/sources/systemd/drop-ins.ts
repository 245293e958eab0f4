/** The drop-ins of a unit, and the instances of a template that are enabled or have drop-ins of their own. */
import { dirname } from 'node:path';
import type { Files } from '../launch/files.js';
import { baseName } from '../script/paths.js';
import type { LineIndex } from '../text/line-index.js';

/** A unit as systemd loads it: its file and its drop-ins, in the order in which they override. */
export interface Unit {
  /** `ken@main.service` */
  readonly name: string;
  readonly files: readonly [LineIndex, ...LineIndex[]];
}

/**
 * The unit of a file, and the instances of a template that are enabled by a link, or have drop-ins and no file. Of a
 * template with enabled instances only these are started. systemd.unit(5)
 */
export function unitsOf(file: LineIndex, files: Files): Unit[] {
  const all = files.all('systemd');
  const dropIns = all.filter((one) => one.file.endsWith('.conf') && dirname(one.file).endsWith('.d'));
  const [links, units] = [true, false].map((isWanted) =>
    all.filter(
      (one) => one.file.endsWith('.service') && /\.(?:wants|requires)$/.test(dirname(one.file)) === isWanted,
    ),
  ) as [LineIndex[], LineIndex[]];
  const name = baseName(file.file);
  const prefix = name.endsWith('@.service') ? name.slice(0, -'.service'.length) : null;
  const isOwn = (one: string) => prefix !== null && one.startsWith(prefix) && one !== name;
  const enabled = links.map((one) => baseName(one.file)).filter(isOwn);
  const instances = dropIns
    .map(unitOf)
    .filter((one) => isOwn(one) && !units.some((unit) => baseName(unit.file) === one));
  return [...new Set([...(enabled.length > 0 ? enabled : [name]), ...instances])].map((one) => {
    const own = dropIns.filter((dropIn) => !belongsToAnother(dropIn, file, units));
    return { name: one, files: [file, ...dropInsOf(one, own)] };
  });
}

/** Sorted by name; of two with one name, the one of the more specific folder counts. */
function dropInsOf(unit: string, all: readonly LineIndex[]): LineIndex[] {
  const byName = new Map<string, LineIndex>();
  for (const folder of foldersOf(unit))
    for (const one of all)
      if (unitOf(one) === folder && !byName.has(baseName(one.file))) byName.set(baseName(one.file), one);
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The unit that the folder of a drop-in names. */
function unitOf({ file }: LineIndex): string {
  return baseName(dirname(file)).slice(0, -'.d'.length);
}

/** The names whose drop-ins a unit has, the most specific first: its own, its template’s, `ken-.service` and `service`. */
function foldersOf(unit: string): string[] {
  const [, stem = '', instance] = /^([^@]*)(?:@(.*))?\.service$/.exec(unit) ?? [];
  const prefixes = [...stem.matchAll(/-/g)].map(({ index }) => `${stem.slice(0, index + 1)}.service`);
  return [unit, ...(instance ? [`${stem}@.service`] : []), ...prefixes.reverse(), 'service'];
}

/** True for a drop-in that lies beside another unit file to which it applies. */
function belongsToAnother(dropIn: LineIndex, file: LineIndex, units: readonly LineIndex[]): boolean {
  const folder = dirname(dirname(dropIn.file));
  const beside = units.filter(
    (one) => dirname(one.file) === folder && foldersOf(baseName(one.file)).includes(unitOf(dropIn)),
  );
  return beside.length > 0 && dirname(file.file) !== folder;
}
