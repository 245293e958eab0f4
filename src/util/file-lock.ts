/** A file lock that the system releases when its process ends, also after a kill. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeStaleSocket } from './stale-socket.js';

/**
 * Locks a file until the returned function is called; null if another process holds the lock. It is a listening socket: the
 * system closes it with its process. A stale socket file is recognised by a refused connection.
 */
export async function fileLock(path: string, platform: NodeJS.Platform): Promise<(() => void) | null> {
  const name = `kaiactl-${createHash('sha256').update(identityOf(path)).digest('hex').slice(0, 24)}`;
  const nameless = platform === 'linux' ? `\0${name}` : `\\\\.\\pipe\\${name}`;
  const socket = leavesFile(platform) ? join(tmpdir(), `${name}.lock`) : nameless;
  for (let attempt = 0; attempt < 3; attempt++) {
    const server = await listen(socket);
    if (server !== null) return () => void server.close();
    if (!leavesFile(platform) || (await removeStaleSocket(socket)) !== null) break;
  }
  return null;
}

/** The canonical path of the file, which may not exist yet. */
function identityOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
  }
}

/** Linux and Windows have socket names without a file. On other systems a crash leaves the socket file behind. */
function leavesFile(platform: NodeJS.Platform): boolean {
  return platform !== 'linux' && platform !== 'win32';
}

function listen(socket: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((other) => other.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(socket, () => {
      server.unref();
      resolve(server);
    });
  });
}
