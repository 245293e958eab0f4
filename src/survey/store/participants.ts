/** One join per person and survey, remembered without remembering who joined as what. */
import { createHash } from 'node:crypto';
import { Refused } from '../protocol/refused.js';
import { claimOf, personOf } from './migrations.js';
import type { Storage } from './storage.js';

/** What a reservation came to. */
export interface Reservation {
  /** The join counts. */
  confirm(): Promise<void>;
  /** The join came to nothing: the person may try again. */
  release(): Promise<void>;
  /** It is not known yet: the next one who asks settles it by looking at the group. */
  leave(): void;
}

/** Where a join that was cut off may have got to. */
export interface Traces {
  /** Commitments in the group. */
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
    const leave = () => void this.#here.delete(key);
    const then = async (sql: string) => {
      try {
        await this.#storage.run(`${sql} ${where}`, ...mine);
      } finally {
        leave();
      }
    };
    return {
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
    const claimed = (one: string) => claimOf(this.#secret, person, one) === claim;
    // What may yet be mined is looked up first: what is mined in between is found among the members.
    const underWay = await traces.underWay();
    if ((await traces.members()).some(claimed)) throw already();
    if (underWay.some(claimed)) throw joining();
    const where = 'WHERE survey = ? AND person = ? AND claim = ?';
    await this.#storage.run(`DELETE FROM participants ${where}`, ...[survey, person, claim]);
  }
}

function joining(): Refused {
  return new Refused('ALREADY_JOINING', 'a join is under way', 'wait and look at the members');
}

function already(): Refused {
  return new Refused('ALREADY_JOINED', 'this user has already joined', 'the survey takes one join per user');
}
