/** What the shell remembers: all that a branch may or may not change. */
import { isUnknown, type Unknown, type Value } from './value.js';

/** Everything that a branch may or may not change. */
export interface Memory {
  variables: Map<string, Value>;
  exported: Set<string>;
  readOnly: Set<string>;
  /** Variables whose assignments bash transforms (integers, arrays, case): why their value is unknown. */
  transformed: Map<string, string>;
  functions: Set<string>;
  /** Names that were unset on purpose: neither `rest` nor the caller's environment fills them again. */
  removed: Set<string>;
  /** What a name that was never assigned holds, once a command outside the subset may have set it. */
  rest: Unknown | null;
  exportAll: boolean;
  /** Exit status of the last command; null when unknown. */
  status: number | null;
}

/** A copy that later changes do not reach. */
export function copyOf(memory: Memory): Memory {
  return {
    ...memory,
    variables: new Map(memory.variables),
    exported: new Set(memory.exported),
    readOnly: new Set(memory.readOnly),
    transformed: new Map(memory.transformed),
    functions: new Set(memory.functions),
    removed: new Set(memory.removed),
  };
}

/** What is known when either of two outcomes may have happened. */
export function merged(left: Memory, right: Memory, reason: string): Memory {
  const variables = new Map<string, Value>();
  for (const name of new Set([...left.variables.keys(), ...right.variables.keys()])) {
    const [a, b] = [left.variables.get(name), right.variables.get(name)];
    variables.set(name, same(a, b) ? (a as Value) : { unknown: reason });
  }
  const transformed = new Map([...left.transformed, ...right.transformed]);
  for (const name of [...left.readOnly, ...right.readOnly]) {
    if (left.readOnly.has(name) !== right.readOnly.has(name)) transformed.set(name, 'it may be read-only');
  }
  return {
    variables,
    exported: new Set([...left.exported, ...right.exported]),
    readOnly: new Set([...left.readOnly].filter((name) => right.readOnly.has(name))),
    transformed,
    functions: new Set([...left.functions, ...right.functions]),
    removed: new Set([...left.removed].filter((name) => right.removed.has(name))),
    rest: left.rest ?? right.rest,
    exportAll: left.exportAll || right.exportAll,
    status: left.status === right.status ? left.status : null,
  };
}

function same(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && (a === b || (isUnknown(a) && isUnknown(b)));
}
