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
const most = 4_096;
/** What a thing weighs at least. */
const least = 16;

/** Where in the file some of them stand; or they themselves, compressed, where there is no room for a file. */
type Block = Buffer | { readonly at: number; readonly length: number };

/** `weigh` says how large a thing is: findings, settings, or what else it has many of. */
export function openSpool<T>(weigh: (one: T) => number): Spool<T> {
  const blocks: Block[] = [];
  let last: T[] = [];
  let weight = 0;
  let file: number | null = null;
  let end = 0;

  async function pack(): Promise<void> {
    const packed = await deflate(JSON.stringify(last));
    blocks.push(put(packed));
    last = [];
    weight = 0;
  }

  function put(packed: Buffer): Block {
    try {
      file ??= openUnnamed();
      write(file, packed, end);
    } catch {
      return packed;
    }
    end += packed.length;
    return { at: end - packed.length, length: packed.length };
  }

  async function unpack(block: Block): Promise<T[]> {
    const packed = Buffer.isBuffer(block) ? block : read(file as number, block.at, block.length);
    return JSON.parse((await inflate(packed)).toString('utf8'));
  }

  return {
    async push(one) {
      last.push(one);
      weight += least + weigh(one);
      if (weight >= most) await pack();
    },
    async *[Symbol.asyncIterator]() {
      for (const block of blocks) yield* await unpack(block);
      yield* last;
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
      blocks.length = 0;
      last = [];
    },
  };
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

/** A file that only this process can open, and that is gone with it, however it ends. */
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

function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const got = readSync(file, bytes, done, length - done, at + done);
    if (got === 0) throw new Error('a temporary file was cut short');
    done += got;
  }
  return bytes;
}
