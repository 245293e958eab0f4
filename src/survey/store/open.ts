/** Opens the store that `--store` names. */
import { existsSync, statSync } from 'node:fs';
import { expectOwn, type Secret } from './schema.js';
import type { Storage } from './storage.js';

/** Whether several servers may share the place: a database, not a file. */
export function isShared(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/** @param place the URL of a database, the path of a file, or `:memory:` @throws {KaiactlError} (exit 2 or 3) */
export async function openStorage(place: string, secret: Secret): Promise<Storage> {
  if (isShared(place)) {
    const { openPostgres } = await import('./postgres.js');
    return openPostgres(place, secret);
  }
  const { openSqlite } = await import('./sqlite.js');
  return openSqlite(place, secret);
}

/**
 * Opens a store to check it: a copy of a file, a database that is only read, or an empty store where there is none. Nothing
 * is created or changed, and no transaction is sent.
 * @throws {KaiactlError} as `openStorage` does
 */
export async function openToCheck(place: string, secret: Secret): Promise<Storage> {
  if (isShared(place)) {
    const found = await (await import('./postgres.js')).readPostgres(place);
    if (found !== null) {
      await expectOwn(found.storage, secret, found.version);
      return found.storage;
    }
  } else if (place !== ':memory:' && existsSync(place))
    return (await import('./sqlite.js')).openCopied(place, secret);
  return openStorage(':memory:', secret);
}

/** Whether a store has a secret, and opens with no other. @throws {KaiactlError} when it does not answer (exit 3) */
export async function hasSecret(place: string): Promise<boolean> {
  if (isShared(place)) return (await import('./postgres.js')).hasSettings(place);
  return (statSync(place, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
