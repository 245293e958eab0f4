/** The files that nodes were read from: edits of them can be tried. */
import type { Conf } from '../../facts/facts.js';
import type { Source } from '../../facts/settings.js';

/** Texts of files, by path. */
export type Texts = ReadonlyMap<string, string>;

/** A launcher or a package that is given instead of inferred. */
export interface ReadAs {
  readonly launcher?: string;
  readonly package?: string;
}

/** Files that can be edited by line and column: UTF-8, with every character in the text. */
export interface Editable {
  /** The file that starts the nodes. */
  readonly text: string;
  /** The other files that the nodes are read from. */
  readonly others: Texts;
  /** The nodes that the file starts. */
  readonly confs: readonly Conf[];
  /** The same for files that are read alike with equal texts, wherever they are; null for this file alone. */
  readonly alike: string | null;
  /**
   * The nodes that the file would start with this text, and with these texts in place of other files.
   * @throws {KaiactlError} when the text is not a node's settings
   */
  read(text: string, as?: ReadAs, others?: Texts): readonly Conf[];
}

/** The files that nodes were read from, by the source of their settings. A node without one cannot be edited. */
export interface Editables {
  get(source: Source): Editable | undefined;
}

/** The nodes of a file, each with the file; none where the file is null. */
export function editablesOf(file: Editable | null): Editables {
  return new Map(file?.confs.map(({ settings }) => [settings.source, file]));
}

/** The files of several readings. */
export function joinEditables(all: readonly (Editables | undefined)[]): Editables {
  return { get: (source) => all.find((one) => one?.get(source) !== undefined)?.get(source) };
}

/** A file whose nodes, and those of every other text, are changed alike. `change` keeps the source of the settings. */
export function derive(file: Editable, change: (conf: Conf) => Conf): Editable {
  return { ...file, confs: file.confs.map(change), read: (...texts) => file.read(...texts).map(change) };
}

/** Whether decoding was lossless: encoding the text again gives the bytes of the file. */
export function isExact(text: string, bytes: Uint8Array): boolean {
  return Buffer.from(text).equals(bytes);
}
