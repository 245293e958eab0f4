/** The journal of a batch: the state of each join before and after its request, so that a run can continue after a kill. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failure, KaiactlError, writeFailure } from '../../errors.js';
import { objectOf } from '../../util/json.js';
import { linesOf } from '../../util/lines.js';

/**
 * submitting: recorded before the request is sent; without a later entry its outcome is unknown. sent: in a transaction
 * that is not in a block yet. unsent: the server did not act on it. failed: the server answered with an error but may
 * have acted. unknown: no usable answer.
 */
export const journalStates = [
  ...(['submitting', 'sent', 'accepted', 'listed', 'refused', 'unsent', 'failed', 'unknown'] as const),
];
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

export type Journal = Awaited<ReturnType<typeof journal>>;

const kind = 'kaiactl/join-1';
const maxEntry = 1 << 16;

/** Opens or creates a journal; a cut last line is dropped. @throws {KaiactlError} if it is another's (exit 2) */
export async function openJournal(path: string, survey: string): Promise<Journal> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'a+', 0o600);
    const latest = await read(handle, path, survey);
    if (latest === null) await begin(handle, path, survey);
    return await journal(handle, path, latest ?? new Map());
  } catch (error) {
    await handle?.close();
    if (error instanceof KaiactlError) throw error;
    throw writeFailure(`the journal ${path}`, error);
  }
}

async function read(handle: FileHandle, path: string, survey: string) {
  const latest = new Map<string, JournalEntry>();
  let number = 0;
  for await (const { text, offset, complete } of linesOf(handle, maxEntry)) {
    if (!complete) {
      await handle.truncate(offset);
    } else if (number++ === 0) {
      checkHead(text, path, survey);
    } else {
      const entry = readEntry(text, `${path}:${number}`);
      latest.set(entry.commitment, entry);
    }
  }
  return number === 0 ? null : latest;
}

async function journal(handle: FileHandle, path: string, latest: Map<string, JournalEntry>) {
  let { size } = await handle.stat();
  const write = async (entries: readonly JournalEntry[]): Promise<void> => {
    try {
      size += await append(handle, entries);
    } catch (error) {
      // Removes what a full disk cut off, since the next run reads complete lines.
      await handle.truncate(size).catch(() => undefined);
      throw failure(`the journal ${path} cannot be written`, error, {
        hint: 'Free space on its disk. The same command continues: every request that was sent is in the journal.',
      });
    }
  };
  let waiting: JournalEntry[] = [];
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return {
    latest,
    /** Resolves once the entries are on disk; calls share a flush. @throws {KaiactlError} if they cannot be */
    record(entries: readonly JournalEntry[]): Promise<void> {
      for (const entry of entries) latest.set(entry.commitment, entry);
      waiting.push(...entries);
      if (next !== null) return next;
      next = running.then(() => {
        const batch = waiting;
        waiting = [];
        next = null;
        return write(batch);
      });
      running = next;
      return next;
    },
    async close() {
      await running.catch(() => undefined);
      await handle.close();
    },
  };
}

/** Writes the first line. It, and the file's entry in its folder, are on disk before anything is sent. */
async function begin(handle: FileHandle, path: string, survey: string): Promise<void> {
  await append(handle, [{ journal: kind, survey }]);
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Not every system can flush a folder.
  }
}

/** Appends lines, and returns their length in bytes once they are on disk. */
async function append(handle: FileHandle, values: readonly object[]): Promise<number> {
  const lines = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  await handle.appendFile(lines);
  await handle.datasync();
  return lines.length;
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
  if (entry === null || !known || typeof entry.commitment !== 'string')
    throw new KaiactlError(`${where} is not a journal entry`, {
      hint: 'Another program wrote to the file. To continue could submit a join twice.',
    });
  return entry as unknown as JournalEntry;
}
