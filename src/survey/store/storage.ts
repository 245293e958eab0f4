/** Where a survey server keeps what it must not forget: rows in tables, behind one interface for every database. */
import { Refused } from '../protocol/refused.js';

/** A row, as its columns in the order asked for. */
export type Row = readonly unknown[];

/** Statements are SQL that SQLite and PostgreSQL both understand, with `?` for each value. */
export interface Rows {
  all<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R[]>;
  /** The first row, or undefined. */
  one<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R | undefined>;
  /** How many rows changed. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>;
}

/** Within a transaction. */
export interface Transaction extends Rows {
  /** Tells every process that listens, this one included, as soon as what was written can be read, and never before. */
  notify(topic: Topic, text: string): Promise<void>;
}

/** The lock of whatever adds a member, or settles who has become one. */
export const joinLock = 'surveys';

/** The refusal of a store whose disk takes no writes (503): nothing was done. */
export function readOnly(sentence: string): Refused {
  const reason = 'its disk is full, read-only, or fails: try again later';
  return new Refused('STORE_READ_ONLY', sentence, reason);
}

export function isReadOnly(error: unknown): error is Refused {
  return error instanceof Refused && error.code === 'STORE_READ_ONLY';
}

/** Writes something that changes nothing. @throws {Refused} when the store cannot be written */
export async function rewrite(rows: Rows): Promise<void> {
  await rows.run("UPDATE settings SET value = value WHERE name = 'secret'");
}

/** Every write is on disk when its promise resolves. */
export interface Storage extends Rows {
  readonly kind: 'sqlite' | 'postgres';
  /** This process among those that share the store: another word with every start. */
  readonly owner: string;
  /** Whether the process of that word still runs. */
  isAlive(owner: string): Promise<boolean>;
  /** All or nothing, and one after another among all who take the same lock. A throwing body leaves no trace. */
  atomically<T>(lock: string, body: (rows: Transaction) => Promise<T>): Promise<T>;
  /** Tells every process that listens, this one included. */
  notify(topic: Topic, text: string): Promise<void>;
  /** Hears what was told since; a process that was cut off for a while hears an empty text: look yourself. */
  listen(topic: Topic, heard: (text: string) => void): () => void;
  /**
   * Runs `lead` as the only process of all that has this name, as soon as no other does.
   * Its signal aborts when the lead is lost or the store closes.
   */
  lead(name: string, lead: (signal: AbortSignal) => Promise<void>): void;
  /**
   * Writes a copy, complete and consistent, to a file that must not exist.
   * @throws {Refused} when it cannot be written, or the store is not a file
   */
  copyTo(path: string): Promise<void>;
  /** Bytes the store can still grow by; null: that is not known here. Rejects when the store does not answer. */
  room(): Promise<number | null>;
  /** Why nothing can be written now, after another try; null: the last write went through. */
  problem(): Promise<Refused | null>;
  close(): Promise<void>;
}

/** What is told: a survey's group has changed; a transaction has. */
export type Topic = 'group' | 'transaction';
