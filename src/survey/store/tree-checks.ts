/** Compares the members of each group with the root of its tree: one group at a time, hashed beside the requests. */
import { oncePerKey } from '../../util/once-per.js';
import { memoryRoots } from '../group/root-cache.js';
import { isLeaf } from '../protocol/commitment.js';

/** A group as it is stored: its leaves, and the root that its tree says it has. */
export interface StoredTree {
  readonly leaves: readonly string[];
  readonly root: bigint;
}

interface Checked {
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
  /** A clause; null if leaves and root agree. */
  readonly fault: string | null;
}

/** Time between two rounds: a minute, or a hundred times the duration of the last one, in milliseconds. */
const roundMs = (tookMs: number) => Math.max(60_000, 100 * tookMs);

interface Groups {
  list(): Promise<readonly string[]>;
  /** Null: it cannot be read now, and keeps its last result. */
  read(survey: string): Promise<StoredTree | null>;
  /** Called before the fault of a survey is known to callers. */
  onFault?(survey: string): void;
}

export class TreeChecks {
  readonly #groups: Groups;
  readonly #checked = new Map<string, Checked>();
  /** Roots of subtrees that were hashed: a later round hashes what has changed. */
  readonly #rootsOf = oncePerKey((_survey: string) => memoryRoots());
  readonly #ended = new AbortController();
  #running: Promise<void> | null = null;
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  /** Why the survey's members do not agree with their tree; null if they do, or were not checked yet. */
  fault(survey: string): string | null {
    return this.#checked.get(survey)?.fault ?? null;
  }

  anyFault(): string | null {
    for (const { fault } of this.#checked.values()) if (fault !== null) return fault;
    return null;
  }

  /** Age of the oldest check, in seconds; null if none was made. */
  ageSeconds(): number | null {
    const times = Array.from(this.#checked.values(), ({ at }) => at);
    return times.length === 0 ? null : Math.round((performance.now() - Math.min(...times)) / 1000);
  }

  /** Starts a round in the background if one is due. */
  later(): void {
    if (performance.now() >= this.#dueAt) this.run().catch(() => undefined);
  }

  /** Checks every group once; concurrent callers share a round. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #round(): Promise<void> {
    const began = performance.now();
    const surveys = await this.#groups.list().catch(() => null);
    for (const survey of surveys ?? []) {
      if (this.#ended.signal.aborted) return;
      const at = performance.now();
      const fault = await this.#check(survey).catch(() => undefined);
      if (fault === undefined) continue;
      if (fault !== null) this.#groups.onFault?.(survey);
      this.#checked.set(survey, { at, fault });
    }
    this.#dueAt = performance.now() + roundMs(performance.now() - began);
  }

  /** Undefined: it cannot be read now. */
  async #check(survey: string): Promise<string | null | undefined> {
    const tree = await this.#groups.read(survey);
    if (tree === null) return undefined;
    const at = tree.leaves.findIndex((leaf) => !isLeaf(leaf));
    if (at !== -1) return `member ${at} of ${survey} is not a commitment`;
    const root = await this.#rootsOf(survey).root(tree.leaves, undefined, this.#ended.signal);
    return root === tree.root ? null : `the tree of ${survey} is not that of its members`;
  }

  /** Resolves when no round runs. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }
}
