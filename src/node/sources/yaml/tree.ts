/** Values of YAML, read from a document or composed of several: texts, lists and maps, and how maps are merged. */
import type { Span } from '../../facts/span.js';
import type { Placed } from '../text/placed.js';

export interface Entry {
  readonly key: Placed;
  readonly value: Tree | null;
}

/** Properties that do not apply to the type of the value are empty. */
export interface Tree {
  readonly isMap: boolean;
  readonly isList: boolean;
  /** The place of the whole value. */
  readonly at: Span;
  /** A scalar as it is written; null for YAML's null and for other values. */
  readonly text: Placed | null;
  /** A scalar as YAML resolves it: text, number, true, false or null. */
  readonly value: unknown;
  readonly items: readonly Tree[];
  readonly entries: readonly Entry[];
  get(name: string): Tree | null;
  /** Follows one key after the other. */
  path(...names: readonly string[]): Tree | null;
}

/** A value made of parts that have places. */
class Composed implements Tree {
  readonly at: Span;
  readonly isMap: boolean;
  readonly isList: boolean;
  readonly text: Placed | null;
  readonly value: unknown;
  readonly items: readonly Tree[];
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(at: Span, content: Placed | readonly Tree[] | ReadonlyMap<string, Entry>, value?: unknown) {
    this.at = at;
    this.value = value;
    this.isList = Array.isArray(content);
    this.isMap = content instanceof Map;
    this.text = this.isList || this.isMap ? null : (content as Placed);
    this.items = this.isList ? (content as readonly Tree[]) : [];
    this.#entries = this.isMap ? (content as ReadonlyMap<string, Entry>) : new Map();
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  get(name: string): Tree | null {
    return this.#entries.get(name)?.value ?? null;
  }

  path(...names: readonly string[]): Tree | null {
    return names.reduce<Tree | null>((tree, name) => tree?.get(name) ?? null, this);
  }
}

/** `value`: as YAML resolves it; default: the text. */
export function textTree(text: Placed, value: unknown = text.text): Tree {
  return new Composed(text.span(), text, value);
}

export function listTree(at: Span, items: readonly Tree[]): Tree {
  return new Composed(at, items);
}

/** Of two entries with the same key the last counts. */
export function mapTree(at: Span, entries: readonly Entry[]): Tree {
  return new Composed(at, new Map(entries.map((entry) => [entry.key.text, entry])));
}

/** A map with one entry set; value null: without it. */
export function withEntry(map: Tree, key: Placed, value: Tree | null): Tree {
  const others = map.entries.filter((one) => one.key.text !== key.text);
  return mapTree(map.at, value === null ? others : [...others, { key, value }]);
}

/**
 * Overrides a value with another. Maps are merged, and a null removes its key. Lists are replaced, but where `keyOf` names
 * the key by which items are the same: these are merged. `$patch: delete` removes a value, and `replace` keeps nothing.
 */
export function mergeTrees(
  base: Tree | null,
  over: Tree,
  keyOf: (list: string) => readonly string[],
): Tree | null {
  const directive = over.get('$patch')?.text?.text;
  if (directive === 'delete') return null;
  if (!over.isMap) return over;
  const before = base?.isMap === true && directive !== 'replace' ? base : null;
  const entries = new Map((before?.entries ?? []).map((one) => [one.key.text, one]));
  for (const { key, value } of over.entries) {
    if (key.text.startsWith('$')) continue;
    const known = entries.get(key.text);
    const next =
      value?.isList === true && known?.value?.isList === true
        ? mergedList(known.value, value, keyOf(key.text), keyOf)
        : value && mergeTrees(known?.value ?? null, value, keyOf);
    if (next === null) entries.delete(key.text);
    else entries.set(key.text, { key: known?.key ?? key, value: next });
  }
  return new Composed((before ?? over).at, entries);
}

function mergedList(
  base: Tree,
  over: Tree,
  keys: readonly string[],
  keyOf: (list: string) => readonly string[],
): Tree {
  const key = keys.find((one) => over.items.some((item) => item.get(one) !== null));
  if (key === undefined) return over;
  const idOf = (item: Tree): string | undefined => item.get(key)?.text?.text;
  const items = [...base.items];
  for (const item of over.items) {
    const at = items.findIndex((one) => idOf(one) !== undefined && idOf(one) === idOf(item));
    const next = mergeTrees(at < 0 ? null : (items[at] as Tree), item, keyOf);
    if (next === null) items.splice(at, at < 0 ? 0 : 1);
    else if (at < 0) items.push(next);
    else items[at] = next;
  }
  return listTree(base.at, items);
}

/** A map with these keys, which have the place of a text, as it has itself. */
export function mapOf(at: Placed, values: Readonly<Record<string, Tree | null>>): Tree {
  const entries = Object.entries(values).map(([name, value]) => ({ key: at.as(name), value }));
  return mapTree(at.span(), entries);
}

/** The items of a list below a value; none if there is no list. */
export function itemsAt(tree: Tree | null | undefined, ...names: readonly string[]): readonly Tree[] {
  return tree?.path(...names)?.items ?? [];
}

/** The texts in a list below a value. */
export function textsAt(tree: Tree | null | undefined, ...names: readonly string[]): Placed[] {
  return itemsAt(tree, ...names).flatMap(({ text }) => text ?? []);
}

export function textsOf(tree: Tree | null): Map<string, string> {
  return new Map((tree?.entries ?? []).map(({ key, value }) => [key.text, value?.text?.text ?? '']));
}

/** The text of a scalar below a value; '' if there is none. */
export function textAt(tree: Tree | null, ...names: readonly string[]): string {
  return tree?.path(...names)?.text?.text ?? '';
}
