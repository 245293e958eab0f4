/** Reads the lines of a large file or stream in constant memory. */

export interface Line {
  readonly text: string;
  /** Position of the line in the file, in bytes. */
  readonly offset: number;
  /** Length without the line break, in bytes. */
  readonly bytes: number;
  /** False for a last line without a line break. */
  readonly complete: boolean;
}

/** The part of a file handle that reads on from its position. */
export interface Bytes {
  read(into: Buffer, at: number, length: number, position: null): Promise<{ readonly bytesRead: number }>;
}

export function bytesOf(stream: AsyncIterable<unknown>): Bytes {
  const chunks = stream[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  return {
    async read(into, at, length) {
      while (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) return { bytesRead: 0 };
        rest = Buffer.from(next.value as string | Buffer);
      }
      const bytesRead = rest.copy(into, at, 0, length);
      rest = rest.subarray(bytesRead);
      return { bytesRead };
    },
  };
}

const chunkBytes = 1 << 18;

/**
 * Yields the lines from the current position on.
 * @param maxBytes limit of one line
 * @param unreadable maps an error of the file
 * @throws {Error} if a line is longer, or if the file cannot be read
 */
export async function* linesOf(
  handle: Bytes,
  maxBytes: number,
  unreadable: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Line> {
  const buffer = Buffer.allocUnsafe(maxBytes + chunkBytes);
  /** Bytes of the buffer that hold the beginning of a line, and their position in the file. */
  let [length, offset] = [0, 0];
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, chunkBytes, null).catch((error: unknown) => {
      throw unreadable(error);
    });
    if (bytesRead === 0) break;
    const data = buffer.subarray(0, length + bytesRead);
    let start = 0;
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, start)) {
      const text = data.toString('utf8', start, end);
      yield { text, offset: offset + start, bytes: end - start, complete: true };
      start = end + 1;
    }
    length = data.copy(buffer, 0, start);
    offset += start;
    if (length > maxBytes) throw unreadable(new Error(`a line is longer than ${maxBytes >> 10} KiB`));
  }
  if (length > 0) yield { text: buffer.toString('utf8', 0, length), offset, bytes: length, complete: false };
}
