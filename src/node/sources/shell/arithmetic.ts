/**
 * Evaluates bash arithmetic: 64 bits with wraparound; the value of a name is itself an expression. Reads tokens in
 * bash's order, which decides what is an error.
 */
import type { Steps } from '../text/steps.js';
import { ArithmeticFault, Tokens, UnknownOperand } from './tokens.js';

export { ArithmeticFault, UnknownOperand };

/** Variables as arithmetic sees them. */
export interface ArithmeticScope {
  /** The value; undefined if it is not set. @throws {UnknownOperand} when it cannot be known */
  read(name: string): string | undefined;
  /** Assigns; throws ArithmeticFault when the name is read-only. */
  write(name: string, value: string): void;
  readonly steps: Steps;
}

/** Nesting of parentheses, names, signs and right-hand sides, limited to protect the stack. */
const maxDepth = 128;

/** Evaluates an expression. @throws {ArithmeticFault | UnknownOperand} */
export function evaluateArithmetic(text: string, scope: ArithmeticScope): bigint {
  if (/^[1-9][0-9]{0,14}$|^0$/.test(text)) return BigInt(text);
  return new Expression(text, scope, { depth: 0 }).result();
}

const wrap = (value: bigint) => BigInt.asIntN(64, value);
const truth = (value: boolean) => (value ? 1n : 0n);

/** Binary operators by precedence, loosest first; all group to the left. */
const operators: readonly Readonly<Record<string, (left: bigint, right: bigint) => bigint>>[] = [
  { '|': (left, right) => left | right },
  { '^': (left, right) => left ^ right },
  { '&': (left, right) => left & right },
  { '==': (left, right) => truth(left === right), '!=': (left, right) => truth(left !== right) },
  {
    '<=': (left, right) => truth(left <= right),
    '>=': (left, right) => truth(left >= right),
    '<': (left, right) => truth(left < right),
    '>': (left, right) => truth(left > right),
  },
  { '<<': (left, right) => left << (right & 63n), '>>': (left, right) => left >> (right & 63n) },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  {
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
    '%': (left, right) => left % right,
  },
];
const operatorByText = new Map(
  operators.flatMap((row, level) =>
    Object.entries(row).map(([text, apply]) => [text, { level, apply }] as const),
  ),
);

const assignments = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=']);
class Expression extends Tokens {
  private readonly scope: ArithmeticScope;
  private readonly nesting: { depth: number };
  /** The value of the name token last read, evaluated when it was read. */
  private value = 0n;
  private skipping = 0;

  constructor(text: string, scope: ArithmeticScope, nesting: { depth: number }) {
    super(text, scope.steps);
    this.scope = scope;
    this.nesting = nesting;
  }

  result(): bigint {
    if (/^[ \t\n]*$/.test(this.text)) return 0n;
    this.advance();
    const value = this.comma();
    if (this.token.type !== 'end') throw new ArithmeticFault('syntax error in expression');
    return value;
  }

  /** Limits the recursion of the grammar. @throws {UnknownOperand} beyond `maxDepth` */
  private deeper(read: () => bigint): bigint {
    this.nesting.depth += 1;
    if (this.nesting.depth > maxDepth) throw new UnknownOperand('an expression nested too deeply');
    const value = read();
    this.nesting.depth -= 1;
    return value;
  }

  private advance(): void {
    this.previous = this.token;
    this.token = this.read();
    if (this.token.type === 'name') {
      this.peek();
      this.value = this.look(this.token.name);
    }
  }

  /** A name is evaluated when it is read, unless it is skipped or = follows (except after ++ or --). */
  private look(name: string): bigint {
    if (this.skipping > 0) return 0n;
    const { previous } = this;
    const stepped = previous.type === 'operator' && (previous.text === '++' || previous.text === '--');
    if (!stepped && /^[ \t\n]*=(?!=)/.test(this.text.slice(this.at, this.at + 64))) return 0n;
    return this.contentOf(name);
  }

  private contentOf(name: string): bigint {
    const text = this.scope.read(name);
    if (text === undefined || text === '') return 0n;
    return this.deeper(() => new Expression(text, this.scope, this.nesting).result());
  }

  private comma(): bigint {
    let value = this.assignment();
    while (this.is(',')) {
      this.advance();
      value = this.assignment();
    }
    return value;
  }

  private assignment(): bigint {
    const left = this.token;
    const value = this.conditional();
    if (this.token.type !== 'operator' || !assignments.has(this.token.text)) return value;
    const operator = this.token.text;
    if (left.type !== 'name' || this.previous !== left) {
      throw new ArithmeticFault('attempted assignment to non-variable');
    }
    this.advance();
    const right = this.deeper(() => this.assignment());
    const result = operator === '=' ? right : this.apply(operator.slice(0, -1), value, right);
    if (this.skipping === 0) this.scope.write(left.name, result.toString());
    return result;
  }

