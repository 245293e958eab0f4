/** The `test` builtin. As in bash, the number of words decides how they are read. */

/** 0 true, 1 false, 2 an error; null when it cannot be known offline (files, locales). */
export type TestStatus = 0 | 1 | 2 | null;

/** Whether a variable is set; null when unknown. */
export type IsSet = (name: string) => boolean | null;

type Truth = boolean | null;

class TestError extends Error {}

const unary = /^-[abcdefghkLnNoOprRsStuvwxzG]$/;
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** Evaluates the words between `[` and `]`. */
export function testStatus(words: readonly string[], isSet: IsSet): TestStatus {
  try {
    const truth = new TestWords(words, isSet).evaluate();
    return truth === null ? null : truth ? 0 : 1;
  } catch (error) {
    if (error instanceof TestError) return 2;
    throw error;
  }
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);

class TestWords {
  private readonly words: readonly string[];
  private readonly isSet: IsSet;
  private at = 0;

  constructor(words: readonly string[], isSet: IsSet) {
    this.words = words;
    this.isSet = isSet;
  }

  evaluate(): Truth {
    const { words } = this;
    const [first = '', , , last] = words;
    if (words.length < 2) return first !== '';
    if (words.length === 2) return this.two(words);
    if (words.length === 3) return this.three(words);
    if (words.length === 4 && first === '!') return not(this.three(words.slice(1)));
    if (words.length === 4 && first === '(' && last === ')') return this.two(words.slice(1, 3));
    return this.whole();
  }

  private two([first = '', second = '']: readonly string[]): Truth {
    if (first === '!') return second === '';
    if (unary.test(first)) return this.unary(first, second);
    throw new TestError('unary operator expected');
  }

  private three([first = '', operator = '', third = '']: readonly string[]): Truth {
    if (binary.test(operator)) return compare(operator, first, third);
    if (operator === '-a') return first !== '' && third !== '';
    if (operator === '-o') return first !== '' || third !== '';
    if (first === '!') return not(this.two([operator, third]));
    if (first === '(' && third === ')') return operator !== '';
    throw new TestError('binary operator expected');
  }

  private whole(): Truth {
    const value = this.or();
    if (this.at < this.words.length) throw new TestError('too many arguments');
    return value;
  }

  private or(): Truth {
    return this.joined('-o', true, () => this.and());
  }

  private and(): Truth {
    return this.joined('-a', false, () => this.term());
  }

  /** Operands of one operator; one operand that equals `deciding` decides the result. */
  private joined(operator: string, deciding: boolean, operand: () => Truth): Truth {
    const left = operand();
    if (this.words[this.at] !== operator) return left;
    this.at += 1;
    const right = this.joined(operator, deciding, operand);
    if (left === deciding || right === deciding) return deciding;
    return left === null || right === null ? null : !deciding;
  }

  private term(): Truth {
    const { words } = this;
    const word = words[this.at];
    if (word === undefined) throw new TestError('argument expected');
    if (word === '!') {
      this.at += 1;
      return not(this.term());
    }
    if (word === '(') return this.parenthesised();
    const next = words[this.at + 1];
    if (this.at + 3 <= words.length && binary.test(next ?? '')) {
      this.at += 3;
      return compare(next as string, word, words[this.at - 1] as string);
    }
    if (this.at + 2 <= words.length && unary.test(word)) {
      this.at += 2;
      return this.unary(word, next as string);
    }
    this.at += 1;
    return word !== '';
  }

  private parenthesised(): Truth {
    this.at += 1;
    const value = this.or();
    if (this.words[this.at] !== ')') throw new TestError("`)' expected");
    this.at += 1;
    return value;
  }

  private unary(operator: string, operand: string): Truth {
    if (operator === '-z') return operand === '';
    if (operator === '-n') return operand !== '';
    if (operator === '-v') return this.isSet(operand);
    if (operator === '-t' && !isInteger(operand)) return false;
    return null;
  }
}

function compare(operator: string, left: string, right: string): Truth {
  if (/^==?$/.test(operator)) return left === right;
  if (operator === '!=') return left !== right;
  if (/^[<>]$/.test(operator)) return left === right ? false : null;
  if (/^-(?:nt|ot|ef)$/.test(operator)) return null;
  return compareIntegers(operator, integerOf(left), integerOf(right));
}

const comparisons: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};

/** Compares two numbers with -eq, -ne, -lt, -le, -gt or -ge. */
export function compareIntegers(operator: string, left: bigint, right: bigint): boolean {
  return comparisons[operator]?.(left, right) === true;
}

const integer = /^[ \t\n\v\f\r]*([-+]?[0-9]+)[ \t]*$/;
const limit = 1n << 63n;

function isInteger(text: string): boolean {
  const match = integer.exec(text);
  if (match === null) return false;
  const value = BigInt((match[1] as string).replace(/^\+/, ''));
  return value >= -limit && value < limit;
}

function integerOf(text: string): bigint {
  if (!isInteger(text)) throw new TestError('integer expression expected');
  return BigInt(text.trim().replace(/^\+/, ''));
}
