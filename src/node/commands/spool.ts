/** A list of JSON values, compressed in blocks: the results of a large run take little memory. */
import { promisify } from 'node:util';
import { once } from '../../util/once.js';

/** Loaded for the first full block. */
const compression = once(async () => {
  const { deflateRaw, inflateRaw } = await import('node:zlib');
  return {
    deflate: promisify<string, object, Buffer>(deflateRaw),
    inflate: promisify<Buffer, Buffer>(inflateRaw),
  };
});

/** Characters per block: large enough to compress what results have in common. */
const blockLength = 1 << 20;

/** Keeps the order of values. It can be read repeatedly and concurrently. */
export class Spool<T> implements AsyncIterable<T> {
  readonly #blocks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;

  /** Await each call before the next. */
  async push(value: T): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length < blockLength) return;
    const { deflate } = await compression();
    this.#blocks.push(await deflate(this.#lines.join('\n'), { level: 1 }));
    this.#lines = [];
    this.#length = 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (const block of this.#blocks) {
      const { inflate } = await compression();
      const text = (await inflate(block)).toString('utf8');
      for (const line of text.split('\n')) yield JSON.parse(line) as T;
    }
    for (const line of this.#lines) yield JSON.parse(line) as T;
  }
}
