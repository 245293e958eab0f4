/** Limits of an answer, checked before it is parsed. */
import { unreadable } from './failure.js';

export interface Limits {
  readonly bytes: number;
  readonly depth: number;
  readonly values: number;
}

/** For audited nodes; honest answers are far below these limits. */
export const answerLimits: Limits = { bytes: 1 << 20, depth: 32, values: 50_000 };

/** Parses JSON within the limits of depth and values. @throws {ChannelError} unreadable, with the reason */
export function parseGuarded(text: string, limits: Limits = answerLimits): unknown {
  measure(text, limits);
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(
      text.trim() === '' ? 'the answer is empty' : `the answer is not JSON: ${text.slice(0, 40)}`,
    );
  }
}

const quote = 34;
const comma = 44;
const backslash = 92;

/** One pass over the text: nesting and number of values, strings skipped. */
function measure(text: string, limits: Limits): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) depth -= 1;
    else if (code === comma) values += 1;
    if (depth > limits.depth) {
      throw unreadable(`the answer is nested more than ${limits.depth} levels deep`);
    }
    if (values > limits.values) {
      throw unreadable(`the answer holds more than ${limits.values.toLocaleString('en')} values`);
    }
  }
}

/** The index of the quote that ends the string starting at `from`, or the text's end. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}
