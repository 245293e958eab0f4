/** People who join while something fails; what must hold of them afterwards. */
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { destatMessage } from '../../../src/survey/protocol/message.js';
import { seed } from '../../seed.js';
import { inner, joinBody, request, survey, wallet } from '../server/support.js';

/** How many faults a row of the table has; `npm run test:faults` has 100. */
export const faults = Number(process.env.KAIACTL_TEST_FAULTS ?? 1);

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function chance(from = seed): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const userOf = (n: number): string => `U${String(n).padStart(32, '0')}`;

export interface Place {
  /** Where the next request goes. */
  server(): string;
  /** Proves who somebody is. */
  token(userId: string): string | Promise<string>;
  readonly survey?: string;
  /** Joins under way at a time. */
  readonly together: number;
  /** Refusals that this outage may bring besides those of any; null is a connection that broke. */
  readonly codes: readonly (string | null)[];
}

/** Also a machine under load is slow to answer. */
const anyOutage = ['UNAVAILABLE', 'TIMEOUT', 'REQUEST_TIMEOUT', 'ALREADY_JOINING'];

/** Each tries to join, under another commitment every time, until told that they have. */
export class People {
  readonly acknowledged: string[] = [];
  joined = 0;
  /** Answers on the way that were no yes. */
  refused = 0;
  readonly #count: number;
  readonly #place: Place;

  constructor(count: number, place: Place) {
    this.#count = count;
    this.#place = place;
  }

  /** Resolves when everybody has joined. */
  async join(): Promise<void> {
    const some = pLimit(this.#place.together);
    await some.map(Array.from({ length: this.#count }).keys(), (n) => this.#one(n));
  }

  get all(): boolean {
    return this.joined === this.#count;
  }

  async #one(n: number): Promise<void> {
    const userId = userOf(n);
    const idToken = await this.#place.token(userId);
    const signature = wallet.signMessageSync(destatMessage(userId, wallet.address));
    for (let attempt = 0; ; attempt++) {
      const commitment = `${n + 1}0${String(attempt).padStart(4, '0')}`;
      const body = joinBody(commitment, { id: this.#place.survey ?? survey, idToken, signature });
      const answer = await request(`${this.#place.server()}/api/group/join`, 'POST', body).catch(() => null);
      const code = answer === null ? null : answer.status === 200 ? 200 : inner(answer, 'error').code;
      if (code === 200) this.acknowledged.push(commitment);
      if (code === 200 || code === 'ALREADY_JOINED') {
        this.joined += 1;
        return;
      }
      this.refused += 1;
      expect([...this.#place.codes, ...anyOutage]).toContain(code);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** None lost, none double, nobody locked out. */
  check(members: readonly string[]): void {
    const listed = new Set(members);
    expect(this.acknowledged.filter((one) => !listed.has(one))).toEqual([]);
    const persons = members.map((one) => one.slice(0, -5)).sort((a, b) => Number(a) - Number(b));
    expect(persons).toEqual(Array.from({ length: this.#count }, (_, n) => String(n + 1)));
  }
}

/**
 * Breaks something at points that the seed chooses, each time until somebody has met it, and mends it again.
 * Resolves when everybody has joined.
 */
export async function whileBroken(
  count: number,
  people: People,
  [breaks, repairs]: readonly [() => unknown, () => unknown],
): Promise<void> {
  const random = chance();
  const done = people.join();
  for (let fault = 0; fault < faults; fault++) {
    const wanted = ((fault + random() * 0.8) * count) / faults;
    await until(() => people.joined >= wanted, done);
    const before = people.refused;
    await breaks();
    await until(() => people.refused > before || people.all, done);
    await repairs();
  }
  await done;
}

/** Looks until it is so, for at most two minutes; what fails meanwhile ends it. */
export async function until(isSo: () => boolean, meanwhile: Promise<void>): Promise<void> {
  const looking = expect.poll(isSo, { timeout: 120_000, interval: 5 }).toBe(true);
  await Promise.race([meanwhile.then(() => looking), looking]);
}
