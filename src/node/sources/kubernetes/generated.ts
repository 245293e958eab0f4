/** The ConfigMaps and Secrets that a kustomization generates from files and literals. */
import type { FileRole } from '../../facts/settings.js';
import type { Unread } from '../launch/files.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { type Entry, mapTree, type Tree, textsAt, textTree } from '../yaml/tree.js';

export interface Generator {
  /** Reads a file that the kustomization names. */
  read(path: string, role: FileRole): LineIndex | Unread;
  /** Told of each file that cannot be read. */
  lacks(name: string, reason: string): void;
}

/** `{data: …}` of a generated ConfigMap, or `{stringData: …}` of a Secret. */
export function generateObject(kind: 'ConfigMap' | 'Secret', entry: Tree, generator: Generator): Tree {
  const name = entry.get('name')?.text ?? Placed.nowhere(entry.at.file);
  const entries = [
    ...textsOfList(entry, 'files').flatMap((word) => fileEntry(word, generator)),
    ...[...textsOfList(entry, 'envs'), ...textsOfList(entry, 'env')].flatMap((word) => {
      const file = opened(word.text, 'environment', generator);
      return file === null
        ? []
        : Placed.at(file)
            .split(/\r?\n/)
            .flatMap((line) => pairEntry(line, false));
    }),
    ...textsOfList(entry, 'literals').flatMap((word) => pairEntry(word, true)),
  ];
  const data = mapTree(entry.at, entries);
  return mapTree(entry.at, [{ key: name.as(kind === 'Secret' ? 'stringData' : 'data'), value: data }]);
}

/** The texts of a list, or the one text. */
function textsOfList(entry: Tree, key: string): Placed[] {
  const tree = entry.get(key);
  return tree?.text == null ? textsAt(tree) : [tree.text];
}

/** `kend.conf`, or `kend.conf=conf/mainnet.conf`. */
function fileEntry(word: Placed, generator: Generator): Entry[] {
  const equals = word.text.indexOf('=');
  const path = word.slice(equals + 1);
  const key = equals < 0 ? word.as(word.text.slice(word.text.lastIndexOf('/') + 1)) : word.slice(0, equals);
  const file = opened(path.text, 'mounted', generator);
  return file === null ? [] : [{ key, value: textTree(Placed.at(file)) }];
}

function opened(path: string, role: FileRole, { read, lacks }: Generator): LineIndex | null {
  const file = read(path, role);
  if (file instanceof LineIndex) return file;
  lacks(path, file.problem);
  return null;
}

/** `NAME=value`; a comment or another line has no entry. */
function pairEntry(line: Placed, isQuoted: boolean): Entry[] {
  const match = /^\s*([^#=\s][^=]*)=/.exec(line.text);
  if (match === null) return [];
  const value = line.slice(match[0].length);
  const quoted = isQuoted ? /^(["'])(.*)\1$/s.exec(value.text) : null;
  const text = quoted === null ? value : value.slice(1, value.text.length - 1);
  return [{ key: line.as(match[1] as string), value: textTree(text) }];
}

/** The kinds of object that the lists of a kustomization generate. */
export const generators = [
  { list: 'configMapGenerator', kind: 'ConfigMap' },
  { list: 'secretGenerator', kind: 'Secret' },
] as const;
