/** Who may connect to a Unix socket, by the modes of the socket and of every folder on the way to it. */
import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SocketAccess } from '../../facts/live.js';
import { pathInside } from './namespace.js';

/** A folder, which is entered, or the socket, which is written to (man7/unix.7, man7/path_resolution.7). */
interface Part {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly needs: 1 | 2;
  /** Whether an access control list may let further users in. */
  readonly hasAcl: boolean;
}

/** @throws the error of the file system where a part cannot be read */
export async function socketAccess(path: string): Promise<SocketAccess> {
  return accessBy(await readPath(path));
}

async function readPath(path: string): Promise<Part[]> {
  const [, root = '', inside = path] = /^(.*\/proc\/\d+\/root)(\/.*)$/.exec(path) ?? [];
  const whole = root === '' ? await realpath(path) : (pathInside(root, inside) ?? path);
  const paths = [whole];
  for (let at = whole; at !== root && at !== dirname(at); ) {
    at = dirname(at);
    paths.unshift(at);
  }
  const lists = await listsOf(paths);
  return await Promise.all(
    paths.map(async (one): Promise<Part> => {
      const { uid, gid, mode } = await stat(one);
      return { path: one, uid, gid, mode, needs: one === whole ? 2 : 1, hasAcl: lists.has(one) };
    }),
  );
}

/** The paths with an access control list: `ls` marks them with a `+`, and Node cannot read extended attributes. */
async function listsOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const marked = await Promise.all(paths.map(async (path) => [path, await isMarked(path)] as const));
  return new Set(marked.flatMap(([path, is]) => (is ? [path] : [])));
}

function isMarked(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: 2_000, maxBuffer: 1 << 16 };
    execFile('ls', ['-ld', '--', path], options, (_error, text) =>
      resolve(/^[a-z-][rwxsStT-]{9}\+/.test(text)),
    );
  });
}

/** Root and the owner of the socket are left out. */
export function accessBy(parts: readonly Part[]): SocketAccess {
  const owner = parts.at(-1)?.uid;
  const everyone = parts.every((part) => lets(part, null, []));
  if (everyone) return { everyone, some: [], lists: [] };
  const closed = parts.filter((part) => !lets(part, null, []));
  const groups = [...new Set(closed.map(({ gid }) => gid))];
  const members = parts.every((part) => lets(part, null, groups)) ? [membersOf(groups)] : [];
  const owners = parts.filter(
    ({ uid }, at) =>
      uid !== 0 &&
      uid !== owner &&
      parts.findIndex((one) => one.uid === uid) === at &&
      parts.every((part) => lets(part, uid, [])),
  );
  const some = [...members, ...owners.map(({ uid, path }) => `user ${uid}, who owns ${path},`)];
  const mayPass = parts.every((part) => part.hasAcl || lets(part, null, groups));
  const lists = mayPass ? closed.filter(({ hasAcl }) => hasAcl).map(({ path }) => path) : [];
  return { everyone, some, lists };
}

function membersOf(groups: readonly number[]): string {
  return groups.length === 1
    ? `every member of group ${groups[0]}`
    : `every member of the groups ${groups.join(' and ')}`;
}

/**
 * The kernel looks at one class of bits alone: the owner's, else the group's, else those of all others. Where there is an
 * access control list, the bits of the group are its mask (man5/acl.5).
 */
function lets({ hasAcl, ...part }: Part, user: number | null, groups: readonly number[]): boolean {
  const { uid, gid, mode, needs } = part;
  const isMember = groups.includes(gid);
  if (isMember && hasAcl && user !== uid) return false;
  const shift = user === uid ? 6 : isMember ? 3 : 0;
  return ((mode >> shift) & needs) !== 0;
}
