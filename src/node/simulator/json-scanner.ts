/**
 * Tells where a JSON value ends, byte by byte, as Go's encoding/json does, error texts included: the node
 * answers broken JSON with those texts.
 */

/** What one byte did: nothing visible, ended a value before or after itself, or broke the syntax. */
export type Step = 'more' | 'end-before' | 'end-after' | { readonly error: string };

type State = (byte: number) => Step;
type Context = 'key' | 'value' | 'element';

const maxDepth = 10_000;
const literals = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);

const code = (character: string): number => character.charCodeAt(0);
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Reads one value; make a new one for the next. */
export class JsonScanner {
  /** True once anything but white space was seen. */
  started = false;
  private readonly open: Context[] = [];
  private state: State = (byte) => this.value(byte);

  /** Takes the next byte. After an end or an error the scanner is spent. */
  step(byte: number): Step {
    if (!this.started && !isSpace(byte)) this.started = true;
    return this.state(byte);
  }

  /** True when the input may end here: a number or literal at the top has no end of its own. */
  mayEnd(): boolean {
    return this.started && this.open.length === 0 && this.state(0x20) === 'end-before';
  }

  private go(state: State): Step {
    this.state = state;
    return 'more';
  }

  private value(byte: number): Step {
    if (isSpace(byte)) return 'more';
    if (byte === code('{')) return this.enter('key', byte, (next) => this.firstKey(next));
    if (byte === code('[')) return this.enter('element', byte, (next) => this.firstElement(next));
    if (byte === code('"')) return this.go((next) => this.text(next));
    if (byte === code('-')) return this.go((next) => this.minus(next));
    if (isDigit(byte)) return this.minus(byte);
    const word = literals.get(byte);
    if (word !== undefined) return this.go((next) => this.literal(next, word, 1));
    return fault(byte, 'looking for beginning of value');
  }

  private enter(context: Context, byte: number, state: State): Step {
    this.open.push(context);
    return this.open.length > maxDepth ? fault(byte, 'exceeded max depth') : this.go(state);
  }

  private leave(): Step {
    this.open.pop();
    if (this.open.length === 0) return 'end-after';
    return this.go((next) => this.afterValue(next));
  }

  private firstElement(byte: number): Step {
    if (isSpace(byte)) return 'more';
    return byte === code(']') ? this.leave() : this.value(byte);
  }

  private firstKey(byte: number): Step {
    if (isSpace(byte)) return 'more';
    return byte === code('}') ? this.leave() : this.key(byte);
  }

  private key(byte: number): Step {
    if (isSpace(byte)) return 'more';
    if (byte === code('"')) return this.go((next) => this.text(next));
    return fault(byte, 'looking for beginning of object key string');
  }

  /** After any complete value; at the top it is over, whatever follows. */
  private afterValue(byte: number): Step {
    const context = this.open.at(-1);
    if (context === undefined) return 'end-before';
    if (isSpace(byte)) return this.go((next) => this.afterValue(next));
    switch (context) {
      case 'key':
        if (byte !== code(':')) return fault(byte, 'after object key');
        this.open[this.open.length - 1] = 'value';
        return this.go((next) => this.value(next));
      case 'value':
        if (byte === code('}')) return this.leave();
        if (byte !== code(',')) return fault(byte, 'after object key:value pair');
        this.open[this.open.length - 1] = 'key';
        return this.go((next) => this.key(next));
      case 'element':
        if (byte === code(']')) return this.leave();
        if (byte !== code(',')) return fault(byte, 'after array element');
        return this.go((next) => this.value(next));
    }
  }

  private text(byte: number): Step {
    if (byte === code('"')) return this.go((next) => this.afterValue(next));
    if (byte === code('\\')) return this.go((next) => this.escape(next));
    return byte < 0x20 ? fault(byte, 'in string literal') : 'more';
  }

  private escape(byte: number): Step {
    if (byte === code('u')) return this.go((next) => this.hex(next, 4));
    if ('bfnrt\\/"'.includes(String.fromCharCode(byte))) return this.go((next) => this.text(next));
    return fault(byte, 'in string escape code');
  }

  private hex(byte: number, left: number): Step {
    if (!isHex(byte)) return fault(byte, 'in \\u hexadecimal character escape');
    return this.go(left === 1 ? (next) => this.text(next) : (next) => this.hex(next, left - 1));
  }

  private literal(byte: number, word: string, at: number): Step {
    const wanted = word.charAt(at);
    if (byte !== code(wanted)) return fault(byte, `in literal ${word} (expecting '${wanted}')`);
    const last = at === word.length - 1;
    return this.go(last ? (next) => this.afterValue(next) : (next) => this.literal(next, word, at + 1));
  }

  private minus(byte: number): Step {
    if (byte === code('0')) return this.go((next) => this.fraction(next));
    if (isDigit(byte)) return this.go((next) => this.integer(next));
    return fault(byte, 'in numeric literal');
  }

  private integer(byte: number): Step {
    return isDigit(byte) ? 'more' : this.fraction(byte);
  }

  private fraction(byte: number): Step {
    if (byte !== code('.')) return this.exponent(byte);
    return this.go((first) =>
      isDigit(first)
        ? this.go((next) => (isDigit(next) ? 'more' : this.exponent(next)))
        : fault(first, 'after decimal point in numeric literal'),
    );
  }

  private exponent(byte: number): Step {
    if ((byte | 0x20) !== code('e')) return this.afterValue(byte);
    return this.go((next) =>
      next === code('+') || next === code('-') ? this.go((digit) => this.power(digit)) : this.power(next),
    );
  }

  private power(byte: number): Step {
    if (!isDigit(byte)) return fault(byte, 'in exponent of numeric literal');
    return this.go((next) => (isDigit(next) ? 'more' : this.afterValue(next)));
  }
}

function fault(byte: number, context: string): Step {
  return { error: `invalid character ${quoted(byte)} ${context}` };
}

const escapes = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x5c, '\\\\'],
  [0x27, "\\'"],
]);

/** A byte as Go quotes it: it takes the byte for a Latin-1 character. */
function quoted(byte: number): string {
  const short = escapes.get(byte);
  if (short !== undefined) return `'${short}'`;
  const hex = byte.toString(16).padStart(2, '0');
  if (byte < 0x20 || byte === 0x7f) return `'\\x${hex}'`;
  if ((byte >= 0x80 && byte < 0xa1) || byte === 0xad) return `'\\u00${hex}'`;
  return `'${String.fromCharCode(byte)}'`;
}
