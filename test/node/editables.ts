/** The files of the confs that tests read, which readers return beside them: edits of a conf can be tried by itself. */
import { readExample } from '../../src/node/commands/rule-example.js';
import type { Conf, Facts } from '../../src/node/facts/facts.js';
import type { Source } from '../../src/node/facts/settings.js';
import { type ConfOptions, readConfFile } from '../../src/node/read-conf.js';
import type { ReadConf } from '../../src/node/sources/conf/text.js';
import type { Editable, Editables } from '../../src/node/sources/text/editable.js';

export type { ConfOptions };

const files = new WeakMap<Source, Editable>();

export const editables: Editables = files;

export function editableOf({ settings }: Conf): Editable | undefined {
  return files.get(settings.source);
}

/** The confs, each known by its file from now on. */
export function remember<T extends Conf>(confs: readonly T[], from: Editables | undefined): readonly T[] {
  for (const { settings } of confs) {
    const file = from?.get(settings.source);
    if (file !== undefined) files.set(settings.source, file);
  }
  return confs;
}

/** The confs as those of a file with this text. */
export function withFile<T extends Conf>(
  text: string,
  confs: readonly T[],
  read: Editable['read'],
): readonly T[] {
  const file = { text, others: new Map(), confs, alike: null, read };
  return remember(confs, { get: () => file });
}

export function readConf(path: string, bytes: Uint8Array, options: ConfOptions = {}): ReadConf {
  const read = readConfFile(path, bytes, options);
  remember([read.conf], read.editables);
  return read.conf;
}

/** The facts of the example of a rule. */
export function exampleFacts(example: Parameters<typeof readExample>[0]): Facts {
  const read = readExample(example);
  if (read.facts.conf?.state === 'seen') remember([read.facts.conf.value], read.editables);
  return read.facts;
}
