/** What a batch did, on disk before and after each request, so that a killed run can be taken up again. */

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';

/**
 * submitting: written before the request leaves; without a later entry nobody knows what became of it. sent: in a
 * transaction nobody has seen in a block yet. unsent: not acted upon. failed: the server gave up; to be looked for,
 * then submitted again. unknown: no answer.
 */
export const journalStates = [
  'submitting',
  'sent',
  'accepted',
  'listed',
  'refused',
  'unsent',
  'failed',
  'unknown',
] as const;
export type JournalState = (typeof journalStates)[number];

export interface JournalEntry {
  /** Decimal. */
  readonly commitment: string;
  readonly state: JournalState;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly transaction?: string;
  /** Leaf index. */
  readonly index?: number;
  readonly problem?: string;
}

export interface Journal {
  /** The latest entry of each commitment. */
  readonly latest: ReadonlyMap<string, JournalEntry>;
  /** Appends and waits until the disk has all of them. */
  record(entries: readonly JournalEntry[]): void;
  close(): void;
}

const kind = 'kaiactl/join-1';

/**
 * Opens a journal, or begins one; a last line cut off by a crash is dropped: what it would have said had not
 * happened yet, or is looked up.
 * @throws {KaiactlError} when it cannot be read or written, or is that of another survey (exit 2)
 */
export function openJournal(path: string, survey: string): Journal {
  try {
    return open(path, survey);
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    throw new KaiactlError(`the journal ${path} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function open(path: string, survey: string): Journal {
  const handle = openSync(path, 'a+', 0o600);
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(handle, Buffer.byteLength(whole));
  const [head, ...lines] = whole.split('\n').slice(0, -1);
  if (head === undefined) begin(handle, path, survey);
  else checkHead(head, path, survey);
  const latest = new Map<string, JournalEntry>();
  for (const [at, line] of lines.entries()) {
    const entry = readEntry(line, `${path}:${at + 2}`);
    latest.set(entry.commitment, entry);
  }
  return {
    latest,
    record(entries) {
      recordOrUndo(handle, entries, path);
      for (const entry of entries) latest.set(entry.commitment, entry);
    },
    close: () => closeSync(handle),
  };
}

/** The first line, and the folder's entry of the file, are on disk before anything is sent. */
function begin(handle: number, path: string, survey: string): void {
  append(handle, [{ journal: kind, survey }]);
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Not every system lets a folder be flushed.
  }
}

/**
 * What a full disk cuts off is taken back: the next run reads whole lines.
 * @throws {KaiactlError} when the disk does not take the entries (exit 2)
 */
function recordOrUndo(handle: number, entries: readonly object[], path: string): void {
  const { size } = fstatSync(handle);
  try {
    append(handle, entries);
  } catch (error) {
    ftruncateSync(handle, size);
    throw failure(`the journal ${path} cannot be written`, error, {
      hint: 'Make room on its disk. The same command goes on from here: nothing was sent that is not in the journal.',
    });
  }
}

function append(handle: number, values: readonly object[]): void {
  const lines = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  for (let at = 0; at < lines.length; ) at += writeSync(handle, lines, at);
  fsyncSync(handle);
}

function checkHead(line: string, path: string, survey: string): void {
  const head = objectOf(line);
  if (head?.journal !== kind)
    throw new KaiactlError(`${path} is not a journal of joins`, { hint: 'Name a new file.' });
  if (head.survey === survey) return;
  throw new KaiactlError(`${path} is the journal of another survey`, {
    hint: 'Each survey needs its own journal.',
  });
}

function readEntry(line: string, where: string): JournalEntry {
  const entry = objectOf(line);
  const known = journalStates.some((state) => state === entry?.state);
  if (entry === null || !known || typeof entry.commitment !== 'string') {
    throw new KaiactlError(`${where} is not a journal entry`, {
      hint: 'Something else has written to the file. Going on could submit a join twice.',
    });
  }
  return entry as unknown as JournalEntry;
}
