/** From what --store says to the store itself. */
import type { Storage } from './storage.js';

/** Whether the place is a database that several servers may share. */
export function isShared(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/**
 * A database's URL (postgres://…), a file's path, or `:memory:` for nothing that lasts.
 * @throws {KaiactlError} when it cannot be had
 */
export async function openStorage(place: string, secret: Buffer): Promise<Storage> {
  if (isShared(place)) {
    const { openPostgres } = await import('./postgres.js');
    return openPostgres(place, secret);
  }
  const { openSqlite } = await import('./sqlite.js');
  return openSqlite(place, secret);
}
