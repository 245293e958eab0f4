/** One join per person and survey, remembered without remembering who joined as what. */
import { createHash } from 'node:crypto';
import { Refused } from '../protocol/refused.js';
import { type Held, joining } from './group-store.js';
import { claimOf, personOf } from './migrations.js';
import { persistently } from './persistently.js';
import { joinLock, type Storage } from './storage.js';

/** What a reservation came to. */
export interface Reservation {
  /** Whether it is still this one’s, asked within the transaction that writes the join down. */
  readonly held: Held;
  /** The join counts. */
  confirm(): Promise<void>;
  /** The join came to nothing: the person may try again. */
  release(): Promise<void>;
  /** It is not known yet: the next one who asks settles it by looking at the group, at whatever server. */
  leave(): void;
}

/** Where a join that was cut off may have got to. */
export interface Traces {
  /** Commitments in the group, those included that were written a moment before. */
  members(): Promise<readonly string[]>;
  /** Commitments that may still come to be in it. */
  underWay(): Promise<readonly string[]>;
}

export class Participants {
  readonly #storage: Storage;
  readonly #secret: Buffer;
  /** Joins under way in this process. */
  readonly #here = new Set<string>();

  /** @param secret what persons are hashed with; kept apart from the store */
  constructor(storage: Storage, secret: Buffer) {
    this.#storage = storage;
    this.#secret = secret;
  }

  /**
   * Reserves the person's place in the survey. Kept are a keyed hash of both and, until the join is settled, one of
   * the commitment: no time, no order, nothing that leads from a user to a commitment without the secret.
   * @throws {Refused} when the person has joined, or is joining
   */
  async reserve(
    { survey, userId, commitment }: { survey: string; userId: string; commitment: bigint },
    traces: Traces,
  ): Promise<Reservation> {
    const hash = createHash('sha256').update(`${survey}\n${userId}`).digest('hex');
    const person = personOf(this.#secret, hash);
    const key = `${survey} ${person}`;
    if (this.#here.has(key)) throw joining();
    this.#here.add(key);
    try {
      await this.#settle(survey, person, traces);
      const claim = claimOf(this.#secret, person, String(commitment));
      const added = await this.#storage.run(
        'INSERT INTO participants VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        ...[survey, person, claim, this.#storage.owner],
      );
      if (added === 0) throw joining();
      return this.#reservation(survey, person, claim, key);
    } catch (error) {
      this.#here.delete(key);
      throw error;
    }
  }

  #reservation(survey: string, person: string, claim: string, key: string): Reservation {
    const mine = [survey, person, claim] as const;
    const where = 'WHERE survey = ? AND person = ? AND claim = ?';
    const { owner } = this.#storage;
    const write = (sql: string) => this.#storage.run(`${sql} ${where}`, ...mine);
    const leave = () => {
      this.#here.delete(key);
      // At other servers the person is locked out while this one is thought to be at it.
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
        (await rows.one(`SELECT 1 FROM participants ${where} AND owner = ?`, ...mine, owner)) !== undefined,
      confirm: () => then('UPDATE participants SET claim = NULL, owner = NULL'),
      release: () => then('DELETE FROM participants'),
      leave,
    };
  }

  /** Frees the place of a join that was cut off and came to nothing. @throws {Refused} when it did not */
  async #settle(survey: string, person: string, traces: Traces): Promise<void> {
    const row = await this.#storage.one<[string | null, string | null]>(
      'SELECT claim, owner FROM participants WHERE survey = ? AND person = ?',
      ...[survey, person],
    );
    if (row === undefined) return;
    const [claim, owner] = row;
    if (claim === null) throw already();
    const elsewhere = owner !== null && owner !== this.#storage.owner;
    if (elsewhere && (await this.#storage.isAlive(owner))) throw joining();
    if (!(await this.#takeOver([survey, person, claim], owner ?? ''))) throw joining();
    const claimed = (one: string) => claimOf(this.#secret, person, one) === claim;
    // What may yet be mined is looked up first: what is mined in between is found among the members.
    const underWay = await traces.underWay();
    if ((await traces.members()).some(claimed)) throw already();
    if (underWay.some(claimed)) throw joining();
    const where = 'WHERE survey = ? AND person = ? AND claim = ?';
    await this.#storage.run(`DELETE FROM participants ${where}`, ...[survey, person, claim]);
  }

  /**
   * From now on whoever left the place cannot write a join down any more, were they only thought to be gone; what
   * they wrote down before can be read. False when another was faster.
   */
  async #takeOver(place: readonly [string, string, string], from: string): Promise<boolean> {
    const where = "WHERE survey = ? AND person = ? AND claim = ? AND COALESCE(owner, '') = ?";
    const taken = await this.#storage.atomically(joinLock, (rows) =>
      rows.run(`UPDATE participants SET owner = ? ${where}`, this.#storage.owner, ...place, from),
    );
    return taken > 0;
  }
}

function already(): Refused {
  return new Refused('ALREADY_JOINED', 'this user has already joined', 'the survey takes one join per user');
}
