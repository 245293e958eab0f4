/** Where what is put aside waits: the last of it in memory, the rest in a file that is nobody else's. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Plain things in their order, which can be read again and again; memory does not grow with their number. */
export interface Spool<T> extends AsyncIterable<T> {
  push(one: T): Promise<void>;
  /** Gives up what is kept. */
  close(): void;
}

/** Things of this weight together leave memory. */
const most = 1_024;
/** What a thing weighs at least. */
const least = 16;

interface Stretch {
  readonly at: number;
  readonly length: number;
}

/** Where in the file some of them stand; or they themselves, compressed, where there is no room for a file. */
type Block = Buffer | Stretch;

/** `weigh` says how large a thing is: findings, settings, or what else it has many of. */
export function openSpool<T>(weigh: (one: T) => number): Spool<T> {
  return new FileSpool(weigh);
}

class FileSpool<T> implements Spool<T> {
  readonly #weigh: (one: T) => number;
  readonly #file = new UnnamedFile();
  #blocks: Block[] = [];
  #last: T[] = [];
  #weight = 0;

  constructor(weigh: (one: T) => number) {
    this.#weigh = weigh;
  }

  async push(one: T): Promise<void> {
    this.#last.push(one);
    this.#weight += least + this.#weigh(one);
    if (this.#weight < most) return;
    const packed = await deflate(JSON.stringify(this.#last));
    this.#blocks.push(this.#file.put(packed) ?? packed);
    this.#last = [];
    this.#weight = 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (const block of this.#blocks) {
      const packed = Buffer.isBuffer(block) ? block : this.#file.read(block);
      yield* JSON.parse((await inflate(packed)).toString('utf8')) as T[];
    }
    yield* this.#last;
  }

  close(): void {
    this.#file.close();
    this.#blocks = [];
    this.#last = [];
  }
}

// Loaded when there is much: most runs have few targets.
async function deflate(text: string): Promise<Buffer> {
  const { deflateRaw } = await import('node:zlib');
  return await promisify<string, object, Buffer>(deflateRaw)(text, { level: 1 });
}

async function inflate(packed: Buffer): Promise<Buffer> {
  const { inflateRaw } = await import('node:zlib');
  return await promisify<Buffer, Buffer>(inflateRaw)(packed);
}

/** A file that only this process can open, and that is gone with it, however it ends; made when there is need. */
class UnnamedFile {
  #handle: number | null = null;
  #end = 0;

  /** Where the bytes stand now; null where there is no room for them. */
  put(bytes: Buffer): Stretch | null {
    try {
      this.#handle ??= openUnnamed();
      write(this.#handle, bytes, this.#end);
    } catch {
      return null;
    }
    this.#end += bytes.length;
    return { at: this.#end - bytes.length, length: bytes.length };
  }

  read({ at, length }: Stretch): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const got = this.#handle === null ? 0 : readSync(this.#handle, bytes, done, length - done, at + done);
      if (got === 0) throw new Error('a temporary file was cut short');
      done += got;
    }
    return bytes;
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }
}

function openUnnamed(): number {
  const path = join(tmpdir(), `kaiactl-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

function write(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
