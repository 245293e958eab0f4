/** The text a file was read from, and how another text in its place reads: what a change to it can be tried with. */
import type { Conf } from '../facts/facts.js';
import type { Source } from '../facts/settings.js';

/** A file that can be edited by line and column: UTF-8, and every character of it in the text. */
export interface Reading {
  readonly text: string;
  /** The nodes the file starts. */
  readonly confs: readonly Conf[];
  /**
   * The nodes it would start with this text, as what they may be; no reading is kept of them, which is costly.
   * @throws {KaiactlError} when that is not a node's settings
   */
  read(text: string, as?: Asked): readonly Conf[];
}

/** A launcher or a package that is given, instead of inferred. */
export interface Asked {
  readonly launcher?: string;
  readonly package?: string;
}

/** Beside the facts, which are plain data: facts that were saved and loaded have no file to try anything with. */
const readings = new WeakMap<Source, Reading>();

/** Notes what the nodes were read from. */
export function remember(reading: Reading): void {
  for (const { settings } of reading.confs) readings.set(settings.source, reading);
}

/** What a node was read from; null where that cannot be edited, or is not known. */
export function readingOf({ settings }: Conf): Reading | null {
  return readings.get(settings.source) ?? null;
}

/** A conf with more known of it, read from the same text and read again in the same way. */
export function derive(conf: Conf, change: (conf: Conf) => Conf): Conf {
  const reading = readingOf(conf);
  const derived = change(conf);
  if (reading !== null)
    remember({
      text: reading.text,
      confs: [derived],
      read: (text, as) => reading.read(text, as).map(change),
    });
  return derived;
}

/** True for text that stands for its file byte by byte: decoding replaced nothing and dropped nothing. */
export function isExact(text: string): boolean {
  return !/[\0\uFFFD]/.test(text);
}
