/** People who join while something fails; what must hold of them afterwards. */
import pLimit from 'p-limit';
import { expect, onTestFinished } from 'vitest';
import { seed } from '../../seed.js';
import { inner, joinBody, joinSignature, request, survey } from '../../survey/server/support.js';

/** How many faults a row of the table has; `npm run test:faults` has 100. */
export const faults = Number(process.env.KAIACTL_TEST_FAULTS);

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
  /** Proves the user's identity. */
  token(userId: string): string | Promise<string>;
  readonly survey?: string;
  /** Joins under way at a time. */
  readonly together: number;
  /** Refusals that this outage may cause besides the usual ones; null is a broken connection. */
  readonly codes: readonly (string | null)[];
}

/** Also a machine under load is slow to answer. */
const anyOutage = [
  'UNAVAILABLE',
  'BUSY',
  'STORE_READ_ONLY',
  'TIMEOUT',
  'REQUEST_TIMEOUT',
  'ALREADY_JOINING',
  'SERVER_ERROR',
];

/** Each user tries to join, with another commitment each time, until a join is acknowledged. */
export class People {
  readonly acknowledged: string[] = [];
  joined = 0;
  /** Answers on the way that were no yes. */
  refused = 0;
  /** Users so far. */
  came = 0;
  /** The last answer to each who has not joined. */
  readonly #last = new Map<number, unknown>();
  #gone = false;
  readonly #place: Place;
  readonly #some: ReturnType<typeof pLimit>;

  constructor(place: Place) {
    this.#place = place;
    this.#some = pLimit(place.together);
    onTestFinished(() => {
      this.#gone = true;
    });
  }

  /** Adds this many users; resolves when all have joined. */
  async join(count: number): Promise<void> {
    const first = this.came;
    this.came += count;
    await this.#some.map(Array.from({ length: count }).keys(), (n) => this.#one(first + n));
  }

  get all(): boolean {
    return this.joined === this.came;
  }

  async #one(n: number): Promise<void> {
    const userId = userOf(n);
    const idToken = await this.#place.token(userId);
    const signature = joinSignature(userId);
    for (let attempt = 0; !this.#gone; attempt++) {
      const commitment = `${n + 1}0${String(attempt).padStart(4, '0')}`;
      const body = joinBody(commitment, { id: this.#place.survey ?? survey, idToken, signature });
      const answer = await request(`${this.#place.server()}/api/group/join`, 'POST', body).catch(() => null);
      const code = answer === null ? null : answer.status === 200 ? 200 : inner(answer, 'error').code;
      if (code === 200) this.acknowledged.push(commitment);
      if (code === 200 || code === 'ALREADY_JOINED') {
        this.joined += 1;
        this.#last.delete(n);
        return;
      }
      this.refused += 1;
      this.#last.set(n, code);
      expect([...this.#place.codes, ...anyOutage], answer?.body).toContain(code);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  /** How many wait, and for what. */
  standing(): string {
    const counts: Record<string, number> = {};
    for (const code of this.#last.values()) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
    return `no progress: ${this.joined} of ${this.came} joined; last answers: ${JSON.stringify(counts)}`;
  }

  /** No join is lost or doubled, and all users have joined. */
  check(members: readonly string[]): void {
    const listed = new Set(members);
    expect(this.acknowledged.filter((one) => !listed.has(one))).toEqual([]);
    const persons = members.map((one) => one.slice(0, -5)).sort((a, b) => Number(a) - Number(b));
    expect(persons).toEqual(Array.from({ length: this.came }, (_, n) => String(n + 1)));
  }
}

/**
 * Breaks something at points that the seed chooses, each time until a request has met it, and repairs it.
 * Resolves when everybody has joined.
 */
export async function whileBroken(
  count: number,
  people: People,
  [breaks, repairs]: readonly [() => unknown, () => unknown],
): Promise<void> {
  const random = chance();
  const done = people.join(count);
  for (let fault = 0; fault < faults; fault++) {
    const wanted = ((fault + random() * 0.8) * count) / faults;
    await until(() => people.joined >= wanted, people, done);
    const before = people.refused;
    await breaks();
    await until(() => people.refused > before || people.all, people, done);
    await repairs();
  }
  await done;
}

/** After so many refusals per person without one join, nothing moves any more. */
const maxRefusals = 1000;

/** Looks until it is so; what fails meanwhile ends it, and so does a standstill. */
export async function until(isSo: () => boolean, people: People, meanwhile: Promise<unknown>): Promise<void> {
  let failed = false;
  meanwhile.catch(() => {
    failed = true;
  });
  let [joined, refused] = [-1, 0];
  while (!isSo()) {
    if (failed) return void (await meanwhile);
    if (joined !== people.joined) ({ joined, refused } = people);
    if (people.refused - refused > maxRefusals * people.came) throw new Error(people.standing());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
