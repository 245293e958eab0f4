/** Opens the store that `--store` names. */
import type { Storage } from './storage.js';

/** Whether several servers may share the place: a database, not a file. */
export function isShared(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/**
 * @param place the URL of a database (postgres://…), the path of a file, or `:memory:`
 * @throws {KaiactlError} when it cannot be opened
 */
export async function openStorage(place: string, secret: Buffer): Promise<Storage> {
  if (isShared(place)) {
    const { openPostgres } = await import('./postgres.js');
    return openPostgres(place, secret);
  }
  const { openSqlite } = await import('./sqlite.js');
  return openSqlite(place, secret);
}
