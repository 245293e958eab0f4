/** The tokens of an arithmetic expression, in the order and with the errors of bash's reader. */

import { ArithmeticFault, numberOf, UnknownOperand } from './numbers.js';
import type { Steps } from './steps.js';

export type Token =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'end' };

const operators = /<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:,()]/y;

/** Reads tokens; what one is can depend on the one before. */
export class Tokens {
  protected readonly text: string;
  private readonly steps: Steps;
  protected at = 0;
  protected token: Token = { kind: 'end' };
  protected previous: Token = { kind: 'end' };
  /** True while the token behind ++X or --X is read. */
  protected prefixed = false;

  constructor(text: string, steps: Steps) {
    this.text = text;
    this.steps = steps;
  }

  protected is(text: string): boolean {
    return this.token.kind === 'operator' && this.token.text === text;
  }

  /** Bash reads on behind a name before it evaluates it, so that an error there comes first. */
  protected peek(): void {
    const { at } = this;
    while (this.read().kind === 'name');
    this.at = at;
  }

  protected read(): Token {
    const { text, at } = this;
    while (/[ \t\n]/.test(text[this.at] ?? '')) this.at += 1;
    this.steps.take(1 + (this.at - at) / 16);
    const char = text[this.at];
    if (char === undefined) return { kind: 'end' };
    if (/[A-Za-z_]/.test(char)) return this.readName();
    if (/[0-9]/.test(char)) return this.readNumber();
    return this.readOperator();
  }

  private readName(): Token {
    const name = /^\w+/.exec(this.text.slice(this.at))?.[0] as string;
    this.at += name.length;
    if (this.text[this.at] === '[') throw new UnknownOperand('an array element in arithmetic');
    return { kind: 'name', name };
  }

  private readNumber(): Token {
    const text = /^[0-9A-Za-z_#@]+/.exec(this.text.slice(this.at))?.[0] as string;
    this.at += text.length;
    this.steps.take(text.length / 16);
    return { kind: 'number', value: numberOf(text) };
  }

  /** ++ and -- are one token only beside a name; between other things they are two signs. */
  private readOperator(): Token {
    operators.lastIndex = this.at;
    let text = operators.exec(this.text)?.[0];
    if (text === undefined) throw new ArithmeticFault('syntax error: operand expected');
    if (text === '++' || text === '--') {
      const afterName = this.token.kind === 'name';
      const rest = this.text.slice(this.at + 2);
      if (this.prefixed) throw new ArithmeticFault(`${text}: assignment requires lvalue`);
      if (!afterName && !/^[ \t\n]*[A-Za-z_]/.test(rest)) text = text[0] as string;
    }
    this.at += text.length;
    return { kind: 'operator', text };
  }
}
