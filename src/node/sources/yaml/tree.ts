/** A YAML value with the places of its parts: a node of a document, or a value composed of several documents. */
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

export function textsOf(tree: Tree | null): Map<string, string> {
  return new Map((tree?.entries ?? []).map(({ key, value }) => [key.text, value?.text?.text ?? '']));
}

/** The text of a scalar below a value; '' if there is none. */
export function textAt(tree: Tree | null, ...names: readonly string[]): string {
  return tree?.path(...names)?.text?.text ?? '';
}
