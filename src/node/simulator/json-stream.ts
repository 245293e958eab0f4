/**
 * Splits bytes into JSON values: the first of an http body or ws message, all of an ipc stream. It shares no code with the
 * client's framing, because a shared bug would stay hidden.
 */

type Step = 'more' | 'end-before' | 'end-after' | 'broken';

/** The limit of the node's decoder. */
const maxDepth = 10_000;
const closers = new Map([
  ['{', '}'],
  ['[', ']'],
]);

/** Finds the end of a value; JSON.parse then decides whether it is valid. */
class ValueEnd {
  started = false;
  readonly #open: (string | undefined)[] = [];
  #inText: 'no' | 'yes' | 'escaped' = 'no';
  #inWord = false;

  step(byte: number): Step {
    const character = String.fromCharCode(byte);
    if (this.#inText !== 'no') return this.#text(character);
    if (' \t\n\r'.includes(character)) return this.#inWord ? 'end-before' : 'more';
    this.started = true;
    if (this.#inWord) return /[\w.+-]/.test(character) ? 'more' : 'end-before';
    if (character === '"') this.#inText = 'yes';
    else if (closers.has(character)) this.#open.push(closers.get(character));
    else if (this.#open.length === 0) this.#inWord = /[-\dtfn]/.test(character);
    else if ('}]'.includes(character)) return this.#close(character);
    const lost = this.#open.length === 0 && this.#inText === 'no' && !this.#inWord;
    return lost || this.#open.length > maxDepth ? 'broken' : 'more';
  }

  #close(character: string): Step {
    if (this.#open.pop() !== character) return 'broken';
    return this.#open.length === 0 ? 'end-after' : 'more';
  }

  #text(character: string): Step {
    if (this.#inText === 'escaped') this.#inText = 'yes';
    else if (character === '\\') this.#inText = 'escaped';
    else if (character === '"') this.#inText = 'no';
    return this.#inText === 'no' && this.#open.length === 0 ? 'end-after' : 'more';
  }
}

/** Splits a stream into values, independent of its chunks. */
export class JsonStream {
  #scanner = new ValueEnd();
  #held: Buffer[] = [];

  /** The values that end in this chunk, in order. `broken`: invalid JSON follows, and the stream cannot continue. */
  push(chunk: Buffer): { readonly values: unknown[]; readonly broken: boolean } {
    const values: unknown[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const step = this.#scanner.step(chunk[at] ?? 0);
      if (step === 'more') continue;
      const end = step === 'end-after' ? at + 1 : at;
      const text = Buffer.concat([...this.#held, chunk.subarray(start, end)]).toString('utf8');
      try {
        values.push(JSON.parse(step === 'broken' ? '' : text));
      } catch {
        return { values, broken: true };
      }
      this.#scanner = new ValueEnd();
      this.#held = [];
      start = end;
      at = end - 1;
    }
    if (start < chunk.length) this.#held.push(chunk.subarray(start));
    return { values, broken: false };
  }

  /** True inside a value. */
  get isOpen(): boolean {
    return this.#scanner.started;
  }

  /** Bytes of an incomplete value. */
  get pending(): number {
    return this.#held.reduce((sum, part) => sum + part.length, 0);
  }
}

const blank = Buffer.from(' ');

/** The first value of some bytes, or why there is none; the rest is ignored. */
export function firstValue(
  bytes: Buffer,
): { readonly type: 'value'; readonly value: unknown } | { readonly type: 'empty' | 'truncated' | 'broken' } {
  const stream = new JsonStream();
  // Without a delimiter, a number at the end would stay open.
  const { values, broken } = stream.push(Buffer.concat([bytes, blank]));
  if (values.length > 0) return { type: 'value', value: values[0] };
  return { type: broken ? 'broken' : stream.isOpen ? 'truncated' : 'empty' };
}
