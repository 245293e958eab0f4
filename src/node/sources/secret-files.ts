/** The files that hold a node's keys and passwords: which of those that the settings name are on this machine. */
import { opendirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { SecretFile, Settings } from '../facts/settings.js';

/** Entries of a folder beyond these are not looked at. */
const most = 200;

const flags = ['datadir', 'password', 'nodekey', 'keystore'] as const;

/**
 * Finds their paths and modes, never what they hold; a relative path is the node's, whose folder is not known. The
 * machine is asked once for the same paths: a text is tried with many edits, and few of them move a file.
 */
export function secretFiles(): (settings: Settings) => readonly SecretFile[] {
  const known = new Map<string, readonly SecretFile[]>();
  return ({ values }) => {
    const paths = flags.map((flag) => {
      const value = values[flag]?.value;
      return typeof value === 'string' && isAbsolute(value) ? value : null;
    });
    const key = JSON.stringify(paths);
    const files = known.get(key) ?? filesAt(paths);
    known.set(key, files);
    return files;
  };
}

function filesAt([data = null, password = null, nodeKey = null, keyStore = null]: readonly (
  | string
  | null
)[]): SecretFile[] {
  const inData = (...names: string[]): string | null => (data === null ? null : join(data, ...names));
  return [
    ...fileAt(password, 'password', 'the password of an account'),
    ...fileAt(nodeKey ?? inData('klay', 'nodekey'), 'nodekey', 'the node’s key'),
    ...folderAt(keyStore ?? inData('keystore'), 'keystore', 'keys of accounts'),
    ...['parent', 'child'].flatMap((side) =>
      folderAt(inData(`${side}_bridge_account`), 'datadir', 'keys and passwords of bridge operators'),
    ),
  ];
}

function fileAt(path: string | null, flag: string, holds: string): SecretFile[] {
  const mode = path === null ? null : modeOf(path);
  return path === null || mode === null ? [] : [{ path, mode, flag, holds }];
}

/** The folder and what lies in it. */
function folderAt(path: string | null, flag: string, holds: string): SecretFile[] {
  const folder = fileAt(path, flag, holds);
  // Most are not there: to find that out by opening them takes ten times as long.
  if (path === null || folder.length === 0) return [];
  return [...folder, ...entriesOf(path).flatMap((one) => fileAt(one, flag, holds))];
}

function entriesOf(folder: string): string[] {
  try {
    const open = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = open.readSync(); entry !== null && names.length < most; entry = open.readSync())
        names.push(join(folder, entry.name));
      return names.sort();
    } finally {
      open.closeSync();
    }
  } catch {
    return []; // not there, or not ours to read: then nobody else’s eyes are the question
  }
}

/** null: not there, or not to be seen. */
function modeOf(path: string): number | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() || found?.isDirectory() ? found.mode : null;
  } catch {
    return null;
  }
}
