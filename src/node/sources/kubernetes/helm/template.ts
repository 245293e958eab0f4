/** Parses Go templates as Helm has them: text, actions and control structures. */
import type { Placed } from '../../text/placed.js';
import { type Pipeline, Tokens, Unrendered } from './tokens.js';

export type Node =
  | { readonly is: 'text'; readonly text: Placed }
  | { readonly is: 'print'; readonly at: Placed; readonly pipeline: Pipeline }
  | { readonly is: 'set'; readonly name: string; readonly isNew: boolean; readonly pipeline: Pipeline }
  | (Block & { readonly is: 'if' | 'with' | 'range' })
  | { readonly is: 'define'; readonly name: string; readonly body: readonly Node[] };

export interface Block {
  readonly names: readonly string[];
  readonly pipeline: Pipeline;
  readonly body: readonly Node[];
  readonly other: readonly Node[];
}

const action =
  /\{\{(-(?=\s))?(\s*\/\*[\s\S]{0,20000}?\*\/\s*|(?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|[^"`{}]|\{(?!\{)|\}(?!\}))*?)((?<=\s)-)?\}\}/g;
const maxNodes = 20_000;
const maxLength = 1 << 20;

/** @throws {Unrendered} when it is not a template, or a construct is not followed */
export function parseTemplate(text: Placed): readonly Node[] {
  if (text.text.length > maxLength) throw new Unrendered(`it is longer than ${maxLength >> 10} KiB`);
  return new Parser(text).nodes([]).nodes;
}

interface Piece {
  readonly text?: Placed;
  readonly tokens?: Tokens;
}

class Parser {
  private readonly pieces: readonly Piece[];
  private at = 0;

  constructor(text: Placed) {
    const pieces: Piece[] = [];
    let start = 0;
    let trims = false;
    const add = (end: number, trimsEnd: boolean): void => {
      let part = text.slice(start, end);
      if (trims) part = part.slice(part.text.length - part.text.trimStart().length);
      if (trimsEnd) part = part.slice(0, part.text.trimEnd().length);
      if (part.text !== '') pieces.push({ text: part });
    };
    for (const { 0: all, 1: left, 2: inside = '', 3: right, index } of text.text.matchAll(action)) {
      add(index, left !== undefined);
      const from = index + 2 + (left?.length ?? 0);
      if (!/^\s*\/\*/.test(inside))
        pieces.push({
          tokens: new Tokens(text.slice(from, from + inside.length), text.slice(index, index + all.length)),
        });
      start = index + all.length;
      trims = right !== undefined;
    }
    add(text.text.length, false);
    if (pieces.length > maxNodes) throw new Unrendered(`it has more than ${maxNodes} parts`);
    this.pieces = pieces;
  }

  /** Up to one of the closing keywords, or to the end. */
  nodes(closers: readonly string[]): { nodes: readonly Node[]; closer: string; tokens: Tokens | null } {
    const nodes: Node[] = [];
    for (;;) {
      const piece = this.pieces[this.at++];
      if (piece === undefined) {
        if (closers.length > 0) throw new Unrendered('a block has no end');
        return { nodes, closer: '', tokens: null };
      }
      const { text, tokens } = piece;
      if (text !== undefined) nodes.push({ is: 'text', text });
      else if (tokens !== undefined) {
        const keyword = tokens.keyword();
        if (closers.includes(keyword)) return { nodes, closer: keyword, tokens };
        nodes.push(this.node(keyword, tokens));
      }
    }
  }

  private node(keyword: string, tokens: Tokens): Node {
    switch (keyword) {
      case 'if':
      case 'with':
      case 'range':
        return { is: keyword, ...this.block(tokens) };
      case 'define':
        return { is: 'define', name: tokens.string(), body: this.nodes(['end']).nodes };
      case 'template':
        return { is: 'print', at: tokens.action, pipeline: tokens.include() };
      case '': {
        const [name] = tokens.names();
        const isNew = tokens.isNew;
        const pipeline = tokens.pipeline();
        return name === undefined
          ? { is: 'print', at: tokens.action, pipeline }
          : { is: 'set', name, isNew, pipeline };
      }
      default:
        throw new Unrendered(`{{ ${keyword} }} is not followed`);
    }
  }

  private block(tokens: Tokens): Block {
    const head = { names: tokens.names(), pipeline: tokens.pipeline() };
    const { nodes: body, closer, tokens: next } = this.nodes(['else', 'end']);
    if (closer === 'end' || next === null) return { ...head, body, other: [] };
    const chained = next.keyword();
    if (chained === 'if' || chained === 'with')
      return { ...head, body, other: [{ is: chained, ...this.block(next) }] };
    return { ...head, body, other: this.nodes(['end']).nodes };
  }
}
