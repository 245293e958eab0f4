/** The syntax of Terraform's files: blocks with labels and attributes, whose expressions are kept as text. */

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  /** The text of each expression by name, without comments. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
  readonly start: number;
}

/** Blocks in blocks, and brackets and templates in an expression. */
const maxDepth = 50;

const patterns = {
  blank: /(?:\s|#.*|\/\/.*|\/\*[\s\S]*?\*\/)*/y,
  space: /[ \t]*/y,
  name: /[\p{L}_][\p{L}\p{N}_-]*/uy,
  label: /"([^"\\$%\n]*)"/y,
  heredoc: /<<-?(\w+)\r?\n(?:.*\n)*?[ \t]*\1(?=\r?\n|$)/y,
  comment: /#.*|\/\/.*|\/\*[\s\S]*?\*\//y,
};

/** The top of a file; null: it is not of this syntax. */
export function parseHcl(text: string): Block | null {
  try {
    return new Reader(text).top();
  } catch (error) {
    if (error instanceof NotHcl) return null;
    throw error;
  }
}

/** The block with all inside it. */
export function flat(block: Block): Block[] {
  return [block, ...block.blocks.flatMap(flat)];
}

class NotHcl extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  top(): Block {
    const body = this.#body(0);
    if (this.#at < this.#text.length) throw new NotHcl();
    return { type: '', labels: [], start: 0, ...body };
  }

  #body(depth: number): Pick<Block, 'attributes' | 'blocks'> {
    if (depth > maxDepth) throw new NotHcl();
    const attributes = new Map<string, string>();
    const blocks: Block[] = [];
    for (;;) {
      this.#match(patterns.blank);
      const start = this.#at;
      const type = this.#match(patterns.name)?.[0];
      if (type === undefined) return { attributes, blocks };
      this.#match(patterns.space);
      if (this.#takes('=')) {
        attributes.set(type, this.#expression());
        continue;
      }
      const labels: string[] = [];
      while (!this.#takes('{')) {
        const label = this.#match(patterns.label)?.[1] ?? this.#match(patterns.name)?.[0];
        if (label === undefined) throw new NotHcl();
        labels.push(label);
        this.#match(patterns.space);
      }
      const body = this.#body(depth + 1);
      if (!this.#takes('}')) throw new NotHcl();
      blocks.push({ type, labels, start, ...body });
    }
  }

  /** Up to the end of the line or of the block, outside of brackets. */
  #expression(): string {
    let depth = 0;
    let found = '';
    while (this.#at < this.#text.length) {
      if (this.#match(patterns.comment) !== null) continue;
      const start = this.#at;
      const char = this.#text[start] ?? '';
      if (depth === 0 && /[\n}]/.test(char)) break;
      if (this.#match(patterns.heredoc) === null) {
        this.#at += 1;
        if (char === '"') this.#template(0);
        else if (/[([{]/.test(char)) depth += 1;
        else if (/[)\]}]/.test(char)) depth -= 1;
      }
      found += this.#text.slice(start, this.#at);
    }
    return found.trim();
  }

  /** To the end of a quoted template, which may hold quoted ones. */
  #template(depth: number): void {
    if (depth > maxDepth) throw new NotHcl();
    for (let braces = 0; this.#at < this.#text.length; ) {
      const char = this.#text[this.#at];
      this.#at += char === '\\' ? 2 : 1;
      if (char === '"' && braces === 0) return;
      if (char === '"') this.#template(depth + 1);
      else if (char === '{' && (braces > 0 || /[$%]/.test(this.#text[this.#at - 2] ?? ''))) braces += 1;
      else if (char === '}' && braces > 0) braces -= 1;
    }
    throw new NotHcl();
  }

  #takes(char: string): boolean {
    const isThere = this.#text[this.#at] === char;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
