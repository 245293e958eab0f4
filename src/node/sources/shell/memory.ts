/** The shell's variables and functions. A branch stores only its own changes. */
import { groupBy } from '../../../util/group-by.js';
import type { Range } from '../text/line-index.js';
import { type Element, isUnknown, type Unknown, type Value } from './value.js';

export interface Variable {
  /** Undefined if it was never assigned. It is null if it is unset, so neither `rest` nor the caller's environment applies. */
  readonly value: Value | null | undefined;
  readonly exported: boolean;
  readonly readOnly: boolean;
  /** Why bash transforms assigned values (integers, arrays, case), which makes them unknown. */
  readonly transformed: string | null;
}

const untouched: Variable = { value: undefined, exported: false, readOnly: false, transformed: null };

export class Memory {
  /** The value of names that were never assigned, once a command outside the subset may have set them. */
  rest: Unknown | null = null;
  exportAll = false;
  /** A command that may have exported variables of any name; null if there is none. */
  exporter: Range | null = null;
  /** $1 and the following arguments; null if it is not known. */
  args: readonly Element[] | null = null;
  /** Exit status of the last command; null when unknown. */
  status: number | null = 0;
  /** Enclosing branches. */
  readonly depth: number;
  private readonly below: Memory | null;
  private readonly variables = new Map<string, Variable>();
  private readonly functions = new Map<string, boolean>();

  constructor(below: Memory | null = null) {
    this.below = below;
    this.depth = below === null ? 0 : below.depth + 1;
    if (below !== null) this.takeState(below);
  }

  /** A branch, whose changes apply to this memory only after `settle`. */
  branch(): Memory {
    return new Memory(this);
  }

  /** The number of names changed in this branch. */
  get changes(): number {
    return this.variables.size + this.functions.size;
  }

  of(name: string): Variable {
    for (let memory: Memory | null = this; memory !== null; memory = memory.below) {
      const found = memory.variables.get(name);
      if (found !== undefined) return found;
    }
    return untouched;
  }

  /** The assigned value; undefined when there is none. */
  valueOf(name: string): Value | undefined {
    return this.of(name).value ?? undefined;
  }

  change(name: string, change: Partial<Variable>): void {
    this.variables.set(name, { ...this.of(name), ...change });
  }

  isFunction(name: string): boolean {
    for (let memory: Memory | null = this; memory !== null; memory = memory.below) {
      const found = memory.functions.get(name);
      if (found !== undefined) return found;
    }
    return false;
  }

  setFunction(name: string, defined: boolean): void {
    this.functions.set(name, defined);
  }

  /** Every variable, in the order of the first assignments. */
  all(): ReadonlyMap<string, Variable> {
    if (this.below === null) return this.variables;
    const layers: Memory[] = [];
    for (let memory: Memory | null = this; memory !== null; memory = memory.below) layers.unshift(memory);
    return new Map(layers.flatMap(({ variables }) => [...variables]));
  }

  /** Makes every variable unknown but these. Returns their number. */
  forget(unknown: Unknown, but: readonly string[] = []): number {
    const all = this.all();
    for (const [name, { value }] of all) {
      if (but.includes(name)) continue;
      if ((value ?? null) === null) this.change(name, { value: undefined });
      else this.change(name, { value: unknown });
    }
    this.rest = unknown;
    this.status = null;
    return all.size;
  }

  /** Merges branches of which one ran: keeps what they agree on, and makes the rest unknown for `reason`. */
  settle(ends: readonly Memory[], reason: string): void {
    const [first, ...others] = ends;
    if (first === undefined) return;
    for (const [name, found] of changesOf(ends, ({ variables }) => variables)) {
      const outcomes = found.length < ends.length ? [...found, this.of(name)] : found;
      const merged = outcomes.reduce((left, right) => either(left, right, reason));
      this.variables.set(name, merged);
    }
    for (const [name, found] of changesOf(ends, ({ functions }) => functions))
      this.functions.set(name, found.includes(true) || (found.length < ends.length && this.isFunction(name)));
    this.takeState(first);
    for (const end of others) {
      this.rest ??= end.rest;
      this.exportAll ||= end.exportAll;
      this.exporter ??= end.exporter;
      if (this.args !== end.args) this.args = null;
      if (this.status !== end.status) this.status = null;
    }
  }

  private takeState({ rest, exportAll, exporter, args, status }: Memory): void {
    this.rest = rest;
    this.exportAll = exportAll;
    this.exporter = exporter;
    this.args = args;
    this.status = status;
  }
}

/** For each changed name its states in the branches that changed it. */
function changesOf<T>(ends: readonly Memory[], changes: (end: Memory) => ReadonlyMap<string, T>) {
  const all = ends.flatMap((end) => [...changes(end)]);
  const byName = groupBy(all, ([name]) => name);
  return [...byName].map(([name, found]) => [name, found.map(([, change]) => change)] as const);
}

/** A variable that is in one of two states. */
function either(left: Variable, right: Variable, reason: string): Variable {
  if (left === right) return left;
  const mayBeReadOnly = left.readOnly !== right.readOnly ? 'it may be read-only' : null;
  return {
    value: eitherValue(left.value, right.value, reason),
    exported: left.exported || right.exported,
    readOnly: left.readOnly && right.readOnly,
    transformed: mayBeReadOnly ?? right.transformed ?? left.transformed,
  };
}

function eitherValue(left: Variable['value'], right: Variable['value'], reason: string): Variable['value'] {
  if (left === right) return left;
  if (isUnknown(left) && isUnknown(right)) {
    const same = left.partly === right.partly && left.list === right.list;
    return same ? left : { unknown: left.unknown };
  }
  return (left ?? null) === null && (right ?? null) === null ? undefined : { unknown: reason };
}
