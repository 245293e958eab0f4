/** Bytes from a file or from stdin, with limits. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { exit, fileError, KaiactlError } from '../../errors.js';
import { closest } from '../../util/closest.js';
import { tryOr } from '../../util/try-or.js';
import { decodeText, encodingOf } from '../../util/utf16.js';
import { visible } from '../../util/visible.js';

/** The limit of a source, in bytes. One byte more is read, so that a larger file is noticed. */
export const maxBytes = 64 << 20;

/** The texts of files that are open in an editor, by real path: they count instead of what is on disk. */
export type OpenTexts = ReadonlyMap<string, string>;

/** The folder of relative paths, and the stream that `-` reads. */
export interface LoadHost {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  readonly open?: OpenTexts;
}

/** The text of a file that is open in an editor; undefined if the file is not open. */
export function openText(open: OpenTexts | undefined, absolutePath: string): string | undefined {
  return open === undefined || open.size === 0 ? undefined : open.get(realPath(absolutePath));
}

/** The path itself where nothing is on disk. */
export function realPath(path: string): string {
  return tryOr(() => realpathSync(path), path);
}

/** Reads stdin up to the limit and at most one chunk more. @throws {KaiactlError} when interrupted (130) */
export async function readStream({ stdin, signal }: LoadHost): Promise<Uint8Array> {
  try {
    return await readAll(addAbortSignal(signal, stdin));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new KaiactlError('interrupted while reading stdin', { exitCode: exit.interrupted, cause: error });
  }
}

async function readAll(stdin: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(piece);
    length += piece.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks, length);
}

/** Windows has no modes: Node.js makes them up, and every file would seem writable by all. */
export function modeOn(platform: NodeJS.Platform, mode: number): number {
  return platform === 'win32' ? mode & 0o7700 : mode;
}

/** Said where modes are not checked. */
export const noModes =
  'Windows has no file modes: loose-permissions is not checked (icacls shows who can read and write a file)';

/** The text of a file that a search found: empty unless it is a regular file up to the limit that can be read. */
export function textAt(path: string, encoding: 'utf8' | 'latin1' = 'utf8', limit = maxBytes): string {
  // Opening a named pipe would wait for a writer.
  const found = tryOr(() => statSync(path), null);
  const isRead = found?.isFile() === true && found.size <= limit;
  return isRead ? tryOr(() => readFileSync(path, encoding), '') : '';
}

export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly uid: number;
}

/**
 * Reads a file, synchronously: for many small files that is several times as fast. The text of an open file counts instead
 * of its bytes; one that was never saved has the mode of a private file.
 * @throws {KaiactlError} when it is missing, not a regular file, unreadable, or changes while it is read (exit 2)
 */
export function readFile(path: string, cwd: string, open?: OpenTexts): FileContent {
  const text = openText(open, resolve(cwd, path));
  if (text === undefined) return readDisk(path, cwd);
  const bytes = Buffer.from(text);
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  return { bytes, mode: modeOn(platform(), (found?.mode ?? 0o600) & 0o7777), uid: found?.uid ?? 0 };
}

function readDisk(path: string, cwd: string): FileContent {
  let file: number | null = null;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    file = openSync(resolve(cwd, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpen(path, file);
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    throw unreadable(path, cwd, error as NodeJS.ErrnoException);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readOpen(path: string, file: number): FileContent {
  const before = fstatSync(file);
  if (before.isDirectory()) {
    throw new KaiactlError(`${visible(path)} is a folder`, { hint: 'Name a file in it.' });
  }
  if (!before.isFile()) {
    throw new KaiactlError(`${visible(path)} is not a regular file`, {
      hint: 'Use - to read from a pipe on stdin.',
    });
  }
  const bytes = readUpTo(file, Math.min(before.size, maxBytes) + 1);
  const after = fstatSync(file);
  const changed = after.size !== bytes.length || after.mtimeMs !== before.mtimeMs;
  if (changed && bytes.length <= maxBytes) {
    throw new KaiactlError(`${visible(path)} changed while it was read`, { hint: 'Try again.' });
  }
  return { bytes, mode: modeOn(platform(), before.mode & 0o7777), uid: before.uid };
}

function readUpTo(file: number, limit: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(limit);
  let length = 0;
  while (length < limit) {
    const read = readSync(file, bytes, length, limit - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Decodes UTF-8, whose byte order mark is kept, and UTF-16. Zero bytes are left out, as bash does. */
export function decodeBytes(bytes: Uint8Array): string {
  const isUtf8 = encodingOf(bytes) === 'utf-8';
  const text = isUtf8 ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : decodeText(bytes);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function unreadable(path: string, cwd: string, error: NodeJS.ErrnoException): KaiactlError {
  const shown = visible(path.replace(/(?<=:\/\/).*@/s, '…@'));
  const isMissing = error.code === 'ENOENT';
  if (isMissing && /^(?:https?|wss?):\/\//i.test(path))
    return new KaiactlError(`${shown} is an address, not a file`, {
      hint: `Ask the node: kaiactl node audit ${shown}`,
      cause: error,
    });
  const link = isMissing ? tryOr(() => readlinkSync(resolve(cwd, path)), null) : null;
  const near = isMissing && link === null ? nearName(path, cwd) : null;
  const meant = near === null ? '' : `; did you mean ${visible(near)}?`;
  const problem = `${fileError(error) ?? error.message}${meant}`;
  const why = link === null ? problem : `it is a link to ${visible(link)}, which does not exist`;
  return new KaiactlError(`cannot read ${visible(path)}: ${why}`, { cause: error });
}

/** The path of a file beside it whose name is nearly the same. */
function nearName(path: string, cwd: string): string | null {
  const names = tryOr(() => readdirSync(resolve(cwd, dirname(path))), []);
  const near = closest(basename(path), names.slice(0, maxNames));
  return near === null ? null : join(dirname(path), near);
}

const maxNames = 1_000;
