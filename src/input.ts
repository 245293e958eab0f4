/** Files and stdin, read whole up to a limit. */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { failure, type KaiactlError } from './errors.js';
import type { Input } from './host.js';
import { decodeStream, decodeText } from './util/utf16.js';

/** The name in errors (`the baseline base.json`), the largest size, and the hint of errors. */
interface Limits {
  readonly what: string;
  readonly mib: number;
  readonly hint?: string;
}

/** The text of a file or stdin. @throws {KaiactlError} when it cannot be read or is too large (exit 2) */
export async function readText(source: string | Input, limits: Limits): Promise<string> {
  return await tried(limits, () => readStream(source, limits.mib));
}

/** The JSON value in a file. @throws {KaiactlError} when it cannot be read, is too large or is not JSON (exit 2) */
export async function readJson(file: string, limits: Limits): Promise<unknown> {
  return await tried(limits, async () => JSON.parse(await readStream(file, limits.mib)));
}

/** The same text in pieces, for what need not be in memory. */
export async function* readPieces(source: string | Input, limits: Limits): AsyncGenerator<string> {
  try {
    yield* decodeStream(capped(streamOf(source), limits.mib));
  } catch (cause) {
    throw failed(cause, limits);
  }
}

async function tried<T>(limits: Limits, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw failed(cause, limits);
  }
}

function failed(cause: unknown, { what, hint }: Limits): KaiactlError {
  return failure(`cannot read ${what}`, cause, hint === undefined ? {} : { hint });
}

async function readStream(source: string | Input, mib: number): Promise<string> {
  return decodeText(await buffer(capped(streamOf(source), mib)));
}

function streamOf(source: string | Input): Input {
  return typeof source === 'string' ? createReadStream(source) : source;
}

async function* capped(stream: Input, mib: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > mib * (1 << 20)) throw new Error(`larger than ${mib} MiB`);
    yield Buffer.from(chunk);
  }
}
