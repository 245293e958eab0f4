/** A list of JSON values, compressed in blocks: the results of a large run take little memory. */
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { once } from '../../util/once.js';

/** Loaded for the first full block. */
const compression = once(async () => {
  const { deflateRaw, inflateRaw } = await import('node:zlib');
  return {
    deflate: promisify<string, object, Buffer>(deflateRaw),
    inflate: promisify<Buffer, Buffer>(inflateRaw),
  };
});

/** Characters per block: large enough to compress what results have in common, small enough to read one value of it. */
const blockLength = 1 << 18;

/** Keeps the order of values. It can be read repeatedly and concurrently. */
export class Spool<T> implements AsyncIterable<T> {
  readonly #blocks: Buffer[] = [];
  /** The index of the first value of each block, and of the next one. */
  readonly #starts: number[] = [0];
  #lines: string[] = [];
  #length = 0;
  /** The block that was read last. */
  #open: { readonly block: number; readonly lines: readonly string[] } | null = null;

  /** Await each call before the next. */
  async push(value: T): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length < blockLength) return;
    const { deflate } = await compression();
    this.#blocks.push(await deflate(this.#lines.join('\n'), { level: 1 }));
    this.#starts.push((this.#starts.at(-1) ?? 0) + this.#lines.length);
    this.#lines = [];
    this.#length = 0;
  }

  /** The value at an index. Await each call before the next; neighbours are fast. */
  async at(index: number): Promise<T> {
    let block = this.#open?.block ?? 0;
    while (index < (this.#starts[block] ?? 0)) block -= 1;
    while (index >= (this.#starts[block + 1] ?? Number.POSITIVE_INFINITY)) block += 1;
    if (this.#open?.block !== block) this.#open = { block, lines: await this.#linesOf(block) };
    return JSON.parse(this.#open.lines[index - (this.#starts[block] ?? 0)] ?? '') as T;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let block = 0; block <= this.#blocks.length; block += 1)
      for (const line of await this.#linesOf(block)) yield JSON.parse(line) as T;
  }

  async #linesOf(block: number): Promise<readonly string[]> {
    const compressed = this.#blocks[block];
    if (compressed === undefined) return this.#lines;
    const { inflate } = await compression();
    return (await inflate(compressed)).toString('utf8').split('\n');
  }
}

/**
 * For work that drops nearly all that it allocates, as that on a spool. V8 would let the heap grow to four times of what is
 * held before it collects, which costs memory and saves little time.
 * @param percent - by how much the heap may grow
 */
export function collectEarly(percent = 25): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
