/** Splits a byte stream into JSON texts: ipc has no frames besides the values. */
import { unreadable } from './failure.js';
import { answerLimits } from './guard.js';

const quote = 34;
const backslash = 92;
const blanks = new Set([32, 9, 10, 13]);

/**
 * Takes chunks that may end anywhere, even inside a character or an escape, and returns each complete object or array.
 * Only blanks may separate values.
 */
export class JsonFrames {
  #parts: Buffer[] = [];
  #held = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** @throws {ChannelError} unreadable: bytes that are not a JSON value, too many, or nested too deep */
  push(chunk: Buffer): string[] {
    const done: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#depth === 0 && this.#opens(byte)) start = at;
      else if (this.#inString) this.#inside(byte);
      else if (byte === quote) this.#inString = true;
      else if (this.#closes(byte)) {
        done.push(this.#take(chunk.subarray(start, at + 1)));
        start = at + 1;
      }
    }
    if (this.#depth > 0) this.#hold(chunk.subarray(start));
    return done;
  }

  /** Outside a value: whether an object or array begins. */
  #opens(byte: number): boolean {
    if (byte === 123 || byte === 91) {
      this.#depth = 1;
      return true;
    }
    if (!blanks.has(byte)) throw unreadable('the answer is not JSON');
    return false;
  }

  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  /** Tracks nesting; returns whether the outermost value ends here. */
  #closes(byte: number): boolean {
    if (byte === 123 || byte === 91) {
      this.#depth += 1;
      if (this.#depth > answerLimits.depth) {
        throw unreadable(`the answer is nested more than ${answerLimits.depth} levels deep`);
      }
    } else if (byte === 125 || byte === 93) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return false;
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > answerLimits.bytes) throw tooLarge();
    this.#parts.push(Buffer.from(part));
  }

  #take(last: Buffer): string {
    if (this.#held + last.length > answerLimits.bytes) throw tooLarge();
    const text = Buffer.concat([...this.#parts, last]).toString('utf8');
    this.#parts = [];
    this.#held = 0;
    return text;
  }
}

export function tooLarge() {
  return unreadable(`the answer is larger than ${answerLimits.bytes >> 20} MiB`);
}
