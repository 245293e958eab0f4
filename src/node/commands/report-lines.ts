/** Reports in ndjson, whose lines are written while a run goes on. */
import { appendFileSync, closeSync, fsyncSync, lstatSync, openSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError, writeFailure } from '../../errors.js';
import { type Host, print } from '../../host.js';

/** Where lines go. */
export interface LineSink {
  /** @throws {KaiactlError} when the text cannot be written (exit 2) */
  write(text: string): Promise<void>;
  /** After the last line. */
  end(): Promise<void>;
}

/** Stdout; a reader that goes away is no error. */
export function stdoutLines({ stdout }: Host): LineSink {
  let isRead = true;
  return {
    async write(text) {
      if (isRead) isRead = await print(stdout, text);
    },
    async end() {},
  };
}

/**
 * A file, which is `FILE.partial` until its last line is written: what an interrupted run leaves is not taken for a report.
 * What is no regular file, such as a pipe, is written directly.
 */
export function fileLines(file: string, { cwd }: Host): LineSink {
  const path = resolve(cwd, file);
  let open: { readonly descriptor: number; readonly partial: string | null } | null = null;
  const tried = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw writeFailure(`the report to ${file}`, error);
    }
  };
  return {
    async write(text) {
      tried(() => {
        open ??= opened(path);
        appendFileSync(open.descriptor, text);
      });
    },
    async end() {
      tried(() => {
        if (open === null) return;
        if (open.partial !== null) fsyncSync(open.descriptor);
        closeSync(open.descriptor);
        if (open.partial !== null) renameSync(open.partial, path);
      });
    },
  };
}

function opened(path: string): { readonly descriptor: number; readonly partial: string | null } {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && !before.isFile()) return { descriptor: openSync(path, 'w'), partial: null };
  const partial = `${path}.partial`;
  return { descriptor: openSync(partial, 'w', (before?.mode ?? 0o666) & 0o777), partial };
}

/** Returns each piece of a report, as long as all of them together can be read again. */
export function limitOf(max: { readonly mib: number; readonly targets: number }): (piece: string) => string {
  let [size, count] = [0, 0];
  return (piece) => {
    size += Buffer.byteLength(piece);
    count += 1;
    if (size <= max.mib * (1 << 20) && count <= max.targets) return piece;
    throw new KaiactlError('the report is larger than kaiactl report can read', {
      notes: [`It takes up to ${max.mib} MiB and ${max.targets} targets.`],
      hint: 'Write it in shards, as ndjson, which is smaller: --shard 1/4 --report ndjson=1.ndjson',
    });
  };
}
