/** Splits JSON text into pieces that are parsed one at a time, so that a large document need not be in memory. */

/** An item of the list `targets` of a document; a document, without these items; the text after the last document. */
export interface JsonPiece {
  readonly type: 'item' | 'document' | 'rest';
  readonly text: string;
}

/** Longest piece, in characters, and deepest nesting: deeper nesting could overflow the stack. */
const maxPiece = 64 << 20;
const maxDepth = 64;

/**
 * Pieces of one document or of several, as in a file with a document per line. Whether a piece is JSON is not checked.
 * @throws when a piece is too long, or nested too deep
 */
export async function* splitJson(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<JsonPiece> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}

class Splitter {
  #depth = 0;
  #quoted = false;
  #escaped = false;
  /** True between the brackets of the list. */
  #listed = false;
  #document = '';
  #item = '';

  *take(chunk: string): Generator<JsonPiece> {
    let start = 0;
    /** Keeps the text up to a position. */
    const keep = (to: number): void => {
      const text = chunk.slice(start, to);
      start = to;
      if (this.#listed) this.#item += text;
      else this.#document += text;
      if (this.#item.length + this.#document.length > maxPiece)
        throw new Error(`larger than ${maxPiece >> 20} MiB in one target`);
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const mark = chunk[at];
      if (this.#escaped) this.#escaped = false;
      else if (this.#quoted) {
        if (mark === '\\') this.#escaped = true;
        else if (mark === '"') this.#quoted = false;
      } else if (mark === '"') this.#quoted = true;
      else if (mark === ',' && this.#listed && this.#depth === 2) {
        keep(at);
        yield this.#ended('item');
        start = at + 1;
      } else if (mark === '[' || mark === '{') {
        this.#depth += 1;
        if (this.#depth > maxDepth) throw new Error(`nested more than ${maxDepth} levels deep`);
        if (mark === '{' || this.#depth !== 2 || this.#listed) continue;
        keep(at + 1);
        this.#listed = /"targets"\s*:\s*\[$/.test(this.#document.slice(-200));
      } else if (mark === ']' || mark === '}') {
        this.#depth = Math.max(0, this.#depth - 1);
        if (this.#listed && this.#depth === 1) {
          keep(at);
          if (this.#item.trim() !== '') yield this.#ended('item');
          this.#item = '';
          this.#listed = false;
        } else if (this.#depth === 0) {
          keep(at + 1);
          yield this.#ended('document');
        }
      }
    }
    keep(chunk.length);
  }

  *end(): Generator<JsonPiece> {
    const text = this.#document + this.#item;
    if (text.trim() !== '') yield { type: 'rest', text };
  }

  #ended(type: 'item' | 'document'): JsonPiece {
    const text = type === 'item' ? this.#item : this.#document;
    if (type === 'item') this.#item = '';
    else this.#document = '';
    return { type, text };
  }
}
