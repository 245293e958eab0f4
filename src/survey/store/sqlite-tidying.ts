/** Erases deleted values from the log of an SQLite file, and the order of insertion from the file. */
import type { Database } from 'libsql';
import { Chore, eraseAfter } from './chore.js';

/** Delay between a write and emptying the log, in milliseconds. */
const emptyAfter = 1000;

export class Tidying {
  readonly #database: Database;
  readonly #inMemory: boolean;
  readonly #emptying: Chore;
  readonly #layingOut: Chore;
  #layOutAfter = eraseAfter(0);
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
    this.#layOutAfter = eraseAfter(performance.now() - began);
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
