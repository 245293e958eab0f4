/** Unix sockets that outlived their process. */
import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { platform } from 'node:os';
import { dirname } from 'node:path';

/**
 * The longest path of a socket, in bytes (unix(7), sun_path without its last byte). Node.js cuts a longer path off and
 * opens the socket where the shorter one leads.
 */
const maxPathBytes = platform() === 'linux' ? 107 : 103;

/** Why no socket can be at the path, whatever is there now; null if one can. */
export function socketProblem(path: string): string | null {
  if (Buffer.byteLength(path) > maxPathBytes) return `the path is longer than ${maxPathBytes} bytes`;
  return existsSync(dirname(path)) ? null : 'its folder does not exist';
}

/**
 * Removes the socket at the path when no process listens on it. A file, folder or symbolic link is never removed:
 * connecting to one fails as connecting to a stale socket does.
 * @returns why the path cannot be used, or null
 */
export async function removeStaleSocket(path: string): Promise<string | null> {
  const unusable = socketProblem(path);
  if (unusable !== null) return unusable;
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined) return null;
  if (!before.isSocket()) return 'the path exists and is not a socket';
  const problem = await listener(path);
  if (problem !== 'ECONNREFUSED') return problem;
  // Another process may have put its own socket there meanwhile.
  const after = lstatSync(path, { throwIfNoEntry: false });
  if (after?.ino === before.ino && after.isSocket()) unlinkSync(path);
  return null;
}

/** The code of a failed connection; a sentence when the connection succeeds. */
function listener(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve('another process listens there');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
