/** Erases deleted values from the log of an SQLite file, and the order of insertion from the file. */
import type { Database } from 'libsql';

/** Delay between a write and emptying the log, in milliseconds. */
const emptyAfter = 1000;
/** Delay between a write and a VACUUM: a minute, or 200 times the duration of the last one. */
const layOutAfter = 60_000;
const layOutShare = 200;

export class Tidying {
  readonly #database: Database;
  readonly #inMemory: boolean;
  readonly #emptying: Chore;
  readonly #layingOut: Chore;
  #layOutAfter = layOutAfter;
  #ended = false;

  /** @param isBusy whether a transaction is running; all work waits for its end */
  constructor(database: Database, path: string, isBusy: () => boolean) {
    this.#database = database;
    this.#inMemory = path === ':memory:';
    this.#emptying = new Chore(() => this.emptyLog(), isBusy);
    this.#layingOut = new Chore(() => this.layOut(), isBusy);
  }

  /** Schedules both, after a write. */
  later(): void {
    if (this.#ended) return;
    this.#emptying.schedule(emptyAfter);
    this.#layingOut.schedule(this.#layOutAfter);
  }

  emptyLog(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The disk rejects writes. The log stays complete: retry.
      this.#askAgain(this.#emptying, emptyAfter);
    }
  }

  /** Rewrites the file in key order, so that it does not show the order of insertion. */
  layOut(): void {
    if (this.#inMemory) return;
    const began = performance.now();
    try {
      this.#database.exec('VACUUM');
      this.emptyLog();
    } catch {
      // The disk is too full: retry later, at the latest on shutdown.
      this.#askAgain(this.#layingOut, this.#layOutAfter);
    }
    this.#layOutAfter = Math.max(layOutAfter, layOutShare * (performance.now() - began));
  }

  #askAgain(chore: Chore, afterMs: number): void {
    if (!this.#ended) chore.schedule(afterMs);
  }

  /** Cancels what is scheduled. */
  end(): void {
    this.#ended = true;
    this.#emptying.cancel();
    this.#layingOut.cancel();
  }
}

/** Work that runs once after a delay, and not while the store is busy. */
export class Chore {
  readonly #work: () => void;
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;

  constructor(work: () => void, isBusy: () => boolean) {
    this.#work = work;
    this.#isBusy = isBusy;
  }

  /** Schedules the work, unless it is scheduled. Does not keep the process alive. */
  schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#isBusy()) this.schedule(afterMs);
      else this.#work();
    }, afterMs).unref();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
