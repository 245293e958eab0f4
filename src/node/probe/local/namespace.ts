/** Where a process lives, as seen from here: another network, another root folder, a container. */
import { lstatSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ProcessFacts } from '../../facts/live.js';
import { readCapped, readLink } from './proc.js';

/** A process's surroundings; those that cannot be told apart from ours count as ours. */
export function surroundingsOf(
  folder: string,
  proc: string,
): Pick<ProcessFacts, 'network' | 'root' | 'container'> {
  const root = readLink(join(folder, 'root'));
  const elsewhere = differs(folder, proc, 'mnt') || (root.state === 'seen' && root.value !== '/');
  return {
    network: differs(folder, proc, 'net') ? 'other' : 'same',
    root: elsewhere ? join(folder, 'root') : '',
    container: elsewhere ? containerOf(folder) : null,
  };
}

function differs(folder: string, proc: string, kind: 'net' | 'mnt'): boolean {
  const [its, ours] = [folder, join(proc, 'self')].map((one) => readLink(join(one, 'ns', kind)));
  return its?.state === 'seen' && ours?.state === 'seen' && its.value !== ours.value;
}

/** The beginning of the container's id, by which its tools know it; null where the control group names none. */
function containerOf(folder: string): string | null {
  const group = readCapped(join(folder, 'cgroup'), 1 << 16);
  const text = group.state === 'seen' ? group.value.toString('latin1') : '';
  return /[0-9a-f]{64}/.exec(text)?.[0].slice(0, 12) ?? null;
}

const mostLinks = 40;

/**
 * Where a path of a process lies as seen from here. Links are followed inside its root, as the process would: one that
 * a container makes leads nowhere else. null: a loop, or no such path.
 */
export function pathInside(root: string, path: string): string | null {
  if (root === '') return path;
  let at = '/';
  let rest = posix.normalize(path).split('/').filter(Boolean);
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...further] = rest;
    rest = further;
    const next = posix.join(at, name);
    const link = linkAt(join(root, next));
    if (link === undefined) return null;
    if (link === null) at = next;
    else {
      links += 1;
      if (links > mostLinks) return null;
      if (posix.isAbsolute(link)) at = '/';
      rest = [...link.split('/').filter(Boolean), ...rest];
    }
  }
  return join(root, at);
}

/** What a link holds; null: it is not a link; undefined: it is not there. */
function linkAt(path: string): string | null | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return undefined;
  }
}
