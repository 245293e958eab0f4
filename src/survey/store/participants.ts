/** One join per person and survey, recorded without linking persons to commitments. */
import { finishedRefusal, Refused } from '../protocol/refused.js';
import { type Held, joining, type Traces } from './group-store.js';
import { claimOf, claimsOf, digestOf, personOf, type Secret } from './schema.js';
import { joinLock, persistently, type Rows, type Storage } from './storage.js';

/** A person's reserved place in a survey. Exactly one of confirm, release and leave ends it. */
export interface Reservation {
  /** Whether the reservation is still valid, asked within the transaction that records the join. */
  readonly held: Held;
  confirm(): Promise<void>;
  /** The join failed: the person may try again. */
  release(): Promise<void>;
  /** The outcome is unknown: the person's next attempt, on any server, settles it from the member list. */
  leave(): void;
}

/** Takes the place of a forgotten person where all records were dropped with their keys. */
export const ended = '';

export class Participants {
  readonly #storage: Storage;
  readonly #secret: Secret;
  /** Joins under way in this process. */
  readonly #here = new Set<string>();

  /** @param secret key of the hashes; kept apart from the store */
  constructor(storage: Storage, secret: Secret) {
    this.#storage = storage;
    this.#secret = secret;
  }

  /**
   * Reserves the person's place in the survey. The store keeps a keyed hash of person and survey and, until the join is
   * settled, one of the commitment: no time, no order, and no link from user to commitment without the secret.
   * @throws {Refused} when the person has joined, or is joining, or the record of who joined was dropped
   */
  async reserve(
    { survey, userId, commitment }: { survey: string; userId: string; commitment: bigint },
    traces: Traces,
  ): Promise<Reservation> {
    const hash = digestOf(`${survey}\n${userId}`);
    const person = personOf(this.#secret, hash);
    const key = `${survey} ${person}`;
    if (this.#here.has(key)) throw joining();
    this.#here.add(key);
    try {
      await this.#settle(survey, hash, traces);
      if (await this.hasEnded(survey)) throw finishedRefusal();
      if (await this.#isForgotten(survey, this.#tombstone(hash))) throw already();
      const claim = claimOf(this.#secret, person, String(commitment));
      const sql = 'INSERT INTO participants VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
      const added = await this.#storage.run(sql, survey, person, claim, this.#storage.owner);
      if (added === 0) throw joining();
      return this.#reservation(survey, person, claim, key);
    } catch (error) {
      this.#here.delete(key);
      throw error;
    }
  }

  /** The keyed hashes of a user's record, and of the mark that replaces it. */
  hashesOf(survey: string, userId: string): readonly [record: string, mark: string] {
    const hash = digestOf(`${survey}\n${userId}`);
    return [personOf(this.#secret, hash), this.#tombstone(hash)];
  }

  /** Erases a user's record; false if there was none. @throws {Refused} when a join of the user is under way */
  async forget(survey: string, userId: string, traces: Traces, mayRejoin: boolean): Promise<boolean> {
    const hash = digestOf(`${survey}\n${userId}`);
    const [person, mark] = this.hashesOf(survey, userId);
    if (this.#here.has(`${survey} ${person}`)) throw joining();
    const isKnown = await this.#settle(survey, hash, traces).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refused && error.code === 'ALREADY_JOINED') return true;
        throw error;
      },
    );
    return this.#storage.atomically(joinLock, (rows) =>
      erasePerson(rows, survey, [isKnown ? person : '', mark], { mayRejoin }),
    );
  }

  /** Whether the record of who joined was dropped: nobody can tell who may still join. */
  hasEnded(survey: string): Promise<boolean> {
    return this.#isForgotten(survey, ended);
  }

  async #isForgotten(survey: string, person: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM forgotten WHERE survey = ? AND person = ?';
    return (await this.#storage.one(sql, survey, person)) !== undefined;
  }

  #tombstone(hash: string): string {
    return personOf(this.#secret, digestOf(`forgotten\n${hash}`));
  }

  #reservation(survey: string, person: string, claim: string, key: string): Reservation {
    const mine = [survey, person, claim] as const;
    const { owner } = this.#storage;
    const write = (sql: string) => this.#storage.run(`${sql} ${claimed}`, ...mine);
    const leave = () => {
      this.#here.delete(key);
      // Other servers refuse the person while this process owns the reservation.
      void persistently(() => write('UPDATE participants SET owner = NULL'));
    };
    const then = async (sql: string) => {
      try {
        await write(sql);
        this.#here.delete(key);
      } catch (error) {
        leave();
        throw error;
      }
    };
    return {
      held: async (rows) =>
        (await rows.one(`SELECT 1 FROM participants ${claimed} AND owner = ?`, ...mine, owner)) !== undefined,
      confirm: () => then('UPDATE participants SET claim = NULL, owner = NULL'),
      release: () => then('DELETE FROM participants'),
      leave,
    };
  }

  /** Frees the reservation of an interrupted join that failed. @throws {Refused} when it succeeded or may still */
  async #settle(survey: string, hash: string, traces: Traces): Promise<void> {
    const person = personOf(this.#secret, hash);
    const sql = 'SELECT claim, owner FROM participants WHERE survey = ? AND person = ?';
    const row = await this.#storage.one<[string | null, string | null]>(sql, survey, person);
    if (row === undefined) return;
    const [claim, owner] = row;
    if (claim === null) throw already();
    const elsewhere = owner !== null && owner !== this.#storage.owner;
    if (elsewhere && (await this.#storage.isAlive(owner))) throw joining();
    if (!(await this.#takeOver([survey, person, claim], owner ?? ''))) throw joining();
    const isClaimed = (one: string) => claimsOf(this.#secret, hash, one).includes(claim);
    // Reads pending joins first: one that is mined in between appears among the members.
    const underWay = await traces.underWay();
    if ((await traces.members()).some(isClaimed)) throw already();
    if (underWay.some(isClaimed)) throw joining();
    await this.#storage.run(`DELETE FROM participants ${claimed}`, survey, person, claim);
  }

  /**
   * Takes the reservation over, so that its former owner, who may be letting it go, can no longer record a join, even if it
   * still runs. False when another process was faster.
   */
  async #takeOver(place: readonly [string, string, string], from: string): Promise<boolean> {
    const sql = `UPDATE participants SET owner = ? ${claimed} AND COALESCE(owner, '') IN ('', ?)`;
    const { owner } = this.#storage;
    return (await this.#storage.atomically(joinLock, (rows) => rows.run(sql, owner, ...place, from))) > 0;
  }
}

/** Erases a record by its hashes; false if there was none here, in an earlier store (`wasRecorded`), nor its mark. */
export async function erasePerson(
  rows: Rows,
  survey: string,
  [person, mark]: readonly [record: string, mark: string],
  { mayRejoin = false, wasRecorded = false },
): Promise<boolean> {
  const erase = (table: string, hash: string) =>
    rows.run(`DELETE FROM ${table} WHERE survey = ? AND person = ?`, survey, hash);
  const erased = (await erase('forgotten', mark)) + (await erase('participants', person));
  const isRecorded = erased > 0 || wasRecorded;
  if (isRecorded && !mayRejoin) await rows.run('INSERT INTO forgotten VALUES (?, ?)', survey, mark);
  return isRecorded;
}

const claimed = 'WHERE survey = ? AND person = ? AND claim = ?';

function already(): Refused {
  return new Refused('ALREADY_JOINED', 'this user has already joined', 'the survey takes one join per user');
}
