/** From what --store says to the store itself. */
import type { Storage } from './storage.js';

/** A file's path, or `:memory:` for nothing that lasts. @throws {KaiactlError} when it cannot be had (exit 2) */
export async function openStorage(place: string, secret: Buffer): Promise<Storage> {
  const { openSqlite } = await import('./sqlite.js');
  return openSqlite(place, secret);
}
