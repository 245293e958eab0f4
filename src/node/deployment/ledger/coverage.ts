/** The places of files that targets account for: where their settings, words and starts are written. */
import { sep } from 'node:path';
import { oncePerKey } from '../../../util/once-per.js';
import type { Conf, Facts } from '../../facts/facts.js';
import { givenIn, type Settings, type SourceKind } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import type { Deployment } from '../join.js';

/** Files that hold only settings: what a node reads of them, it reads as a whole. */
const whole = new Set(['conf', 'environment', 'yaml', 'toml']);
const wholeRoles = new Set(['conf', 'environment', 'sourced']);
/** Parts of the file that starts the node, in its format. */
const partRoles = new Set(['extended', 'overriding', 'included', 'patched']);

type Columns = readonly [from: number, to: number];

interface Covered {
  /** By line: the columns of each part, the end exclusive. */
  readonly lines: Map<number, Columns[]>;
  isWhole: boolean;
  /** The kind of file, where a target is started in it, or its image is built. */
  kind: SourceKind | null;
}

/** The files that are read together. */
export type Folder = Pick<Deployment, 'keyOf' | 'holds'> & Partial<Pick<Deployment, 'isAsked'>>;

export class Coverage {
  readonly #files = new Map<string, Covered>();
  readonly #told = new Set<string>();
  readonly #folder: Folder;
  /** A target has many spans in few files. */
  readonly #keyOf: Folder['keyOf'];

  constructor(folder: Folder) {
    this.#folder = folder;
    this.#keyOf = oncePerKey((file: string) => folder.keyOf(file));
  }

  holds(tail: string, from: LineIndex): boolean {
    return this.#folder.holds(tail, from);
  }

  /** Whether a target reads a variable of this name. */
  isAsked(name: string): boolean {
    return this.#folder.isAsked?.(name) === true;
  }

  /** Whether a target uses the file. */
  isUsed(file: string): boolean {
    return this.#files.has(this.#keyOf(file));
  }

  /** Whether everything in the file is accounted for. */
  isWhole(file: string): boolean {
    return this.#files.get(this.#keyOf(file))?.isWhole === true;
  }

  /** Whether each start of the file was read or told: of scripts alone, parts may be missed. */
  isRead(file: string): boolean {
    const kind = this.#files.get(this.#keyOf(file))?.kind ?? null;
    return kind !== null && kind !== 'script' && kind !== 'command line';
  }

  /** Whether a target uses a file below this folder. */
  isUsedBelow(folder: string): boolean {
    const start = `${this.#keyOf(folder)}${sep}`;
    for (const key of this.#files.keys()) if (key.startsWith(start)) return true;
    return false;
  }

  /** Whether a target uses a part of this span, or the whole file. */
  has(span: Span): boolean {
    const known = this.#files.get(this.#keyOf(span.file));
    if (known === undefined) return false;
    if (known.isWhole) return true;
    return linesOf(span).some(([line, [from, to]]) =>
      known.lines.get(line)?.some(([start, end]) => start < to && from < end),
    );
  }

  /** Remembers that a client was told of a template of the chart. */
  tell(chart: string, client: string): void {
    this.#told.add(`${chart}\n${client}`);
  }

  isTold(chart: string, client: string): boolean {
    return this.#told.has(`${chart}\n${client}`);
  }

  /** A target: what it was read from, or why it was not read. */
  add({ conf, name, defect, signs = [] }: Facts): void {
    if (defect !== undefined) this.#file(name).isWhole = true;
    for (const { at } of signs) if (at !== null) this.#span(at);
    if (conf?.state === 'seen') this.#conf(conf.value);
    else if (conf?.code === 'unreadable') this.#file(name).isWhole = true;
  }

  /** A file of which everything is accounted for. */
  addWhole(path: string): void {
    this.#file(path).isWhole = true;
  }

  #conf({ settings, alternatives = [] }: Conf): void {
    if (whole.has(settings.source.kind)) this.#file(settings.source.path).isWhole = true;
    for (const span of spansOf(settings)) this.#span(span);
    for (const { path, role } of settings.files ?? []) {
      const file = this.#file(path);
      file.isWhole ||= wholeRoles.has(role);
      if (role === 'built') file.kind = 'dockerfile';
      if (partRoles.has(role)) file.kind ??= settings.source.kind;
    }
    this.#file(settings.source.path).kind = settings.source.kind;
    for (const { conf } of alternatives) this.#conf(conf);
  }

  #span(span: Span): void {
    const { lines, isWhole } = this.#file(span.file);
    if (isWhole) return;
    for (const [line, columns] of linesOf(span)) {
      const known = lines.get(line);
      if (known === undefined) lines.set(line, [columns]);
      else known.push(columns);
    }
  }

  #file(path: string): Covered {
    const key = this.#keyOf(path);
    const known = this.#files.get(key) ?? { lines: new Map(), isWhole: false, kind: null };
    this.#files.set(key, known);
    return known;
  }
}

/** The columns of each line of a span, and at least one; of a very long span those of its first lines. */
function linesOf({ line, column, endLine, endColumn }: Span): [line: number, Columns][] {
  return Array.from({ length: Math.min(endLine - line + 1, 10_000) }, (_, index) => {
    const from = index === 0 ? column : 1;
    const to = line + index === endLine ? endColumn : Number.POSITIVE_INFINITY;
    return [line + index, [from, Math.max(to, from + 1)]];
  });
}

function* spansOf({ at, start, values, keys, listeners, unread = [] }: Settings): Generator<Span> {
  if (at !== undefined) yield at;
  for (const word of start ?? []) if (word.at !== null) yield word.at;
  for (const [, { origin, shadowed }] of givenIn(values))
    for (const one of [origin, ...shadowed.map((other) => other.origin)]) {
      const span = 'at' in one ? one.at : null;
      if (span !== null) yield span;
    }
  for (const key of Object.values(keys)) if (key.at !== null) yield key.at;
  for (const { listed } of listeners) for (const one of listed ?? []) if (one.at !== null) yield one.at;
  for (const { hops = [] } of listeners) for (const one of hops) if (one.of === 'port') yield one.at;
  yield* unread;
}
