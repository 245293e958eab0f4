/** The operator's requests to a running server, on a socket that only the operator can open. */
import { chmodSync } from 'node:fs';
import { umask } from 'node:process';
import type { FastifyInstance } from 'fastify';
import { KaiactlError } from '../../errors.js';
import { removeStaleSocket } from '../../util/stale-socket.js';
import { type AdminParts, adminApp } from './admin-routes.js';

/**
 * Listens on the socket, with mode 600; null if the disk rejects writes.
 * @throws {KaiactlError} when the path cannot be used (exit 2)
 */
export async function startAdmin(path: string, parts: AdminParts): Promise<FastifyInstance | null> {
  if (!(await isFree(path))) return null;
  const app = adminApp(parts);
  // The socket appears with its mode: one that is set later would leave it open for a moment.
  const mask = umask(0o077);
  try {
    await app.listen({ path });
    chmodSync(path, 0o600);
    return app;
  } catch (error) {
    await app.close();
    if (isReadOnlyDisk(error)) return null;
    throw unusable(path, (error as Error).message, error);
  } finally {
    umask(mask);
  }
}

/**
 * Removes the socket of a killed server; false if the disk rejects that.
 * @throws {KaiactlError} when the path holds anything else (exit 2), which stays
 */
async function isFree(path: string): Promise<boolean> {
  const problem = await removeStaleSocket(path).catch((error: unknown) => {
    if (isReadOnlyDisk(error)) return true;
    throw unusable(path, (error as Error).message, error);
  });
  if (typeof problem === 'string') throw unusable(path, problem);
  return problem === null;
}

function isReadOnlyDisk(error: unknown): boolean {
  return /^(EROFS|ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

function unusable(path: string, why: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`cannot listen on the admin socket ${path}: ${why}`, {
    cause,
    hint: 'Name another path with --admin-socket. Nothing was removed.',
  });
}
