/** The words of an action of a Go template: its keyword, its variables and its pipeline. */
import type { Placed } from '../../text/placed.js';

/** A template that is not followed, with the reason as a clause. */
export class Unrendered extends Error {}

export type Operand =
  | { readonly is: 'literal'; readonly text: Placed; readonly value: string | number | boolean | null }
  /** A path below `.`, `$` or a variable; `of`: the name of the variable, '' for `.`. */
  | { readonly is: 'field'; readonly of: string; readonly path: readonly string[]; readonly at: Placed }
  | { readonly is: 'function'; readonly name: string; readonly at: Placed }
  | { readonly is: 'pipeline'; readonly pipeline: Pipeline; readonly path: readonly string[] };

/** Commands; the value of each is the last argument of the next. */
export type Pipeline = readonly (readonly Operand[])[];

const token =
  /\s*(?:("(?:[^"\\]|\\.)*"|`[^`]*`)|(-?\d+(?:\.\d+)?)|(\$?\w*(?:\.\w+)+|\$\w*|\.|[A-Za-z_]\w*)|(:=|=|\||\(|\)|,))/y;

const keywords = new Set('if else end with range define template block break continue'.split(' '));

export class Tokens {
  /** With its braces. */
  readonly action: Placed;
  private readonly words: readonly Placed[];
  private at = 0;

  constructor(all: Placed, action: Placed) {
    this.action = action;
    const words: Placed[] = [];
    token.lastIndex = 0;
    const end = all.text.trimEnd().length;
    while (token.lastIndex < end) {
      const from = token.lastIndex;
      const match = token.exec(all.text);
      if (match === null) throw new Unrendered(`${all.text.slice(from, from + 20).trim()} is not followed`);
      const [whole] = match;
      words.push(all.slice(from + whole.length - whole.trimStart().length, from + whole.length));
    }
    this.words = words;
  }

  /** True behind `:=`, false behind `=`. */
  get isNew(): boolean {
    return this.words[this.at - 1]?.text === ':=';
  }

  private get next(): string {
    return this.words[this.at]?.text ?? '';
  }

  keyword(): string {
    if (!keywords.has(this.next)) return '';
    this.at += 1;
    return this.words[this.at - 1]?.text ?? '';
  }

  string(): string {
    const text = this.words[this.at++]?.text ?? '';
    return text.slice(1, -1);
  }

  /** The variables that are set: `$x :=`, `$key, $value :=`. */
  names(): string[] {
    const names: string[] = [];
    let at = this.at;
    for (; /^\$\w+$/.test(this.words[at]?.text ?? ''); at += 1) {
      names.push((this.words[at]?.text ?? '').slice(1));
      if (this.words[at + 1]?.text !== ',') break;
      at += 1;
    }
    if (names.length === 0 || !/^:?=$/.test(this.words[at + 1]?.text ?? '')) return [];
    this.at = at + 2;
    return names;
  }

  /** The words of `template`, which are those of `include`. */
  include(): Pipeline {
    const at = this.words[0] ?? this.action;
    const [operands = []] = this.pipeline();
    return [[{ is: 'function', name: 'include', at }, ...operands]];
  }

  pipeline(): Pipeline {
    const commands: Operand[][] = [[]];
    while (this.at < this.words.length && this.next !== ')') {
      if (this.next === '|') {
        this.at += 1;
        commands.push([]);
      } else commands.at(-1)?.push(this.operand());
    }
    if (commands.some((command) => command.length === 0)) throw new Unrendered('an action is incomplete');
    return commands;
  }

  private operand(): Operand {
    const text = this.words[this.at++] as Placed;
    const word = text.text;
    if (word === '(') return this.group();
    if (/^["`]/.test(word))
      return { is: 'literal', text: text.slice(1, word.length - 1), value: unescaped(word) };
    if (/^-?\d/.test(word)) return { is: 'literal', text, value: Number(word) };
    if (word === 'true' || word === 'false') return { is: 'literal', text, value: word === 'true' };
    if (word === 'nil') return { is: 'literal', text, value: null };
    if (/^[$.]/.test(word)) {
      const [of = '', ...path] = word.split('.');
      return { is: 'field', of, path: path.filter((name) => name !== ''), at: text };
    }
    if (/^[A-Za-z_]\w*$/.test(word)) return { is: 'function', name: word, at: text };
    throw new Unrendered(`${word} is not followed`);
  }

  private group(): Operand {
    const pipeline = this.pipeline();
    if (this.next !== ')') throw new Unrendered('a ( has no )');
    this.at += 1;
    const isField = /^\.\w/.test(this.next) && this.isAdjacent();
    const path = isField ? (this.words[this.at++]?.text ?? '').split('.').slice(1) : [];
    return { is: 'pipeline', pipeline, path };
  }

  /** Whether no blank stands between the last word and the next. */
  private isAdjacent(): boolean {
    const [last, next] = [this.words[this.at - 1]?.span(), this.words[this.at]?.span()];
    return last?.endLine === next?.line && last?.endColumn === next?.column;
  }
}

function unescaped(word: string): string {
  if (word.startsWith('`')) return word.slice(1, -1);
  try {
    return String(JSON.parse(word));
  } catch {
    throw new Unrendered(`${word} is not followed`);
  }
}
