/** The namespaces of a process relative to kaiactl's: network, root folder, container. */
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { tryOr } from '../../../util/try-or.js';
import type { ProcessFacts } from '../../facts/live.js';
import { readLink, readText } from './proc.js';

/** Namespaces that cannot be compared count as kaiactl's own. */
export function surroundingsOf(
  folder: string,
  proc: string,
): Pick<ProcessFacts, 'network' | 'root' | 'container'> {
  const root = readLink(join(folder, 'root'));
  const elsewhere = differs(folder, proc, 'mnt') || (root.state === 'seen' && root.value !== '/');
  return {
    network: differs(folder, proc, 'net') || hasOtherTable(folder, proc) ? 'other' : 'same',
    root: elsewhere ? join(folder, 'root') : '',
    container: elsewhere ? containerOf(folder) : null,
  };
}

function differs(folder: string, proc: string, kind: 'net' | 'mnt'): boolean {
  const [its, ours] = [folder, join(proc, 'self')].map((one) => readLink(join(one, 'ns', kind)));
  return its?.state === 'seen' && ours?.state === 'seen' && its.value !== ours.value;
}

/**
 * The kernel has one table of sockets a network namespace, and shows its file number to every user, also where the link to
 * the namespace is for the process's user alone.
 */
function hasOtherTable(folder: string, proc: string): boolean {
  try {
    const [its, ours] = [folder, join(proc, 'self')].map((one) => statSync(join(one, 'net', 'tcp')).ino);
    return its !== ours;
  } catch {
    return false;
  }
}

/** The short id of the container; null when the control group names none. */
function containerOf(folder: string): string | null {
  return /[0-9a-f]{64}/.exec(readText(join(folder, 'cgroup'), 1 << 16))?.[0].slice(0, 12) ?? null;
}

const maxLinks = 40;

/**
 * Resolves a path of a process from here. Links are followed inside its root, as the process follows them, so a link in
 * a container cannot lead outside. Returns null for a loop or a missing path.
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
      if (links > maxLinks) return null;
      if (posix.isAbsolute(link)) at = '/';
      rest = [...link.split('/').filter(Boolean), ...rest];
    }
  }
  return join(root, at);
}

/** The target of a link; null when it is not a link, undefined when it does not exist. */
function linkAt(path: string): string | null | undefined {
  return tryOr(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null), undefined);
}
