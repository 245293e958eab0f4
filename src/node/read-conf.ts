/** A conf of any kind of node that is known. */
import { readerOfConf, selectScripted } from './kinds/find.js';
import { kinds } from './kinds/index.js';
import type { ScriptedKind } from './kinds/kind.js';
import { type ConfOptions, readConf as readConfOf } from './sources/conf/conf.js';
import type { ReadConf } from './sources/conf/text.js';
import { type Editables, editablesOf } from './sources/text/editable.js';

export type { ConfOptions };

/**
 * Reads a conf as its launcher does and derives the node's settings.
 * @throws {KaiactlError} when the bytes are not a conf: too large, or binary (exit 2)
 */
export function readConf(path: string, bytes: Uint8Array, options: ConfOptions = {}): ReadConf {
  return readConfOf(kindFor(options.launcher, path), path, bytes, options).conf;
}

/** The same, with the file that edits are tried on. */
export function readConfFile(
  path: string,
  bytes: Uint8Array,
  options: ConfOptions = {},
): { readonly conf: ReadConf; readonly editables: Editables } {
  const { conf, file } = readConfOf(kindFor(options.launcher, path), path, bytes, options);
  return { conf, editables: editablesOf(file) };
}

/** The kind of the launcher that is given or that the path names; else the first. */
function kindFor(launcher: string | undefined, path: string): ScriptedKind {
  const [first, ...others] = selectScripted(kinds);
  const asked = others.find(({ launchers }) => launcher !== undefined && launchers.names.includes(launcher));
  const named = launcher === undefined ? readerOfConf(kinds, path)?.kind : undefined;
  return asked ?? named ?? (first as ScriptedKind);
}
