/** The grammar of nft's files, down to statements: words and blocks. */
import type { Range } from '../../sources/text/line-index.js';
import { Unread } from './ruleset.js';

/** A word, a quoted string with its quotes, or a mark such as `,` and `!=`. */
interface Word extends Range {
  readonly text: string;
}

export interface Block extends Range {
  readonly statements: readonly Statement[];
  /** Its words, with those of the blocks in it. */
  readonly size: number;
}

export type Statement = readonly (Word | Block)[];

const token = /[ \t\r]+|\\\r?\n|#[^\n]*|(\n|;)|("[^"]*"|[!=<>]=|[{},=<>()|&]|[^\s{},;="#<>()|&!]+|!)/gy;

/** Blocks in blocks: a set in a chain of a table, with values that hold sets, needs a few. */
const maxDepth = 32;

/** @throws {Unread} when braces do not match, or are nested more deeply than any ruleset needs */
export function statementsIn(text: string): readonly Statement[] {
  const words = [...text.matchAll(token)].flatMap(({ 1: end, 2: word, index }) =>
    end === undefined && word === undefined ? [] : [{ text: end ?? word ?? '', start: index }],
  );
  let at = 0;
  const block = (depth: number): Statement[] => {
    if (depth > maxDepth) throw new Unread();
    const statements: (Word | Block)[][] = [[]];
    for (let word = words[at]; word !== undefined; word = words[at]) {
      at += 1;
      const end = word.start + word.text.length;
      if (word.text === '\n' || word.text === ';') statements.push([]);
      else if (word.text === '}') {
        if (depth === 0) throw new Unread();
        return statements.filter(({ length }) => length > 0);
      } else if (word.text === '{') {
        const inner = block(depth + 1);
        statements.at(-1)?.push({ statements: inner, size: sizeOf(inner.flat()), start: word.start, end });
      } else statements.at(-1)?.push({ ...word, end });
    }
    if (depth > 0) throw new Unread();
    return statements.filter(({ length }) => length > 0);
  };
  return block(0);
}

export const isBlock = (part: Word | Block | undefined): part is Block =>
  part !== undefined && 'statements' in part;

/** A statement on one line, with blanks between its words. A list in a list, which a variable held, is part of it. */
export function textOf(statement: Statement, isInside = false): string {
  return statement
    .map((part) => {
      if (!isBlock(part)) return part.text;
      const inner = part.statements.map((one) => textOf(one, true)).join(' ');
      return isInside ? `, ${inner} ,` : `{ ${inner} }`;
    })
    .join(' ');
}

function sizeOf(statement: Statement): number {
  return statement.reduce((sum, part) => sum + (isBlock(part) ? part.size : 1), 0);
}

/** Words in the variables of one ruleset: a list of a country's networks has some ten thousand. */
const maxWords = 1_000_000;

export class Variables {
  readonly #values = new Map<string, Statement>();
  #left = maxWords;

  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: Statement): void {
    this.#values.set(name, value);
  }

  /** The statement with the values of its variables. @throws {Unread} for one that is not defined, or for too many words */
  expanded(statement: Statement): Statement {
    return statement.flatMap((part): Statement => {
      if (isBlock(part)) {
        const statements = part.statements.map((one) => this.expanded(one));
        return [{ ...part, statements, size: sizeOf(statements.flat()) }];
      }
      if (!part.text.startsWith('$')) return [part];
      const value = this.#values.get(part.text.slice(1)) ?? [];
      this.#left -= sizeOf(value);
      if (value.length === 0 || this.#left < 0) throw new Unread();
      return value;
    });
  }
}
