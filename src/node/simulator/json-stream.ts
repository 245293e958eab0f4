/**
 * Cuts JSON values out of bytes: the first of an http body or ws message, all of an ipc stream. It shares no
 * code with the client's framing on purpose: a peer that shares a bug with the client hides it.
 */
import { JsonScanner } from './json-scanner.js';

/** The first value of some bytes, or why there is none. */
export type FirstValue =
  | { readonly kind: 'value'; readonly text: string; readonly end: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'broken'; readonly error: string };

/** Finds the first JSON value; what follows it is not looked at. */
export function firstValue(bytes: Buffer): FirstValue {
  const scanner = new JsonScanner();
  for (let at = 0; at < bytes.length; at += 1) {
    const step = scanner.step(bytes[at] ?? 0);
    if (step === 'more') continue;
    if (typeof step === 'object') return { kind: 'broken', error: step.error };
    const end = step === 'end-after' ? at + 1 : at;
    return { kind: 'value', text: bytes.toString('utf8', 0, end), end };
  }
  if (!scanner.started) return { kind: 'empty' };
  if (!scanner.mayEnd()) return { kind: 'truncated' };
  return { kind: 'value', text: bytes.toString('utf8'), end: bytes.length };
}

/** Cuts a stream into values, however it is split into chunks. */
export class JsonStream {
  private scanner = new JsonScanner();
  private held: Buffer[] = [];
  private heldBytes = 0;

  /**
   * The values that ended in this chunk, in order. Throws nothing: a syntax error ends the list and is
   * returned beside it; the stream is unusable then.
   */
  push(chunk: Buffer): { readonly values: string[]; readonly error: string | null } {
    const values: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const step = this.scanner.step(chunk[at] ?? 0);
      if (step === 'more') continue;
      if (typeof step === 'object') return { values, error: step.error };
      const end = step === 'end-after' ? at + 1 : at;
      values.push(Buffer.concat([...this.held, chunk.subarray(start, end)]).toString('utf8'));
      this.scanner = new JsonScanner();
      this.held = [];
      this.heldBytes = 0;
      start = end;
      at = end - 1;
    }
    if (start < chunk.length) this.held.push(chunk.subarray(start));
    this.heldBytes += chunk.length - start;
    return { values, error: null };
  }

  /** Bytes of a value that has not ended yet. */
  get pending(): number {
    return this.heldBytes;
  }
}
