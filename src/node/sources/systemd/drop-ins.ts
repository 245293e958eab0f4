/** The drop-ins of units of systemd and of podman, in the order in which they override. systemd.unit(5), podman-systemd.unit(5) */
import { dirname } from 'node:path';
import type { Files } from '../launch/files.js';
import { baseName } from '../script/paths.js';
import type { LineIndex } from '../text/line-index.js';

/** The drop-ins among the files. Only those of services and containers are found where a single file was named. */
export function allDropIns(files: Files): LineIndex[] {
  const isDropIn = ({ file }: LineIndex) => file.endsWith('.conf') && dirname(file).endsWith('.d');
  const named = files.named(
    /\.(?:pod|network|socket)\.d[\\/][^\\/]+\.conf$|[\\/](?:pod|network|socket)\.d[\\/][^\\/]+\.conf$/,
  );
  return [...files.all('systemd').filter(isDropIn), ...named];
}

interface DropIns {
  /** In the order in which they override. */
  readonly loaded: readonly LineIndex[];
  /** Those that others of the same name mask. */
  readonly masked: readonly LineIndex[];
}

/** The drop-ins of a unit of this file and name, but for those of another unit file that lies beside them. */
export function dropInsOf(
  unit: string,
  file: LineIndex,
  all: readonly LineIndex[],
  units: readonly LineIndex[],
): DropIns {
  const folders = foldersOf(unit);
  const own = all.filter((one) => folders.includes(unitOf(one)) && !belongsToAnother(one, file, units));
  const strongest = own.toSorted(
    (a, b) => folders.indexOf(unitOf(a)) - folders.indexOf(unitOf(b)) || rootOf(b) - rootOf(a),
  );
  const byName = new Map<string, LineIndex>();
  for (const one of strongest) if (!byName.has(baseName(one.file))) byName.set(baseName(one.file), one);
  const loaded = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return { loaded, masked: own.filter((one) => !loaded.includes(one)) };
}

/** Files below etc mask those of the same name below run, and these those below usr. systemd.unit(5) */
function rootOf({ file }: LineIndex): number {
  return ['usr', 'run', 'etc'].findIndex((root) => file.split('/').includes(root));
}

/** Whether systemd loads the first file in the place of the second, which has the same name on the same machine. */
export function masks(one: LineIndex, other: LineIndex): boolean {
  const [own = null, theirs = null] = [one, other].map(({ file }) => {
    const [, machine, manager] =
      /^(.*?)(?:^|\/)(?:etc|run|usr|lib)\/(?:.*\/)?systemd\/(\w+)\//.exec(file) ?? [];
    return manager === undefined ? null : `${machine}/${manager}`;
  });
  const isSame = baseName(one.file) === baseName(other.file) && own !== null && own === theirs;
  return isSame && rootOf(one) > rootOf(other);
}

/** The unit that the folder of a drop-in names. */
export function unitOf({ file }: LineIndex): string {
  return baseName(dirname(file)).slice(0, -'.d'.length);
}

/** The names whose drop-ins a unit has, the most specific first: its own, its template’s, `ken-.service` and `service`. */
function foldersOf(unit: string): string[] {
  const [, stem = '', instance, type = ''] = /^([^@]*)(?:@(.*))?\.(\w+)$/.exec(unit) ?? [];
  const prefixes = [...stem.matchAll(/-/g)].map(({ index }) => `${stem.slice(0, index + 1)}.${type}`);
  return [unit, ...(instance ? [`${stem}@.${type}`] : []), ...prefixes.reverse(), type];
}

/** Whether a drop-in lies beside another unit file to which it applies. */
function belongsToAnother(dropIn: LineIndex, file: LineIndex, units: readonly LineIndex[]): boolean {
  const folder = dirname(dirname(dropIn.file));
  const beside = units.filter(
    (one) => dirname(one.file) === folder && foldersOf(baseName(one.file)).includes(unitOf(dropIn)),
  );
  return beside.length > 0 && dirname(file.file) !== folder;
}
