/** Files that a source names. By default only files below the folder of the source are read. */
import { realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import { readFile } from './file.js';
import type { Neighbours } from './launch/launch.js';
import { LineIndex } from './text/line-index.js';

const maxFiles = 100;
const maxSize = 1 << 20;

/** The reader of such files, and those it read, by their paths. */
export interface Read extends Neighbours {
  readonly files: ReadonlyMap<string, LineIndex>;
}

/** `path`: the source as the user named it; `outside`: files outside its folder are read too; `cwd` null: stdin. */
export function neighboursOf(path: string, cwd: string | null, outside: boolean): Read {
  const files = new Map<string, LineIndex>();
  return { files, read: (name, from) => read(name, from.file) };

  function read(name: string, from: string): LineIndex | { readonly problem: string } {
    const shown = visible(name, 200);
    if (cwd === null) return { problem: `${shown} is not read: stdin has no folder` };
    if (name === '' || /[\uFDD0\0]/.test(name))
      return { problem: 'a file is not read: its name cannot be known' };
    if (files.size >= maxFiles)
      return { problem: `${shown} is not read: only ${maxFiles} files are followed` };
    const target = joined(dirname(from), name);
    const known = files.get(target);
    if (known !== undefined) return known;
    try {
      const real = realpathSync(resolve(cwd, target));
      const root = realpathSync(dirname(resolve(cwd, path)));
      if (!outside && !real.startsWith(root.endsWith(sep) ? root : root + sep))
        return { problem: `${shown} is not read: it lies outside the folder (--follow-outside reads it)` };
      const { bytes } = readFile(target, cwd);
      if (bytes.length > maxSize)
        return { problem: `${shown} is not read: it is larger than ${maxSize >> 10} KiB` };
      const file = new LineIndex(target, new TextDecoder('utf-8').decode(bytes));
      files.set(target, file);
      return file;
    } catch (error) {
      if (error instanceof KaiactlError) return { problem: error.message };
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return {
        problem: `${shown} is not read: ${missing ? 'there is no such file' : 'it cannot be opened'}`,
      };
    }
  }
}

function joined(folder: string, name: string): string {
  return folder === '.' || name.startsWith('/')
    ? name.replace(/^\.\//, '')
    : `${folder}/${name.replace(/^\.\//, '')}`;
}
