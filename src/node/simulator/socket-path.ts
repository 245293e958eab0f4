/** Where the ipc socket goes. Nothing that exists is ever removed: it may belong to a node that runs. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { KaiactlError } from '../../errors.js';

export interface SocketPath {
  readonly path: string;
  /** Why it is not where the conf says; null when it is. */
  readonly note: string | null;
  /** Removes the folder made for it, if one was. */
  remove(): void;
}

/** What a unix socket's name may take, in bytes, on every system. */
const maxPath = 103;

/**
 * The path asked for, else the conf's if its folder is there, can be written and has no such file yet,
 * else one in a new private folder. On Windows a pipe of our own.
 * @throws {KaiactlError} when the path asked for exists or is too long (exit 2)
 */
export function socketPath(conf: string | null, asked: string | null, platform: NodeJS.Platform): SocketPath {
  if (asked !== null) return askedPath(asked, platform);
  if (platform === 'win32') {
    const path = `\\\\.\\pipe\\kaiactl-${randomBytes(6).toString('hex')}`;
    return { path, note: null, remove: () => {} };
  }
  const problem = conf === null ? 'its DATA_DIR is not known' : unusable(conf);
  if (conf !== null && problem === null) return { path: conf, note: null, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-'));
  return {
    path: join(folder, 'klay.ipc'),
    note: `The ipc socket is in a private folder: ${problem}.`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function unusable(path: string): string | null {
  const folder = dirname(path);
  if (!existsSync(folder)) return `${folder} does not exist here`;
  if (existsSync(path)) return `${path} exists already`;
  if (Buffer.byteLength(path) > maxPath) return `${path} is too long for a socket`;
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    return `${folder} cannot be written`;
  }
}

/** The path as it is, in a folder that is made where there is none, and removed again. */
function askedPath(path: string, platform: NodeJS.Platform): SocketPath {
  if (platform === 'win32') return { path, note: null, remove: () => {} };
  if (existsSync(path)) {
    throw new KaiactlError(`cannot simulate ipc: ${path} exists already`, {
      hint: 'Name another path with --ipc. Nothing was removed: a node may be using it.',
    });
  }
  if (Buffer.byteLength(path) > maxPath) {
    throw new KaiactlError(`cannot simulate ipc: ${path} is longer than ${maxPath} bytes`, {
      hint: 'Name a shorter path with --ipc.',
    });
  }
  const first = mkdirSync(dirname(path), { recursive: true, mode: 0o751 });
  return { path, note: null, remove: () => removeUpTo(first, dirname(path)) };
}

/** Removes the folders from the innermost to the first that was made, as long as they are empty. */
function removeUpTo(first: string | undefined, innermost: string): void {
  if (first === undefined) return;
  try {
    for (let folder = innermost; folder.length >= first.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Somebody else has put something there.
  }
}
