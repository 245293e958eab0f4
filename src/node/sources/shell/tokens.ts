/** Tokens of bash arithmetic: numbers, names and operators, read in bash's order and with its errors. */
import type { Steps } from '../text/steps.js';

/** An invalid expression: bash prints the message and skips the rest of the command line. */
export class ArithmeticFault extends Error {}
/** The result depends on a value that cannot be known; the message names it. */
export class UnknownOperand extends Error {}

export type Token =
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'operator'; readonly text: string }
  | { readonly type: 'end' };

const operators = /<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:,()]/y;

/** Reads tokens. The type of a token may depend on the one before it. */
export class Tokens {
  protected readonly text: string;
  private readonly steps: Steps;
  protected at = 0;
  protected token: Token = { type: 'end' };
  protected previous: Token = { type: 'end' };
  /** True while the token after ++X or --X is read. */
  protected prefixed = false;

  constructor(text: string, steps: Steps) {
    this.text = text;
    this.steps = steps;
  }

  protected is(text: string): boolean {
    return this.token.type === 'operator' && this.token.text === text;
  }

  /** Bash reads the token after a name before it evaluates the name, so an error there comes first. */
  protected peek(): void {
    const { at } = this;
    while (this.read().type === 'name');
    this.at = at;
  }

  protected read(): Token {
    const { text, at } = this;
    while (/[ \t\n]/.test(text[this.at] ?? '')) this.at += 1;
    this.steps.take(1 + (this.at - at) / 16);
    const char = text[this.at];
    if (char === undefined) return { type: 'end' };
    if (/[A-Za-z_]/.test(char)) return this.readName();
    if (/[0-9]/.test(char)) return this.readNumber();
    return this.readOperator();
  }

  private readName(): Token {
    const name = /^\w+/.exec(this.text.slice(this.at))?.[0] as string;
    this.at += name.length;
    if (this.text[this.at] === '[') throw new UnknownOperand('an array element in arithmetic');
    return { type: 'name', name };
  }

  private readNumber(): Token {
    const text = /^[0-9A-Za-z_#@]+/.exec(this.text.slice(this.at))?.[0] as string;
    this.at += text.length;
    this.steps.take(text.length / 16);
    return { type: 'number', value: numberOf(text) };
  }

  /** ++ and -- are one token only beside a name; elsewhere they are two signs. */
  private readOperator(): Token {
    operators.lastIndex = this.at;
    let text = operators.exec(this.text)?.[0];
    if (text === undefined) throw new ArithmeticFault('syntax error: operand expected');
    if (text === '++' || text === '--') {
      const afterName = this.token.type === 'name';
      const rest = this.text.slice(this.at + 2);
      if (this.prefixed) throw new ArithmeticFault(`${text}: assignment requires lvalue`);
      if (!afterName && !/^[ \t\n]*[A-Za-z_]/.test(rest)) text = text[0] as string;
    }
    this.at += text.length;
    return { type: 'operator', text };
  }
}

/** Reads 10, 0x1f, 017, 36#zz or 64#@_, wrapped to 64 bits. @throws {ArithmeticFault} */
function numberOf(text: string): bigint {
  let base = 10;
  let digits = text;
  const hash = text.indexOf('#');
  if (/^0[xX]/.test(text)) [base, digits] = [16, text.slice(2)];
  else if (hash >= 0) [base, digits] = [baseOf(text.slice(0, hash)), text.slice(hash + 1)];
  else if (text.length > 1 && text.startsWith('0')) [base, digits] = [8, text.slice(1)];
  if (hash >= 0 && digits === '') throw new ArithmeticFault('invalid integer constant');
  let value = 0n;
  for (const digit of digits) {
    const weight = digitOf(digit, base);
    if (weight < 0 || weight >= base) throw new ArithmeticFault('value too great for base');
    value = BigInt.asIntN(64, value * BigInt(base) + BigInt(weight));
  }
  return value;
}

function baseOf(text: string): number {
  if (!/^[0-9]+$/.test(text) || /^0/.test(text)) throw new ArithmeticFault('invalid number');
  const base = Number(text);
  if (base < 2 || base > 64) throw new ArithmeticFault('invalid arithmetic base');
  return base;
}

function digitOf(char: string, base: number): number {
  if (/[0-9]/.test(char)) return Number(char);
  if (/[a-z]/.test(char)) return char.charCodeAt(0) - 87;
  if (/[A-Z]/.test(char)) return char.charCodeAt(0) - (base <= 36 ? 55 : 29);
  if (char === '@') return 62;
  return char === '_' ? 63 : -1;
}
