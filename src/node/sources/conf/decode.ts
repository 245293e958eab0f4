/** Decodes a conf to the text that bash would source, and reports unusual bytes. */
import { KaiactlError } from '../../../errors.js';
import { tryOr } from '../../../util/try-or.js';
import { encodingOf } from '../../../util/utf16.js';
import type { SyntaxIssue } from '../../facts/shell.js';
import type { Range } from '../text/line-index.js';

/** Larger files are not confs. */
export const maxConfBytes = 1 << 18;
/** Bash rejects a file with more NUL bytes. */
const maxNulBytes = 256;

export type RawSyntaxIssue = Omit<SyntaxIssue, 'at'> & { readonly at: Range };

export interface Decoded {
  readonly text: string;
  readonly syntaxIssues: readonly RawSyntaxIssue[];
}

/**
 * Decodes UTF-8 and drops NUL bytes as bash does; reports invisible characters.
 * @throws {KaiactlError} when it is larger than 256 KiB or binary (exit 2)
 */
export function decode(path: string, bytes: Uint8Array): Decoded {
  if (bytes.length > maxConfBytes) {
    throw new KaiactlError(`${path}: larger than ${maxConfBytes / 1024} KiB, so it is not a conf`, {
      hint: 'Name the file that the launcher sources.',
    });
  }
  const raw = decoder.decode(bytes);
  const syntaxIssues: RawSyntaxIssue[] = [];
  const text = withoutNul(path, bytes, raw, syntaxIssues);
  if (text.startsWith('\uFEFF')) syntaxIssues.push(mistake('byte-order-mark', 0, 1, asBom));
  const invalid = text.indexOf('\uFFFD');
  if (invalid >= 0 && !isUtf8(bytes))
    syntaxIssues.push(mistake('invalid-utf8', invalid, invalid + 1, asBytes));
  return { text, syntaxIssues };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function isUtf8(bytes: Uint8Array): boolean {
  return tryOr(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), null) !== null;
}

function withoutNul(path: string, bytes: Uint8Array, raw: string, syntaxIssues: RawSyntaxIssue[]): string {
  const first = raw.indexOf('\0');
  if (first < 0) return raw;
  if (encodingOf(bytes) !== 'utf-8') {
    throw new KaiactlError(`${path}: UTF-16 text, which neither bash nor a node reads`, {
      hint: 'Save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8.',
    });
  }
  const text = raw.replaceAll('\0', '');
  const newline = raw.indexOf('\n');
  if (newline < 0 || first < newline || raw.length - text.length > maxNulBytes) {
    throw new KaiactlError(`${path}: a binary file, which bash refuses to read`, {
      notes: [`the first NUL byte stands at offset ${first}`],
    });
  }
  const effect = `bash drops the ${raw.length - text.length} NUL byte(s) and joins the text around them`;
  syntaxIssues.push(mistake('nul-byte', first, first, effect));
  return text;
}

const asBom = 'the byte order mark becomes part of the first word, so bash runs the first line as a command';
const asBytes = 'these bytes are not UTF-8: values that hold them cannot be shown or judged';

function mistake(kind: RawSyntaxIssue['kind'], start: number, end: number, becomes: string): RawSyntaxIssue {
  return { kind, at: { start, end }, variable: null, becomes, likelyMistake: true };
}
