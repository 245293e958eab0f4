/** Names of files below a folder. */
import { isAbsolute, relative, sep } from 'node:path';

/** Returns the name of a path below a folder, with slashes; elsewhere the path itself. Both are absolute. */
export function nameFrom(folder: string, path: string): string {
  const name = relative(folder, path);
  if (name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)) return path;
  return name.split(sep).join('/') || '.';
}
