/** Bodies of HTTP answers. */
import { AnswerTooLarge } from './failure.js';

/** The decompressed body. @throws {AnswerTooLarge} beyond `maxBytes`, and reads no further */
export async function textOf(
  body: AsyncIterable<Buffer | string> | Iterable<Buffer>,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The first `bytes` of the decompressed body; reads no further. */
export async function startOf(body: AsyncIterable<Buffer | string>, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    size += part.length;
    chunks.push(part);
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes).toString('utf8');
}
