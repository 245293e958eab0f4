/** The messaging platform's public keys: kept while new ones cannot be read, and read again for unknown key ids. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ask } from '../../http/ask.js';
import { field } from '../../util/json.js';
import { keepRecent } from '../../util/keep-recent.js';
import { Outage } from '../protocol/refused.js';

/** Age from which the keys are read again, in milliseconds. */
const maxAgeMs = 10 * 60_000;
/** Time between two reads for unknown ids: callers with made-up ids cause no more, and delay nobody for longer. */
const betweenMs = 1000;
/** How long an id that was looked up in vain is not looked up again, in milliseconds. */
const unknownMs = 30_000;
/** Ids that were looked up in vain; beyond it, the oldest is forgotten. */
const maxUnknown = 10_000;

export class PlatformKeys {
  readonly #url: string;
  readonly #timeoutMs: number;
  #keys: ReturnType<typeof createLocalJWKSet> | null = null;
  /** Times of `performance.now()`: of the last read, and of the last one that succeeded. */
  #triedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  readonly #unknown = new Map<string, number>();

  constructor(url: string, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** Null: they were never read. */
  get ageSeconds(): number | null {
    return this.#keys === null ? null : Math.round((performance.now() - this.#readAt) / 1000);
  }

  /** Whether the last read failed; null if there was none. */
  get isFailing(): boolean | null {
    return this.#triedAt === Number.NEGATIVE_INFINITY ? null : this.#readAt < this.#triedAt;
  }

  /** @throws {Outage} when the key is not known now @throws {errors.JWKSNoMatchingKey} when there is no such key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (performance.now() - this.#readAt > maxAgeMs) await this.#read();
    try {
      return await this.#known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    const id = String(header?.kid).slice(0, 100);
    if (performance.now() - (this.#unknown.get(id) ?? Number.NEGATIVE_INFINITY) < unknownMs)
      throw new Outage(unverified, 'its key is not one of the platform’s yet: try again later');
    await this.#read();
    try {
      return await this.#known(header, token);
    } catch (error) {
      if (this.isFailing) throw new Outage(unverified, 'the platform’s keys could not be read');
      if (error instanceof errors.JWKSNoMatchingKey)
        keepRecent(this.#unknown, id, performance.now(), maxUnknown);
      throw error;
    }
  };

  async #known(...of: Parameters<JWTVerifyGetKey>) {
    if (this.#keys === null) throw new Outage(unverified, 'the platform’s keys could not be read');
    return this.#keys(...of);
  }

  /** Reads the keys, not before a second after the last read; concurrent callers share a read. Never rejects. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    await sleep(Math.max(0, this.#triedAt + betweenMs - performance.now()));
    this.#triedAt = performance.now();
    const answer = await ask(this.#url, { method: 'GET', timeoutMs: this.#timeoutMs });
    if (answer?.status !== 200 || !Array.isArray(field(answer.json, 'keys'))) return;
    try {
      this.#keys = createLocalJWKSet(answer.json as JSONWebKeySet);
      this.#readAt = performance.now();
    } catch {
      // Not a set of keys: those that are known stay.
    }
  }
}

/** The first half of a refusal while the platform does not serve. */
export const unverified = 'the token could not be verified';
