/** Values that override those of a chart. */
import type { LineIndex } from '../../text/line-index.js';
import type { Placed } from '../../text/placed.js';
import { readYaml } from '../../yaml/document.js';
import { mapOf, type Tree } from '../../yaml/tree.js';
import { Unrendered } from './tokens.js';

/** Values over those of the chart, each layer over the one before. */
export interface Over {
  readonly trees: readonly Tree[];
  readonly inputs: readonly LineIndex[];
  /** Whether a condition that only the cluster decides is assumed to hold. Default: none is. */
  holds?(condition: Placed): boolean;
}

export const nothing: Over = { trees: [], inputs: [] };

/** The values of a file over those of the chart. @throws {Unrendered} for a file that is no YAML */
export function overBy(file: LineIndex): Over {
  const tree = rootOf(file);
  return { trees: tree === null ? [] : [tree], inputs: [file] };
}

/** A map with the value at this path; an empty path or `.` is the value itself. */
export function at(path: string, value: Tree, place: Placed): Tree {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduceRight((tree, name) => mapOf(place, { [name]: tree }), value);
}

/** The first document of a file. @throws {Unrendered} where it cannot be read */
export function rootOf(file: LineIndex | null): Tree | null {
  const [document] = file === null ? [] : readYaml(file);
  if (document?.problem) throw new Unrendered(document.problem.message);
  return document?.root ?? null;
}
