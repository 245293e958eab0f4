/** The settings of a repository: the nearest kaiactl.ini above a folder. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { visible } from '../../util/visible.js';

/** The values of `[node]`; `where` is `/srv/fleet/kaiactl.ini [node]`. */
export interface RepositorySettings {
  readonly where: string;
  readonly file: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const name = 'kaiactl.ini';

/**
 * Searches the folder and the folders above it, up to the root of a git repository, and skips folders that every user can
 * write. null: not found.
 * @throws {KaiactlError} when the file cannot be read or has another section (exit 2)
 */
export async function findRepositorySettings(folder: string): Promise<RepositorySettings | null> {
  const file = join(folder, name);
  if (!isShared(folder) && existsSync(file)) return read(file, await readText(file, { what: file, mib: 1 }));
  const above = dirname(folder);
  if (above === folder || existsSync(join(folder, '.git'))) return null;
  return await findRepositorySettings(above);
}

function read(file: string, text: string): RepositorySettings {
  const sections: Record<string, unknown> = parse(text);
  const other = Object.keys(sections).find((one) => one !== 'node' || typeof sections[one] !== 'object');
  if (other !== undefined)
    throw new KaiactlError(`${file}: unknown section or key ${visible(other, 80)}`, {
      hint: 'kaiactl.ini has one section: [node].',
    });
  const values = Object.entries((sections.node ?? {}) as Record<string, unknown>).map(
    ([key, value]) =>
      [key, (Array.isArray(value) ? value : [value]).flatMap((one) => valuesOf(key, one))] as const,
  );
  return { where: `${file} [node]`, file, values: Object.fromEntries(values) };
}

/** `exclude = a, b` is two patterns; the options of other keys split their own lists. */
function valuesOf(key: string, value: unknown): string[] {
  return key === 'exclude' ? String(value).split(/\s*,\s*/) : [String(value)];
}

function isShared(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    return false;
  }
}
