/** `survey admin rotate-secret`: a new key for the hashes of persons in a store that no server uses. */
import { existsSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { Refused } from '../protocol/refused.js';
import { isShared, openStorage } from '../store/open.js';
import { readParticipantSecret, rotatedPath, writeRotated } from '../store/participant-secret.js';
import { rotate } from '../store/rotate.js';
import { secretPathOf, storePlaceOf } from './admin-server.js';
import type { AdminOptions } from './options/admin.js';

/** How many keys the secret has now. @throws {KaiactlError} when a server uses the store, or it cannot be opened */
export async function rotateSecret(options: AdminOptions, actor: string, host: Host): Promise<number> {
  const place = storePlaceOf(options, host);
  if (!isShared(place) && !existsSync(place)) throw new KaiactlError(`there is no store ${options.store}`);
  const path = secretPathOf(options, host);
  const done = await finishInterrupted(place, path);
  if (done !== null) return done;
  const keys = readParticipantSecret(path);
  const storage = await openStorage(place, keys);
  try {
    const rotated = writeRotated(path, options.dropKeys ? [] : keys);
    const [key] = rotated.slice(-1);
    if (key !== undefined) await rotate(storage, key, { at: host.now(), actor }, options.dropKeys);
    renameSync(rotatedPath(path), resolve(host.cwd, path));
    return rotated.length;
  } catch (error) {
    if (error instanceof Refused) throw new KaiactlError(`${error.message}: ${error.reason}`);
    throw error;
  } finally {
    await storage.close();
  }
}

/** After a crash between the store's change and the file's, the new file belongs to the store. */
async function finishInterrupted(place: string, path: string): Promise<number | null> {
  if (!existsSync(rotatedPath(path))) return null;
  const keys = readParticipantSecret(rotatedPath(path));
  const opened = await openStorage(place, keys).catch(() => null);
  if (opened === null) return null;
  await opened.close();
  renameSync(rotatedPath(path), path);
  return keys.length;
}
