/** What a row no longer holds must not linger in the log beside a store's file, nor its place tell when it came. */
import type { Database } from 'libsql';
import { Chore } from './chore.js';

/** How long after a write the log beside the file is emptied, in milliseconds. */
const emptyAfter = 1000;
/** How long after a write the rows are laid out anew: a minute, or 200 times as long as that takes. */
const layOutAfter = 60_000;
const layOutShare = 200;

export class Tidying {
  readonly #database: Database;
  readonly #inMemory: boolean;
  readonly #emptying: Chore;
  readonly #layingOut: Chore;
  #layOutAfter = layOutAfter;
  #ended = false;

  /** `isBusy`: whether a transaction is under way, which nothing here may disturb. */
  constructor(database: Database, path: string, isBusy: () => boolean) {
    this.#database = database;
    this.#inMemory = path === ':memory:';
    this.#emptying = new Chore(() => this.emptyLog(), isBusy);
    this.#layingOut = new Chore(() => this.layOut(), isBusy);
  }

  /** After a write. */
  later(): void {
    if (this.#ended) return;
    this.#emptying.askFor(emptyAfter);
    this.#layingOut.askFor(this.#layOutAfter);
  }

  emptyLog(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A disk that takes no writes keeps the log, in which nothing is missing: again later.
      this.#askAgain(this.#emptying, emptyAfter);
    }
  }

  /** Lays rows out anew, in the order of their keys: the order they came in is nobody's business. */
  layOut(): void {
    if (this.#inMemory) return;
    const began = performance.now();
    try {
      this.#database.exec('VACUUM');
      this.emptyLog();
    } catch {
      // The disk is too full for it: later, or when the server ends.
      this.#askAgain(this.#layingOut, this.#layOutAfter);
    }
    this.#layOutAfter = Math.max(layOutAfter, layOutShare * (performance.now() - began));
  }

  #askAgain(chore: Chore, afterMs: number): void {
    if (!this.#ended) chore.askFor(afterMs);
  }

  /** Nothing comes by itself from now on. */
  end(): void {
    this.#ended = true;
    this.#emptying.cancel();
    this.#layingOut.cancel();
  }
}
