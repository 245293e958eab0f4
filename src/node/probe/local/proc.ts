/** Reads /proc with limits. Failures are returned as reasons. */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../../../jsonrpc/failure.js';
import { notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';

const chunk = 1 << 16;

/** A file's first `maxBytes` bytes, or why it cannot be read. Files in /proc have no size. */
export function readCapped(path: string, maxBytes: number): Seen<Buffer> {
  return attempt(() => {
    const file = openSync(path, 'r');
    try {
      const parts: Buffer[] = [];
      for (let size = 0; size < maxBytes; ) {
        const part = Buffer.alloc(Math.min(chunk, maxBytes - size));
        const read = readSync(file, part, 0, part.length, null);
        if (read === 0) break;
        parts.push(part.subarray(0, read));
        size += read;
      }
      return Buffer.concat(parts);
    } finally {
      closeSync(file);
    }
  });
}

/** A file's first `maxBytes` bytes as text; empty when it cannot be read. */
export function readText(path: string, maxBytes: number, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  return seenValue(readCapped(path, maxBytes))?.toString(encoding) ?? '';
}

/** A file of words, each terminated by NUL. */
export function readWords(path: string, maxBytes: number): Seen<string[]> {
  const bytes = readCapped(path, maxBytes);
  if (bytes.state !== 'seen') return bytes;
  const words = bytes.value.toString('utf8').split('\0');
  return seen(words.at(-1) === '' ? words.slice(0, -1) : words);
}

/** The target of a link such as `/proc/7/exe` or `/proc/7/fd/3`. */
export function readLink(path: string): Seen<string> {
  return attempt(() => readlinkSync(path));
}

/** The process ids, ascending. */
export function readPids(proc: string, maxCount: number): Seen<number[]> {
  return attempt(() =>
    readdirSync(proc)
      .filter((name) => /^\d{1,10}$/.test(name))
      .map(Number)
      .sort((a, b) => a - b)
      .slice(0, maxCount),
  );
}

/** Clock ticks per second in /proc, the same on every Linux (USER_HZ). */
const ticksPerSecond = 100;

/** When a process started, in milliseconds since 1970 (`starttime` of stat, and the machine's `btime`); null if unknown. */
export function readStart(proc: string, pid: number): number | null {
  const [stat, machine] = [join(proc, String(pid), 'stat'), join(proc, 'stat')].map((path) =>
    readText(path, 1 << 20),
  );
  // The second field is the name of the program, which may hold blanks and parentheses.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const [, booted] = /^btime (\d{1,12})$/m.exec(machine ?? '') ?? [];
  if (booted === undefined || !/^\d{1,15}$/.test(ticks ?? '')) return null;
  return (Number(booted) + Number(ticks) / ticksPerSecond) * 1000;
}

/** The names in a folder. */
export function readNames(path: string): Seen<string[]> {
  return attempt(() => readdirSync(path));
}

/** The inodes of a process's open sockets. */
export function readSocketInodes(folder: string, maxFiles: number): Seen<ReadonlySet<string>> {
  return attempt(() => {
    const inodes = new Set<string>();
    for (const name of readdirSync(join(folder, 'fd')).slice(0, maxFiles)) {
      const link = readLink(join(folder, 'fd', name));
      const [, inode] = /^socket:\[(\d+)\]$/.exec(link.state === 'seen' ? link.value : '') ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
    return inodes;
  });
}

/** The user whose rights a process has on files; null if not readable. The sockets that it opens belong to this user. */
export function userOf(folder: string): string | null {
  return /^Uid:(?:\s+\d+){3}\s+(\d+)$/m.exec(readText(join(folder, 'status'), chunk))?.[1] ?? null;
}

/** The result of a step, or why it failed. */
export function attempt<T>(step: () => T): Seen<T> {
  try {
    return seen(step());
  } catch (error) {
    const { code, message } = failure(error);
    return notSeen(code, message);
  }
}
