/** Bodies of HTTP answers. */
import { AnswerTooLarge } from './failure.js';

/**
 * The decompressed body. Reads no further than `maxBytes`.
 * @param cut whether a longer body is cut there
 * @throws {AnswerTooLarge} for a longer body that is not to be cut
 */
export async function textOf(
  body: AsyncIterable<Buffer | string> | Iterable<Buffer>,
  maxBytes: number,
  cut = false,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > maxBytes && !cut) throw new AnswerTooLarge(maxBytes);
    chunks.push(part);
    if (size >= maxBytes && cut) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}
