/** The part of a file that an edit reaches: nodes whose text and files stay the same are not read again. */
import type { Conf } from '../../facts/facts.js';
import type { Edit } from '../../facts/report.js';
import type { SourceKind } from '../../facts/settings.js';
import type { Editable } from '../../sources/text/editable.js';
import type { Range } from '../../sources/text/line-index.js';

/** Lines of a file, the end exclusive, that hold at most one node each. */
interface Part extends Range {
  /** What other parts may name it by: the key of a service, and its anchors. */
  readonly names: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** A shorter text, with every line at its place, and the nodes that it starts. */
export interface Cut {
  readonly text: string;
  /** Characters that are left. */
  readonly length: number;
  /** By their places among the nodes of the file, ascending. */
  readonly nodes: readonly number[];
}

/** The services of a compose file, or the documents of a manifest; none of a file that is read as a whole. */
function rangesIn(kind: SourceKind, lines: readonly string[]): Range[] {
  if (kind === 'kubernetes') return between(lines, 0, lines.length, /^---(?:\s|$)/, [0]);
  const top = kind === 'compose' ? lines.findIndex((line) => /^services:\s*(?:#.*)?$/.test(line)) : -1;
  if (top < 0) return [];
  const end = lines.findIndex((line, at) => at > top && /^[^\s#]/.test(line));
  const [indent] =
    /^ +(?=[^\s#])/.exec(lines.slice(top + 1).find((line) => /^\s*[^\s#]/.test(line)) ?? '') ?? [];
  if (indent === undefined) return [];
  return between(lines, top + 1, end < 0 ? lines.length : end, new RegExp(`^ {${indent.length}}[^\\s#-]`));
}

function between(
  lines: readonly string[],
  from: number,
  to: number,
  first: RegExp,
  known: readonly number[] = [],
): Range[] {
  const found = lines.flatMap((line, at) => (at >= from && at < to && first.test(line) ? [at] : []));
  const starts = [...new Set([...known, ...found])];
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? to }));
}

function partOf(lines: readonly string[], { start, end }: Range): Part {
  const text = lines.slice(start, end).join('\n');
  const [, key = ''] = /^\s*["']?([\w.-]+)["']?\s*:/.exec(text) ?? [];
  const anchors = [...text.matchAll(/&([\w.-]+)/g)].map(([, name = '']) => name);
  return { start, end, names: [key, ...anchors], words: new Set(text.match(/[\w.-]+/g)) };
}

export class Parts {
  readonly #file: Editable;
  readonly #lines: readonly string[];
  readonly #parts: readonly Part[];
  /** The part that starts each node. */
  readonly #own: readonly (Part | undefined)[];
  /** The parts that each node is read from; null where some node may be read from any. */
  readonly #read: readonly ReadonlySet<Part>[] | null;

  /** @param isSame true where a cut starts its nodes as the whole file does */
  constructor(file: Editable, isSame: (cut: Cut) => boolean) {
    const { settings } = file.confs[0] as Conf;
    this.#file = file;
    this.#lines = file.text.split('\n');
    const ranges = file.confs.length < 2 ? [] : rangesIn(settings.source.kind, this.#lines);
    this.#parts = ranges.map((range) => partOf(this.#lines, range));
    this.#own = file.confs.map(({ settings: { at, source } }) =>
      at?.file === source.path ? this.#parts.find((one) => holds(one, at.line - 1)) : undefined,
    );
    this.#read = this.#partsOfNodes(isSame);
  }

  /** The part of the file that these edits reach, together with a node; null for the whole file. */
  reachedBy(edits: readonly Edit[], node: number): Cut | null {
    if (this.#read === null) return null;
    const [{ settings }] = this.#file.confs as [Conf];
    const { path } = settings.source;
    const touched = new Set<Part | undefined>();
    for (const { file, line, endLine } of edits)
      if (file === path) for (let at = line; at <= endLine; at += 1) touched.add(this.#starting(at - 1));
    const others = new Set(edits.flatMap(({ file }) => (file === path ? [] : [file])));
    const users = [...others].map((file) => this.#file.confs.map((conf) => uses(conf, file)));
    // What starts no node, and a file that no node is known to use, may reach every node.
    if (touched.has(undefined) || users.some((all) => !all.includes(true))) return null;
    const isReached = (at: number) =>
      at === node ||
      users.some((all) => all[at] === true) ||
      [...(this.#read?.[at] ?? [])].some((one) => touched.has(one));
    const kept = this.#file.confs.flatMap((_, at) => (isReached(at) ? [...(this.#read?.[at] ?? [])] : []));
    const cut = this.#cut(new Set([...kept, ...touched].filter((one) => one !== undefined)));
    return cut.nodes.length === this.#file.confs.length ? null : cut;
  }

  /** The part at a line that starts a node. */
  #starting(line: number): Part | undefined {
    return this.#own.find((one) => one !== undefined && holds(one, line));
  }

  #partsOfNodes(isSame: (cut: Cut) => boolean): ReadonlySet<Part>[] | null {
    if (new Set(this.#own).size < 2 || this.#own.includes(undefined)) return null;
    const all: ReadonlySet<Part>[] = [];
    for (const own of this.#own) {
      const alone = new Set([own as Part]);
      const read = [alone, this.#named(alone)].find((some) => isSame(this.#cut(some)));
      if (read === undefined) return null;
      all.push(read);
    }
    return all;
  }

  /** These parts, and those that they name. */
  #named(some: ReadonlySet<Part>): ReadonlySet<Part> {
    const all = new Set(some);
    for (const { words } of all)
      for (const one of this.#parts) if (one.names.some((name) => words.has(name))) all.add(one);
    return all;
  }

  /** The file without the other parts that start nodes. Their lines are empty but for comments. */
  #cut(kept: ReadonlySet<Part>): Cut {
    const lines = [...this.#lines];
    for (const one of new Set(this.#own))
      if (one !== undefined && !kept.has(one))
        for (let at = one.start; at < one.end; at += 1) lines[at] = /\r?$/.exec(lines[at] ?? '')?.[0] ?? '';
    const [{ settings }] = this.#file.confs as [Conf];
    for (const { text, at } of settings.source.comments)
      if (at.file === settings.source.path && (lines[at.line - 1] ?? '').trim() === '')
        lines[at.line - 1] = `${' '.repeat(at.column - 1)}${text}${lines[at.line - 1]}`;
    const nodes = this.#own.flatMap((one, at) => (one !== undefined && kept.has(one) ? [at] : []));
    return { text: lines.join('\n'), length: lines.reduce((sum, line) => sum + line.length, 0), nodes };
  }
}

function holds({ start, end }: Range, line: number): boolean {
  return line >= start && line < end;
}

function uses({ settings, alternatives = [] }: Conf, file: string): boolean {
  return (
    settings.files?.some(({ path }) => path === file) === true ||
    alternatives.some(({ conf }) => uses(conf, file))
  );
}
