/** The body of an answer as text. */
import { AnswerTooLarge } from './failure.js';

/** Read after decompression, which a bomb cannot push past the cap. @throws {AnswerTooLarge}, and reads no further */
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
