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

/** The keys at the URL. They are read when they are asked for. */
export function platformKeys(url: string, timeoutMs: number) {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  /** Times of `performance.now()`: of the last read, and of the last one that succeeded. */
  let triedAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const unknown = new Map<string, number>();

  /** Whether the last read failed; null if there was none. */
  const isFailing = (): boolean | null => (triedAt === Number.NEGATIVE_INFINITY ? null : readAt < triedAt);

  const readOnce = async (): Promise<void> => {
    await sleep(Math.max(0, triedAt + betweenMs - performance.now()));
    triedAt = performance.now();
    const answer = await ask(url, { method: 'GET', timeoutMs });
    if (answer?.status !== 200 || !Array.isArray(field(answer.json, 'keys'))) return;
    try {
      keys = createLocalJWKSet(answer.json as JSONWebKeySet);
      readAt = performance.now();
    } catch {
      // Not a set of keys: those that are known stay.
    }
  };

  /** Reads the keys, not before a second after the last read; concurrent callers share a read. Never rejects. */
  const read = (): Promise<void> => {
    reading ??= readOnce().finally(() => {
      reading = null;
    });
    return reading;
  };

  const known: JWTVerifyGetKey = async (...token) => {
    if (keys === null) throw new Outage(unverified, 'the platform’s keys could not be read');
    return keys(...token);
  };

  /** @throws {Outage} when the key is not known now @throws {errors.JWKSNoMatchingKey} when there is no such key */
  const find: JWTVerifyGetKey = async (header, token) => {
    if (performance.now() - readAt > maxAgeMs) await read();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    const id = String(header?.kid).slice(0, 100);
    if (performance.now() - (unknown.get(id) ?? Number.NEGATIVE_INFINITY) < unknownMs)
      throw new Outage(unverified, 'its key is not one of the platform’s yet: try again later');
    await read();
    try {
      return await known(header, token);
    } catch (error) {
      if (isFailing()) throw new Outage(unverified, 'the platform’s keys could not be read');
      if (error instanceof errors.JWKSNoMatchingKey) keepRecent(unknown, id, performance.now(), maxUnknown);
      throw error;
    }
  };

  /** Null: they were never read. */
  const ageSeconds = () => (keys === null ? null : Math.round((performance.now() - readAt) / 1000));
  return { find, isFailing, ageSeconds };
}

/** The first half of a refusal while the platform does not serve. */
export const unverified = 'the token could not be verified';
