/** One node of a YAML document, with its place. */

import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
} from 'yaml';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import type { Entry, Tree } from './tree.js';

/** Nodes visited per document, including through aliases: limits “billion laughs” documents. */
const maxSteps = 200_000;
const maxMerges = 8;

/** The target of each alias of a document; undefined if there is none. */
export type Targets = ReadonlyMap<Alias, unknown>;

interface Context {
  readonly targets: Targets;
  readonly file: LineIndex;
  readonly base: number;
  steps: number;
}

type Pair = Entry & { readonly value: YamlNode | null };

/** One node of a document. Properties that do not apply to its type are empty. */
export class YamlNode implements Tree {
  private readonly node: unknown;
  private readonly context: Context;
  private readonly place: readonly [number, number];

  private constructor(node: unknown, context: Context, place: readonly [number, number]) {
    this.node = node;
    this.context = context;
    this.place = place;
  }

  /** The root of a document that begins at `base` of a file. */
  static root(document: Document, targets: Targets, file: LineIndex, base: number): YamlNode | null {
    return YamlNode.of(document.contents, { targets, file, base, steps: maxSteps });
  }

  /** null for an empty node and for an alias without target. */
  private static of(node: unknown, context: Context, place: readonly [number, number] = [0, 0]) {
    context.steps -= 1;
    const known = isAlias(node) ? context.targets.get(node) : node;
    if (known === null || known === undefined || isAlias(known) || context.steps <= 0) return null;
    const range = (known as { range?: readonly [number, number, number] | null }).range;
    const [start, end] = range ?? place;
    return new YamlNode(known, context, [start, end]);
  }

  get isMap(): boolean {
    return isMap(this.node);
  }

  get isList(): boolean {
    return isSeq(this.node);
  }

  /** The place of the whole node, without trailing line ends. */
  get at(): Span {
    const { file, base } = this.context;
    const [start, end] = this.place;
    const raw = file.text.slice(base + start, base + end);
    return file.span({ start: base + start, end: base + start + raw.trimEnd().length });
  }

  /** A scalar as it is written; null for YAML's null and for other nodes. */
  get text(): Placed | null {
    this.written ??= this.placed();
    return this.written;
  }

  private placed(): Placed | null {
    if (!isScalar(this.node) || this.node.value === null || this.node.value === undefined) return null;
    const { value, source } = this.node;
    const text = typeof value === 'string' ? value : (source ?? String(value));
    const { file, base } = this.context;
    const [start, end] = this.place;
    return text === ''
      ? Placed.for('', file, base + start, base + end)
      : placeScalar(text, file, base + start, base + end);
  }

  /** The tag as written, such as `!reset`; undefined if there is none. */
  get tag(): string | undefined {
    return isNode(this.node) ? this.node.tag : undefined;
  }

  /** A scalar as YAML resolves it: text, number, true, false or null. */
  get value(): unknown {
    return isScalar(this.node) ? this.node.value : undefined;
  }

  get items(): readonly YamlNode[] {
    this.list ??= isSeq(this.node)
      ? this.node.items.flatMap((item) => YamlNode.of(item, this.context, this.place) ?? [])
      : [];
    return this.list;
  }

  /** Keys and values, including merged maps (`<<`). Own keys override merged ones; the last of two equal keys wins. */
  get entries(): readonly Pair[] {
    return [...this.collect(0).values()];
  }

  get(name: string): YamlNode | null {
    return this.collect(0).get(name)?.value ?? null;
  }

  /** Follows one key after the other. */
  path(...names: readonly string[]): YamlNode | null {
    let node: YamlNode | null = this;
    for (const name of names) node = node?.get(name) ?? null;
    return node;
  }

  private written: Placed | null = null;
  private list: readonly YamlNode[] | null = null;
  private memo: Map<string, Pair> | null = null;

  private collect(depth: number): Map<string, Pair> {
    if (this.memo !== null) return this.memo;
    const found = new Map<string, Pair>();
    if (!isMap(this.node)) return found;
    for (const pair of this.node.items) {
      if (!isPair(pair)) continue;
      const key = YamlNode.of(pair.key, this.context, this.place)?.text ?? null;
      if (key === null) continue;
      const value = YamlNode.of(pair.value, this.context, this.place);
      if (key.text !== '<<') {
        found.set(key.text, { key, value });
        continue;
      }
      if (depth >= maxMerges || value === null) continue;
      for (const source of value.isList ? value.items : [value]) {
        for (const [name, entry] of source.collect(depth + 1)) if (!found.has(name)) found.set(name, entry);
      }
    }
    this.memo = found;
    return found;
  }
}

