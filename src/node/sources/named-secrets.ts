/** Keys and passwords of a checkout that the files of a start name, copy or mount. */
import { dirname, join, resolve } from 'node:path';
import { oncePer } from '../../util/once-per.js';
import { accountKeys, passwords, type SecretFile } from '../facts/settings.js';
import { trackedAs } from './checkout.js';
import { textAt } from './file.js';
import { entriesOf, statsOf } from './secret-files.js';
import type { LineIndex, Range } from './text/line-index.js';
import { isPasswordName, mayName, opensEngine, secretIn } from './text/secret-content.js';

/** Bytes of a keystore file or of a file of variables, with some to spare. */
const maxBytes = 16_384;
/** Paths that are looked up for one file. */
const maxPaths = 500;
/** In characters: a flag that takes a path ends at most so far before it. */
const longestBefore = 60;

/**
 * The tracked files with secrets that these files name; of a folder that they mount or copy, every file counts.
 * @param folders - where relative paths start, from the folder of their file
 */
export function namedSecrets(files: readonly LineIndex[], cwd: string, folders: readonly string[] = ['.']) {
  const found = new Map<string, SecretFile>();
  for (const file of files) {
    const seen = new Set<string>();
    for (const { path, at, isFolder, isPassword } of pathsIn(file)) {
      if (seen.has(path) || seen.size >= maxPaths) continue;
      seen.add(path);
      const bases = [file, files[0] ?? file].flatMap((one) =>
        folders.map((folder) => join(dirname(one.file), folder)),
      );
      for (const base of new Set(bases))
        for (const one of secretsAt(join(base, path), cwd, isFolder, isPassword))
          if (!found.has(one.path)) found.set(one.path, { ...one, at: file.span(at) });
    }
  }
  return [...found.values()];
}

/** Folders whose keys protect nothing; what other programs have too; what shows that a folder is that of a node's data. */
const testFolders = /(?:^|[/\\])(?:__tests__|tests?|testdata|fixtures?|mocks?|examples?|samples?)[/\\]/i;
const ofOthers = / in PEM$/;
const dataFolder = /(?:^|[/\\])(?:chaindata[/\\]CURRENT|transactions\.rlp|jwtsecret)$/;

/** The tracked keys of nodes among these files of a folder; none in a folder without a node, but for those of its data. */
export function looseKeys(paths: readonly string[], cwd: string, hasNode: boolean): SecretFile[] {
  if (!hasNode && !paths.some((one) => dataFolder.test(one))) return [];
  const named = paths.filter((one) => mayName.test(one) && !testFolders.test(one));
  const keysAt = (one: string) => secretsAt(one, cwd, false).filter(({ holds }) => !ofOthers.test(holds));
  const found = named.slice(0, maxPaths).flatMap(keysAt);
  const hasKey = found.some(({ holds }) => accountKeys.has(holds));
  return hasKey ? found : found.filter(({ holds }) => !passwords.has(holds));
}

/** The folder of the caller, which is taken for that of the file. */
const here = String.raw`(?:\$\{?(?:PWD|pwd)\}?|\$\(pwd\)|\`pwd\`)\/`;
const isHere = new RegExp(`^${here}`);
const path = new RegExp(
  String.raw`(?<=\s)\.\/?(?=\s)|(?:${here}|\.{1,2}\/|(?<![\w./})\`])\/)?[\w@+][\w.@+/-]*`,
  'g',
);

/** The relative paths in lines that are no comments. The nodes of a file share them. */
const pathsIn = oncePer((file: LineIndex) => [...findPaths(file)]);

/** `isPassword`: the flag before the path, or the path that it is copied or mounted to, is one of a password. */
function* findPaths(
  file: LineIndex,
): Generator<{ path: string; at: Range; isFolder: boolean; isPassword: boolean }> {
  let start = 0;
  for (const line of file.text.split('\n')) {
    const isCopy = /^\s*(?:COPY|ADD)\s/i.test(line);
    const words = /^\s*(?:#|\/\/)/.test(line) ? [] : line.slice(0, maxBytes).matchAll(path);
    for (const { 0: all, index } of words) {
      const own = all.replace(isHere, './').replace(/\/+$/, '');
      const isFolder = isCopy || /^\.{1,2}\//.test(own);
      if (/^(?:\/|\.$)/.test(own) && !isCopy) continue;
      const end = index + all.length;
      const to = /^["']?(?::|\s+(?:dest=|["']?(?=\/)))([^\s:"',]+)/.exec(line.slice(end))?.[1] ?? '';
      const before = line.slice(Math.max(0, index - longestBefore), index);
      const isPassword = /-password(?:-?file)?(?:=|["']?,?\s+)["']?$/.test(before) || isPasswordName.test(to);
      const isNamed =
        isPassword || /[./]/.test(own) || /\bsrc[:=]\s*["']?$/.test(before) || mayName.test(own);
      if (isFolder || isNamed)
        yield { path: own, at: { start: start + index, end: start + end }, isFolder, isPassword };
    }
    start += line.length + 1;
  }
}

function secretsAt(at: string, cwd: string, isFolder: boolean, isPassword = false): SecretFile[] {
  const stats = statsOf(resolve(cwd, at));
  if (stats === null || (stats.isDirectory() && !isFolder)) return [];
  const paths = stats.isDirectory() ? filesIn(at, cwd) : [at];
  return paths.flatMap((one): SecretFile[] => {
    const absolute = resolve(cwd, one);
    const { size = 0, mode = 0 } = statsOf(absolute) ?? {};
    const isNamed = isPassword || mayName.test(one);
    // The size of a key, with a prefix and the end of its line.
    if (size === 0 || size > (isNamed ? maxBytes : 68) || (!isNamed && size < 64)) return [];
    const holds = secretIn(one, textAt(absolute, 'latin1'), isPassword && one === at);
    const tracked = holds === null ? {} : trackedAs(absolute);
    if (holds === null || tracked.isTracked !== true) return [];
    return [
      { path: one, mode, flag: '', holds, ...(opensEngine(one) ? { opens: 'authrpc' } : {}), ...tracked },
    ];
  });
}

/** What a folder of a node’s data holds. */
const ofData = /^(?:keystore|nodekey)$/;

/** The entries of a folder, and those of a node’s data below it. */
function filesIn(folder: string, cwd: string, depth = 2): string[] {
  return entriesOf(resolve(cwd, folder)).flatMap((name) => {
    const path = join(folder, name);
    const isStore = name === 'keystore';
    if ((!isStore && mayName.test(name)) || depth === 0) return [path];
    const isOfNode = isStore || entriesOf(resolve(cwd, path)).some((one) => ofData.test(one));
    return isOfNode ? filesIn(path, cwd, depth - 1) : [path];
  });
}
