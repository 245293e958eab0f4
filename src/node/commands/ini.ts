/** `kaiactl.ini`: which findings count for the files below its folder. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { sectionsOf } from '../../options/ini.js';
import { tryOr } from '../../util/try-or.js';
import { visible } from '../../util/visible.js';

/** The values of `[node]`; `where` is `/srv/fleet/kaiactl.ini [node]`. */
export interface RepositorySettings {
  readonly where: string;
  readonly file: string;
  /** `/srv/fleet/kaiactl.ini:3 [node]`. */
  placeOf(key: string): string;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const name = 'kaiactl.ini';

/**
 * Searches the folder and the folders above it, up to the root of a git repository, and skips folders that every user can
 * write. Returns null if it is not found.
 * @param trusted - the file to read instead, or `none`
 * @throws {KaiactlError} when the file cannot be read or has another section (exit 2)
 */
export async function findRepositorySettings(
  folder: string,
  trusted?: string,
): Promise<RepositorySettings | null> {
  if (trusted === 'none') return null;
  if (trusted !== undefined) return read(trusted, await readText(trusted, { what: trusted, mib: 1 }));
  const file = join(folder, name);
  if (!isShared(folder) && existsSync(file) && !statSync(file).isFIFO())
    return read(file, await readText(file, { what: file, mib: 1 }));
  const above = dirname(folder);
  if (above === folder || existsSync(join(folder, '.git'))) return null;
  return await findRepositorySettings(above);
}

function read(file: string, text: string): RepositorySettings {
  const sections = sectionsOf(file, text, hint);
  const other = sections.find((one) => one.name !== 'node');
  if (other !== undefined)
    throw new KaiactlError(
      `${other.placeOf().replace(/ .*/s, '')}: unknown section ${visible(other.name, 80)}`,
      { hint },
    );
  const { values = {}, placeOf = () => file } = sections[0] ?? {};
  const lists = Object.entries(values).map(([key, value]) => {
    const given = [value].flat().map(String);
    // `exclude = a, b` is two patterns; the options of other keys split their own lists.
    return [key, key === 'exclude' ? given.flatMap((one) => one.split(/\s*,\s*/)) : given];
  });
  return { where: `${file} [node]`, file, placeOf, values: Object.fromEntries(lists) };
}

const hint = 'kaiactl.ini has one section: [node].';

function isShared(folder: string): boolean {
  return tryOr(() => (statSync(folder).mode & 0o002) !== 0, false);
}
