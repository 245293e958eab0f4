/** Node's cache of compiled code, for faster starts. Node 20 has none. */
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Enables the cache in the user's cache folder. Cached code runs as this user, and Node checks neither owner nor mode:
 * the folder must be closed to other users. Best effort: without such a folder there is no cache and no message.
 */
export function keepCompiled(env: Env): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache === undefined) return;
  const folder = privateFolder(env);
  if (folder !== null) enableCompileCache(folder);
}

/** The folder, created if it is missing; null if it cannot be created, or other users may open it. */
export function privateFolder({ HOME = '', XDG_CACHE_HOME }: Env): string | null {
  const folder = join(XDG_CACHE_HOME || join(HOME, '.cache'), 'kaiactl', 'compiled');
  if (!isAbsolute(folder)) return null;
  try {
    // Under sudo, HOME may be another user's.
    if (!XDG_CACHE_HOME && !isMine(statSync(HOME).uid)) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    const isPrivate = process.getuid === undefined || (stats.mode & 0o077) === 0;
    return stats.isDirectory() && isMine(stats.uid) && isPrivate ? folder : null;
  } catch {
    return null;
  }
}

/** Windows has no numeric owner: there the folder above decides who may write. */
function isMine(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
