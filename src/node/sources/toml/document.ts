/** The keys of a TOML text with their values and places, within limits. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { Span } from '../../facts/span.js';
import type { LineIndex, Range } from '../text/line-index.js';
import { maskPlaceholders, unfilled } from '../text/placeholders.js';

/** Characters; a larger file is generated and configures no node. */
const maxText = 1 << 20;
const maxDepth = 16;

/** A value that is no table; dates and arrays that hold tables or arrays are `null`. */
export type TomlValue =
  | string
  | boolean
  | number
  | bigint
  | readonly (string | boolean | number | bigint)[]
  | null;

export interface TomlEntry {
  /** Its table and name: `Node.HTTPHost`. */
  readonly key: string;
  readonly value: TomlValue;
  readonly at: Span;
}

export interface TomlDocument {
  /** In the order of the file. */
  readonly entries: readonly TomlEntry[];
  /** The headers of tables, empty ones too, in the order of the file. */
  readonly sections: readonly Pick<TomlEntry, 'key' | 'at'>[];
  /** Why it cannot be read; then it has no entries. */
  readonly problem: { readonly message: string; readonly at: Span } | null;
}

/** `takesDotted`: the program's reader has dotted keys. */
export function readToml(file: LineIndex, takesDotted = false): TomlDocument {
  const fail = (message: string, start = 0): TomlDocument => ({
    entries: [],
    sections: [],
    problem: { message, at: file.span({ start, end: start }) },
  });
  if (file.text.length > maxText) return fail(`the TOML is larger than ${maxText >> 10} KiB`);
  if (isDeep(file.text)) return fail('the TOML is nested too deeply to read');
  try {
    const { text } = maskPlaceholders(file.text);
    const source = { text, span: (range: Range) => file.span(range) };
    const [top] = parseTOML(text.replace(filled, (all, kept) => kept ?? '1'.repeat(all.length))).body;
    const dotted = takesDotted ? undefined : parts(top.body).find(({ key }) => key.keys.length > 1);
    if (dotted !== undefined) return fail('the node’s reader of TOML has no dotted keys', dotted.range[0]);
    const entries = top.body.flatMap((node) =>
      node.type === 'TOMLTable'
        ? node.body.flatMap((one) => entriesOf(one, node.resolvedKey, source))
        : entriesOf(node, [], source),
    );
    const sections = top.body.flatMap((node) => {
      if (node.type !== 'TOMLTable') return [];
      const [start, end] = node.key.range;
      return [{ key: node.resolvedKey.join('.'), at: file.span({ start, end }) }];
    });
    return { entries, sections, problem: null };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return fail(`it is not TOML: ${error.message}`, Math.min(error.index, file.text.length));
  }
}

/** Texts in quotes and comments, which are kept; else a value of which a template or a script fills in a part. */
const filled = new RegExp(
  `("""[^]*?"""|'''[^]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'[^'\\n]*'|#.*)|(?<![\\w.:+-])[\\w.:+-]*${unfilled}[\\w.:+${unfilled}-]*`,
  'g',
);

/** The pairs of the file and of its tables. */
function parts(body: AST.TOMLTopLevelTable['body']): AST.TOMLKeyValue[] {
  return body.flatMap((node) => (node.type === 'TOMLTable' ? node.body : [node]));
}

/** The parser recurses: brackets in texts and comments count too, of which no real file has so many in a row. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}\n]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    else if (bracket !== '\n') depth = Math.max(0, depth - 1);
    if (depth > maxDepth) return true;
  }
  return false;
}

function entriesOf(
  { key, value }: AST.TOMLKeyValue,
  above: readonly (string | number)[],
  source: Pick<LineIndex, 'text' | 'span'>,
): TomlEntry[] {
  const path = [...above, ...key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value))];
  if (value.type === 'TOMLInlineTable') return value.body.flatMap((one) => entriesOf(one, path, source));
  const [start, end] = value.range;
  const written = source.text.slice(start, end);
  const known = written.includes(unfilled) ? written : tomlValueOf(value);
  return [{ key: path.join('.'), value: known, at: source.span({ start, end }) }];
}

function tomlValueOf(node: AST.TOMLContentNode): TomlValue {
  if (node.type === 'TOMLArray') {
    const items = node.elements.map(scalarOf);
    return items.every((item) => item !== null) ? items : null;
  }
  return scalarOf(node);
}

function scalarOf(node: AST.TOMLContentNode): string | boolean | number | bigint | null {
  if (node.type !== 'TOMLValue') return null;
  switch (node.kind) {
    case 'string':
    case 'boolean':
    case 'float':
      return node.value;
    case 'integer':
      return node.bigint;
    default:
      return null;
  }
}
