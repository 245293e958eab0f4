/** Files and folders that are mounted into a container. */
import type { ReadRole, Scope, Unread } from '../launch/files.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { fileAt } from './paths.js';

/** What is mounted: a path of the machine, relative to the folder of a file; a text; or why its content is not known. */
export type MountSource = { readonly path: string; readonly from: LineIndex } | Placed | Unread;

export interface Mount {
  /** The path in the container. */
  readonly target: string;
  readonly source: MountSource;
}

/** The text at a path of the container, of the innermost mount over it; null if nothing is mounted there. */
export function mountedAt(mounts: readonly Mount[], path: string, files: Scope, asked?: ReadRole) {
  const over = mounts.filter(({ target }) => within(path, target) !== null);
  const [first, ...others] = over;
  if (first === undefined) return null;
  const { target, source } = others.reduce((a, b) => (b.target.length >= a.target.length ? b : a), first);
  const inside = within(path, target) ?? '';
  if (source instanceof Placed) return inside === '' ? source : { problem: `${target} is a file` };
  if ('problem' in source) return source;
  const role = asked === 'secret' ? asked : 'mounted';
  const file = files.read(inside === '' ? source.path : `${source.path}/${inside}`, source.from, role);
  return 'problem' in file ? file : Placed.at(file);
}

/** The part of a path below a folder; '' for the folder itself, null outside of it. */
export function within(path: string, folder: string): string | null {
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** `./conf:/etc/kend/conf:ro`, as compose, docker and podman read it; null if it mounts nothing that is known. */
export function mountOf(text: string, from: LineIndex): Mount | null {
  const [source = '', target] = text.split(/:(?![\\/]?\\)/);
  return target === undefined ? null : mountBetween(source, target, from);
}

/** A mount of a path of the machine, or of a named volume. */
export function mountBetween(source: string, target: string, from: LineIndex): Mount | null {
  if (!isKnown(target) || !target.startsWith('/')) return null;
  const at = target.length > 1 ? target.replace(/\/+$/, '') : target;
  const path = fileAt(source);
  if (path === null) return { target: at, source: { problem: `what is mounted at ${at} is set later` } };
  if (/^(?:\.|\/|~)/.test(source) || !isKnown(source)) return { target: at, source: { path, from } };
  return { target: at, source: volume(source, at) };
}

/** A named volume, whose content no file holds. */
export function volume(name: string, target: string): Unread {
  const named = name === '' ? 'a volume' : `the volume ${name}`;
  return { problem: `${named} is mounted at ${target}, and its content is not among the files` };
}
