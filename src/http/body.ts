/** Bodies of HTTP answers. */
import type { Readable } from 'node:stream';
import { AnswerTooLarge } from './failure.js';

/**
 * The decompressed body. Reads no further than `maxBytes`.
 * @param cut whether a longer body is cut there
 * @throws {AnswerTooLarge} for a longer body that is not to be cut
 */
export function textOf(body: Readable, maxBytes: number, cut = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const end = () => {
      isOver = true;
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(whole.toString('utf8', 0, Math.min(size, maxBytes)));
    };
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size < maxBytes || (size === maxBytes && !cut)) return;
      if (cut) end();
      else reject(new AnswerTooLarge(maxBytes));
      body.destroy();
    });
    body.on('end', end);
    body.on('error', reject);
    body.on('close', () => {
      if (!isOver) reject(Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    });
  });
}
