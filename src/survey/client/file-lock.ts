/** One process at a time: a lock that goes with the process that holds it, however that ends. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { removeStaleSocket } from '../../util/stale-socket.js';

/**
 * Holds the lock of a file until the returned function is called. A listening socket is the lock: it dies with
 * its process, and a leftover one is known by nobody answering.
 * @throws {KaiactlError} when another process holds it (exit 2)
 */
export async function fileLock(path: string, platform: NodeJS.Platform): Promise<() => void> {
  const name = `kaiactl-${createHash('sha256').update(identityOf(path)).digest('hex').slice(0, 24)}`;
  const socket = addressOf(name, platform);
  for (let attempt = 0; attempt < 3; attempt++) {
    const server = await listen(socket);
    if (server !== null) return () => void server.close();
    if (!leavesFile(platform) || (await removeStaleSocket(socket)) !== null) break;
  }
  throw new KaiactlError(`another run is using ${path}`, { hint: 'Wait for it to end, or end it.' });
}

/** One name for the file, there yet or not, whichever way it is reached. */
function identityOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
  }
}

/** Linux and Windows have socket names without a file; elsewhere a crash leaves the file behind. */
function leavesFile(platform: NodeJS.Platform): boolean {
  return platform !== 'linux' && platform !== 'win32';
}

function addressOf(name: string, platform: NodeJS.Platform): string {
  if (leavesFile(platform)) return join(tmpdir(), `${name}.lock`);
  return platform === 'linux' ? `\0${name}` : `\\\\.\\pipe\\${name}`;
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