/** Resolves each alias to the last anchor of its name before it, in one walk (a lookup per alias would be quadratic). */
export function targetsOf(document: Document): Targets {
  const anchors = new Map<string, unknown>();
  const targets = new Map<Alias, unknown>();
  visit(document, (_, node) => {
    if (isAlias(node)) targets.set(node, anchors.get(node.source));
    else if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)
      anchors.set(node.anchor, node);
  });
  return targets;
}

/** Places a scalar's text, which is not empty. `start` and `end` include its quotes or block header. */
export function placeScalar(value: string, file: LineIndex, start: number, end: number): Placed {
  const raw = file.text.slice(start, end);
  if (raw === value) return Placed.at(file, start, end);
  const style = raw[0];
  if (style === '"' || style === "'") {
    if (raw.slice(1, -1) === value) return Placed.at(file, start + 1, end - 1);
    return aligned(value, file, start + 1, end - 1, style === '"' ? escaped : doubled);
  }
  if (style !== '|' && style !== '>') return aligned(value, file, start, end, itself);
  const body = raw.indexOf('\n') + 1;
  return aligned(value, file, start + body, end, itself, indentOf(raw.slice(body), value));
}

/** How many characters of the source at `at` make this character of the value; 0 if they do not. */
type Step = (text: string, at: number, char: string) => number;

const itself: Step = (text, at, char) => (text[at] === char ? 1 : 0);
const doubled: Step = (text, at, char) =>
  char === "'" ? (text.startsWith("''", at) ? 2 : 0) : itself(text, at, char);
const escaped: Step = (text, at, char) => {
  if (text[at] !== '\\') return itself(text, at, char);
  const size = { x: 4, u: 6, U: 10 }[text[at + 1] ?? ''] ?? 2;
  return text[at + 1] === '\n' ? 0 : size;
};

/** The indentation of a block, in spaces. */
function indentOf(body: string, value: string): number {
  const leading = (text: string) => /^ */.exec(/[^\n]*[^\s][^\n]*/.exec(text)?.[0] ?? '')?.[0].length ?? 0;
  return Math.max(0, leading(body) - leading(value));
}

function aligned(
  value: string,
  file: LineIndex,
  start: number,
  end: number,
  step: Step,
  indent: number | null = null,
): Placed {
  const { text } = file;
  const parts: Placed[] = [];
  let at = indent === null ? start : skipIndent(text, start, indent);
  let run = at;
  let from = 0;
  const flush = (to: number) => {
    if (to > from) parts.push(Placed.at(file, run, run + to - from));
    from = to;
  };
  for (let index = 0; index < value.length; index++) {
    const char = value[index] as string;
    if (at >= end) {
      flush(index);
      return Placed.join([...parts, Placed.for(value.slice(index), file, Math.max(start, end - 1), end)]);
    }
    let before = at;
    let size = step(text, at, char);
    if (size === 0 && /\s|\\/.test(text[at] ?? '')) {
      before = skipFold(text, at, end, char);
      size = step(text, before, char);
      if (size === 0 && /\s/.test(char)) [before, size] = [at, skipFold(text, at, end, '') - at];
    }
    if (size === 0) {
      flush(index);
      return Placed.join([...parts, Placed.for(value.slice(index), file, at, end)]);
    }
    const straight = size === 1 && text[before] === char;
    if (!straight || before !== at) flush(index);
    if (from === index) run = before;
    if (!straight) {
      parts.push(Placed.for(char, file, before, before + size));
      from = index + 1;
      run = before + size;
    }
    at = before + size;
    if (straight && char === '\n' && indent !== null) {
      flush(index + 1);
      at = skipIndent(text, at, indent);
      run = at;
    }
  }
  flush(value.length);
  return Placed.join(parts);
}

function skipIndent(text: string, at: number, indent: number): number {
  let next = at;
  while (next < at + indent && text[next] === ' ') next += 1;
  return next;
}

/** Skips blanks, line ends and a folded line's backslash, up to `char`. */
function skipFold(text: string, at: number, end: number, char: string): number {
  let next = at;
  while (next < end && text[next] !== char && /[\s\\]/.test(text[next] as string)) {
    if (text[next] === '\\' && text[next + 1] !== '\n') break;
    next += 1;
  }
  return next;
}
