/** The path of the ipc socket. Existing files are never removed, because a running node may use them. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { maxSocketPath } from '../../jsonrpc/ipc.js';

export interface SocketPath {
  readonly path: string;
  /** Why it differs from the path of the conf; null if it does not. */
  readonly note: string | null;
  /** Removes the folders created for it. */
  remove(): void;
}

/**
 * The requested path, else the conf's path if its folder is writable and the file does not exist, else a path in a new
 * private folder. On Windows, a new pipe.
 * @throws {KaiactlError} if the requested path exists or is too long (exit 2)
 */
export function socketPath(
  conf: string | null,
  requested: string | null,
  platform: NodeJS.Platform,
): SocketPath {
  if (requested !== null) return requestedPath(requested, platform);
  if (platform === 'win32') {
    const path = `\\\\.\\pipe\\kaiactl-${randomBytes(6).toString('hex')}`;
    return { path, note: null, remove: () => {} };
  }
  const problem = conf === null ? 'its data folder is not known' : unusable(conf);
  if (conf !== null && problem === null) return { path: conf, note: null, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-'));
  return {
    path: join(folder, 'node.ipc'),
    note: `The ipc socket is in a private folder: ${problem}.`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function unusable(path: string): string | null {
  const folder = dirname(path);
  if (!existsSync(folder)) return `${folder} does not exist here`;
  if (existsSync(path)) return `${path} already exists`;
  if (Buffer.byteLength(path) > maxSocketPath) return `${path} is too long for a socket`;
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    return `${folder} cannot be written`;
  }
}

/** Creates the folder of the path if needed; `remove` removes it again. */
function requestedPath(path: string, platform: NodeJS.Platform): SocketPath {
  if (platform === 'win32') return { path, note: null, remove: () => {} };
  if (existsSync(path)) {
    throw new KaiactlError(`cannot simulate ipc: ${path} already exists`, {
      hint: 'Name another path with --ipc. Nothing was removed: a node may be using it.',
    });
  }
  if (Buffer.byteLength(path) > maxSocketPath) {
    throw new KaiactlError(`cannot simulate ipc: ${path} is longer than ${maxSocketPath} bytes`, {
      hint: 'Name a shorter path with --ipc.',
    });
  }
  const first = mkdirSync(dirname(path), { recursive: true, mode: 0o751 });
  return { path, note: null, remove: () => removeUpTo(first, dirname(path)) };
}

/** Removes the created folders from the innermost up, as long as they are empty. */
function removeUpTo(first: string | undefined, innermost: string): void {
  if (first === undefined) return;
  try {
    for (let folder = innermost; folder.length >= first.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // A folder is not empty: another program uses it.
  }
}