  private conditional(): bigint {
    const test = this.logicalOr();
    if (!this.is('?')) return test;
    const yes = this.skipOperand(test === 0n, () => {
      if (this.is(':') || this.token.type === 'end') throw new ArithmeticFault('expression expected');
      return this.deeper(() => this.comma());
    });
    if (!this.is(':')) throw new ArithmeticFault("`:' expected for conditional expression");
    const no = this.skipOperand(test !== 0n, () => {
      if (this.token.type === 'end') throw new ArithmeticFault('expression expected');
      return this.deeper(() => this.conditional());
    });
    return test !== 0n ? yes : no;
  }

  private logicalOr(): bigint {
    return this.logical('||', true, () => this.logical('&&', false, () => this.binary(0)));
  }

  /** An operator whose left side decides alone where it is as `deciding`. */
  private logical(operator: '||' | '&&', deciding: boolean, operand: () => bigint): bigint {
    let left = operand();
    while (this.is(operator)) {
      const isDecided = (left !== 0n) === deciding;
      const right = this.skipOperand(isDecided, operand);
      left = truth(isDecided ? deciding : right !== 0n);
    }
    return left;
  }

  /** Reads the operand after the current operator, without evaluating it if `skip` is true. */
  private skipOperand(skip: boolean, read: () => bigint): bigint {
    if (skip) this.skipping += 1;
    this.advance();
    const value = read();
    if (skip) this.skipping -= 1;
    return value;
  }

  /** Operators that bind at least as tightly as `level`; all group to the left. */
  private binary(level: number): bigint {
    let left = this.power();
    for (;;) {
      const { token } = this;
      const own = token.type === 'operator' ? operatorByText.get(token.text)?.level : undefined;
      if (token.type !== 'operator' || own === undefined || own < level) return left;
      this.advance();
      left = this.apply(token.text, left, this.binary(own + 1));
    }
  }

  private power(): bigint {
    const base = this.unary();
    if (!this.is('**')) return base;
    this.advance();
    const exponent = this.deeper(() => this.power());
    if (exponent < 0n) throw new ArithmeticFault('exponent less than 0');
    this.scope.steps.take(4);
    return powerOf(base, exponent);
  }

  private unary(): bigint {
    const { token } = this;
    if (token.type !== 'operator' || !'!~-+'.includes(token.text)) return this.primary();
    this.advance();
    const value = this.deeper(() => this.unary());
    if (token.text === '!') return truth(value === 0n);
    if (token.text === '~') return wrap(~value);
    return token.text === '-' ? wrap(-value) : value;
  }

  private primary(): bigint {
    const { token } = this;
    if (token.type === 'number') {
      this.advance();
      return token.value;
    }
    if (token.type === 'name') return this.postfix(token.name);
    if (this.is('++') || this.is('--')) return this.prefix(this.is('++') ? 1n : -1n);
    if (!this.is('(')) throw new ArithmeticFault('syntax error: operand expected');
    return this.parenthesised();
  }

  private parenthesised(): bigint {
    this.advance();
    const value = this.deeper(() => this.comma());
    if (!this.is(')')) throw new ArithmeticFault("missing `)'");
    this.advance();
    return value;
  }

  private prefix(step: bigint): bigint {
    this.advance();
    const { token } = this;
    if (token.type !== 'name') throw new ArithmeticFault('identifier expected after pre-increment');
    const value = wrap(this.value + step);
    if (this.skipping === 0) this.scope.write(token.name, value.toString());
    this.prefixed = true;
    this.advance();
    this.prefixed = false;
    // The result is no longer a name: ++X = 1 is an error.
    this.previous = { type: 'end' };
    return value;
  }

  private postfix(name: string): bigint {
    const { value } = this;
    this.advance();
    if (!this.is('++') && !this.is('--')) return value;
    const step = this.is('++') ? 1n : -1n;
    if (this.skipping === 0) this.scope.write(name, wrap(value + step).toString());
    this.advance();
    return value;
  }

  private apply(operator: string, left: bigint, right: bigint): bigint {
    if (right === 0n && (operator === '/' || operator === '%')) {
      if (this.skipping === 0) throw new ArithmeticFault('division by 0');
      return 0n;
    }
    return wrap(operatorByText.get(operator)?.apply(left, right) ?? 0n);
  }
}

/** base ** exponent in 64 bits; the exponent is not negative. */
function powerOf(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * factor);
    factor = wrap(factor * factor);
  }
  return result;
}
