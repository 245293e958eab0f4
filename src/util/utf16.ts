/** UTF-16, as PowerShell and Notepad write it. */

/** By the byte order mark, or by the zero byte that each of the first characters has. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = [...bytes.subarray(0, headBytes)];
  const hasZeros = (odd: number) => head.every((byte, at) => (byte === 0) === (at % 2 === odd));
  if (head.length < 4) return 'utf-8';
  return hasZeros(1) ? 'utf-16le' : hasZeros(0) ? 'utf-16be' : 'utf-8';
}

/** The bytes that tell the encoding. */
export const headBytes = 32;

/** The text of UTF-8 or UTF-16, without its byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** The same of a stream, in pieces. */
export async function* decodeStream(chunks: AsyncIterable<unknown>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([held, Buffer.from(chunk as string | Buffer)]);
    const isWaiting = decoder === null && bytes.length < headBytes;
    held = isWaiting ? bytes : Buffer.alloc(0);
    if (isWaiting) continue;
    decoder ??= new TextDecoder(encodingOf(bytes));
    yield decoder.decode(bytes, { stream: true });
  }
  yield decodeText(held);
}
