/** Values of flags and of variables as Go's strconv and time packages parse them. */
import type { FlagType, Parsed } from '../flag.js';

export function parseValue(type: FlagType, text: string): Parsed {
  switch (type) {
    case 'bool':
      return parseBool(text);
    case 'int':
    case 'int64':
      return parseInteger(text, -(1n << 63n), (1n << 63n) - 1n, true);
    case 'uint':
    case 'uint64':
      return parseInteger(text, 0n, (1n << 64n) - 1n, false);
    case 'float':
      return /^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?(?:inf|infinity|nan)$/i.test(text)
        ? { value: Number(text.replaceAll('_', '')) }
        : { refused: 'it is not a number' };
    case 'duration':
      return /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/.test(text)
        ? { value: text }
        : { refused: 'it is not a duration such as 30s' };
    default:
      return { value: text };
  }
}

/** Parses a variable of the environment. An empty one counts for texts and switches, not for numbers. */
export function parseVariable(type: FlagType, text: string): Parsed | null {
  if (text !== '' || ['string', 'path', 'text', 'list'].includes(type)) return parseValue(type, text);
  return type === 'bool' ? { value: false } : null;
}

function parseBool(text: string): Parsed {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return { value: true };
  if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return { value: false };
  return { refused: 'it is neither true nor false' };
}

const whole =
  /^([-+]?)(0[xX]_?[0-9a-fA-F][0-9a-fA-F_]*|0[bB]_?[01][01_]*|0[oO]?_?[0-7][0-7_]*|0|[1-9][0-9_]*)$/;

/** Base 0 as in strconv: prefixes and underscores are allowed; a leading 0 means octal. */
function parseInteger(text: string, least: bigint, most: bigint, signed: boolean): Parsed {
  const match = whole.exec(text);
  const sign = match?.[1] ?? '';
  if (match === null || (sign !== '' && !signed) || /__|_$/.test(text))
    return { refused: 'it is not a whole number' };
  const digits = (match[2] as string).replaceAll('_', '').replace(/^0(?=[0-7])/, '0o');
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  if (value < least || value > most) return { refused: 'it is out of range' };
  const number = Number(value);
  return { value: Number.isSafeInteger(number) ? number : value.toString() };
}
