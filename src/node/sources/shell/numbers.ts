/** Numbers of bash arithmetic: how they are written, and what the operators make of them. */

/** A failing expression: bash prints the message and does not run the rest of the command line. */
export class ArithmeticFault extends Error {}
/** The result depends on something that cannot be known; the message says on what. */
export class UnknownOperand extends Error {}

/** The value in 64 bits. */
export const wrap = (value: bigint) => BigInt.asIntN(64, value);
export const truth = (value: boolean) => (value ? 1n : 0n);

/** Binary operators by precedence, loosest first; all group to the left. */
const levels = ['|', '^', '&', '== !=', '<= >= < >', '<< >>', '+ -', '* / %'];
const levelByOperator = new Map(
  levels.flatMap((row, level) => row.split(' ').map((operator) => [operator, level] as const)),
);

/** How tightly a binary operator binds; -1 when it is none. */
export function levelOf(operator: string): number {
  return levelByOperator.get(operator) ?? -1;
}

/** What a binary operator other than / and % gives, before it is wrapped. */
export function combine(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '<<':
      return left << (right & 63n);
    case '>>':
      return left >> (right & 63n);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '==':
      return truth(left === right);
    case '!=':
      return truth(left !== right);
    case '<':
      return truth(left < right);
    case '>':
      return truth(left > right);
    case '<=':
      return truth(left <= right);
    default:
      return truth(left >= right);
  }
}

/** base ** exponent in 64 bits; the exponent is not negative. */
export function powerOf(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * factor);
    factor = wrap(factor * factor);
  }
  return result;
}

/** 10, 0x1f, 017, 36#zz, 64#@_; wraps at 64 bits as bash does. @throws {ArithmeticFault} */
export function numberOf(text: string): bigint {
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
    value = wrap(value * BigInt(base) + BigInt(weight));
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
