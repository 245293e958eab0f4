/** A survey server's persistent rows, behind one interface for all databases. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '../protocol/refused.js';

/** A row: its columns in the order of the query. */
export type Row = readonly unknown[];

/** Statements are SQL that SQLite and PostgreSQL both understand, with `?` for each value. */
export interface Rows {
  all<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R[]>;
  /** The first row, or undefined. */
  one<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R | undefined>;
  /** How many rows changed. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>;
}

/** Statements within a transaction. */
export interface Transaction extends Rows {
  /** Notifies every listening process, this one included, after the commit. */
  notify(topic: Topic, text: string): Promise<void>;
}

/** The lock for adding members and for settling reservations. */
export const joinLock = 'surveys';

/** First half of the advisory lock that each process of a PostgreSQL database holds. */
export const ownerLock = 0x6b61_0001;

/** The refusal when the disk rejects writes (503): nothing was done. */
export function readOnly(sentence: string): Refused {
  const reason = 'its disk is full, read-only or failing: try again later';
  return new Refused('STORE_READ_ONLY', sentence, reason);
}

export function isReadOnly(error: unknown): error is Refused {
  return error instanceof Refused && error.code === 'STORE_READ_ONLY';
}

/** The refusal of a store that is damaged (503): nothing was done. */
export function damageRefusal(what: string): Refused {
  const reason = `${what}: check a backup (of a file: “kaiactl survey backup --verify FILE”), and restore it`;
  return new Refused('STORE_DAMAGED', 'the store is damaged', reason);
}

export function isDamaged(error: unknown): error is Refused {
  return error instanceof Refused && error.code === 'STORE_DAMAGED';
}

/** A setting of the store: its id, or a value that identifies its secret. Empty if the store has none. */
export async function settingOf(rows: Rows, name: 'store' | 'secret'): Promise<string> {
  return (await rows.one<[string]>('SELECT value FROM settings WHERE name = ?', name))?.[0] ?? '';
}

/** Tests whether the store can be written, without changing it. @throws {Refused} when it cannot */
export async function rewrite(rows: Rows): Promise<void> {
  await rows.run("UPDATE settings SET value = value WHERE name = 'secret'");
}

const maxInserted = 200;

/** Inserts many rows in few statements. @param into the table with its columns: `allowed (survey, person)` */
export async function insertAll(rows: Rows, into: string, records: readonly (readonly unknown[])[]) {
  for (let at = 0; at < records.length; at += maxInserted) {
    const some = records.slice(at, at + maxInserted);
    const places = some.map((record) => `(${record.map(() => '?').join(', ')})`);
    await rows.run(`INSERT INTO ${into} VALUES ${places.join(', ')}`, ...some.flat());
  }
}

/** Every write is on disk when its promise resolves. */
export interface Storage extends Rows {
  readonly kind: 'sqlite' | 'postgres';
  /** Identifies this process among those that share the store; new at every start. */
  readonly owner: string;
  isAlive(owner: string): Promise<boolean>;
  /** A transaction. Transactions with the same lock run one after another; a body that throws rolls back. */
  atomically<T>(lock: string, body: (rows: Transaction) => Promise<T>): Promise<T>;
  /** Notifies every listening process, this one included. */
  notify(topic: Topic, text: string): Promise<void>;
  /** Subscribes, and returns a function that unsubscribes. After a lost connection, listeners get an empty text: read again. */
  listen(topic: Topic, heard: (text: string) => void): () => void;
  /** Runs `lead` once this process holds the lease; the signal aborts when it is lost or the store closes. */
  lead(name: string, lead: (signal: AbortSignal) => Promise<void>): void;
  /** Writes a copy to a new file. @throws {Refused} when it cannot be written, or the store is not a file */
  copyTo(path: string): Promise<void>;
  /** Free space in bytes; null if it is unknown. Rejects when the store does not answer. */
  room(): Promise<number | null>;
  /** Why writes fail, after a retry; null if the last write succeeded. */
  problem(): Promise<Refused | null>;
  close(): Promise<void>;
}

/** What changed: a survey's group, a transaction, or what an admin decided. */
export const topics = ['group', 'transaction', 'decision'] as const;
export type Topic = (typeof topics)[number];

/** Delays between retries, in milliseconds: the first and the longest. */
const pauses = [250, 30_000] as const;

/** Retries until the write succeeds. Does not keep the process alive. */
export async function persistently(write: () => Promise<unknown>): Promise<void> {
  const [first, max] = pauses;
  for (let pause: number = first; ; pause = Math.min(2 * pause, max)) {
    try {
      await write();
      return;
    } catch {
      await sleep(pause, undefined, { ref: false });
    }
  }
}

export class Topics {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  emit(topic: Topic, text: string): void {
    this.#emitter.emit(topic, text);
  }

  emitAll(notifications: readonly (readonly [Topic, string])[]): void {
    for (const [topic, text] of notifications) this.emit(topic, text);
  }

  listen(topic: Topic, heard: (text: string) => void): () => void {
    this.#emitter.on(topic, heard);
    return () => this.#emitter.off(topic, heard);
  }
}
