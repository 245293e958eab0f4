/** Results put aside for a report: as JSON, compressed in blocks, so that many of them take little memory. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const deflate = promisify<string, object, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);

/** Compressed together, in characters: large enough that what results have in common is stored once. */
const blockLength = 1 << 20;

/** Plain values in their order, which can be read any number of times, also concurrently. */
export class Spool<T> implements AsyncIterable<T> {
  readonly #blocks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;

  /** Values are pushed one after another. */
  async push(value: T): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length < blockLength) return;
    this.#blocks.push(await deflate(this.#lines.join('\n'), { level: 1 }));
    this.#lines = [];
    this.#length = 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (const block of this.#blocks) {
      const text = (await inflate(block)).toString('utf8');
      for (const line of text.split('\n')) yield JSON.parse(line) as T;
    }
    for (const line of this.#lines) yield JSON.parse(line) as T;
  }
}
