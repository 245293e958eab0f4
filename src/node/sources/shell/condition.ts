/** Evaluates [[ … ]]. */
import { wildcard } from '../../../util/wildcard.js';
import { maxLine, posixPattern } from '../text/posix-pattern.js';
import { ArithmeticFault, UnknownOperand } from './arithmetic.js';
import { arithmeticResult, expandValue, pieces } from './expand.js';
import { patternOf } from './operations.js';
import type { Shell } from './state.js';
import type { Condition, Word } from './syntax/tree.js';
import { compareIntegers } from './test.js';
import { isUnknown, type Value } from './value.js';

type Truth = boolean | null;

/** Evaluates a condition, short-circuiting as bash does; null when the result cannot be known. */
export function conditionTruth(shell: Shell, condition: Condition): Truth {
  switch (condition.type) {
    case 'and':
    case 'or': {
      const left = conditionTruth(shell, condition.left);
      const deciding = condition.type === 'or';
      if (left === deciding) return left;
      const right = conditionTruth(shell, condition.right);
      if (left === null) return right === deciding ? deciding : null;
      return right;
    }
    case 'not': {
      const truth = conditionTruth(shell, condition.condition);
      return truth === null ? null : !truth;
    }
    case 'unary':
      return unaryTruth(shell, condition.operator, condition.operand);
    case 'binary':
      return binaryTruth(shell, condition);
  }
}

function unaryTruth(shell: Shell, operator: string, operand: Word): Truth {
  const value = expandValue(shell, operand);
  if (isUnknown(value)) return null;
  if (operator === '-v') return /\W/.test(value) ? null : shell.isSet(value);
  if (operator === '-z') return value === '';
  return operator === '-n' ? value !== '' : null;
}

function binaryTruth(shell: Shell, condition: Condition & { type: 'binary' }): Truth {
  const { operator, left, right } = condition;
  const first = expandValue(shell, left);
  if (operator.startsWith('-') && !/^-(?:nt|ot|ef)$/.test(operator)) {
    const second = expandValue(shell, right);
    if (isUnknown(first) || isUnknown(second)) return null;
    return compareArithmetic(shell, operator, [first, second], condition);
  }
  if (operator === '=~') return expressionHolds(shell, right, first);
  const matches = patternHolds(shell, right, first);
  if (matches === null || !/^[!=]?=$/.test(operator)) return null;
  return operator === '!=' ? !matches : matches;
}

/** Evaluates `=~` with an expression without quotes. */
function expressionHolds(shell: Shell, right: Word, value: Value): Truth {
  const text = expandValue(shell, right);
  const isQuoted = right.parts.some((part) => 'quoted' in part && part.quoted);
  const pattern = isUnknown(text) || isQuoted ? null : posixPattern(text, true);
  return pattern === null || isUnknown(value) || value.length > maxLine ? null : value.search(pattern) >= 0;
}

/** Compares two expressions with -eq, -lt, …; an invalid expression is false. */
function compareArithmetic(
  shell: Shell,
  operator: string,
  texts: readonly [string, string],
  condition: Condition & { type: 'binary' },
): Truth {
  try {
    const left = arithmeticResult(shell, texts[0], condition.left);
    const right = arithmeticResult(shell, texts[1], condition.right);
    return compareIntegers(operator, left, right);
  } catch (error) {
    if (error instanceof ArithmeticFault) return false;
    if (error instanceof UnknownOperand) return null;
    throw error;
  }
}

/** Whether the pattern matches the value; null when that cannot be known. */
export function patternHolds(shell: Shell, word: Word, value: Value): Truth {
  const pattern = patternOf(pieces(shell, word));
  if (pattern === null) return null;
  if (isUnknown(value))
    return pattern.length > 0 && pattern.every(({ char, wild }) => wild && char === '*') ? true : null;
  if (pattern.some(({ set }) => set !== undefined) && !/^[\x00-\x7f]*$/.test(value)) return null;
  return wildcard(pattern, value, (steps) => shell.steps.take(steps / 16));
}
