/** Outcomes of joins by survey and hour, in the store: they survive restarts, and servers that share the store add up. */
import type { Rows, Storage } from './storage.js';

/** The outcome of a join that was accepted; other outcomes are reasons of refusals. */
export const accepted = 'accepted';

export interface HourCount {
  /** Hours since 1970. */
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

export const hourMs = 3_600_000;
/** Time between writes, in milliseconds. */
const flushMs = 10_000;
/** Kinds of outcomes that wait to be written; further surveys are counted together. */
const maxKinds = 5000;
/** Stands for surveys that are not served. */
const noSurvey = '';

interface Pending {
  readonly survey: string;
  readonly hour: number;
  readonly outcome: string;
  count: number;
}

const addCount = `INSERT INTO join_counts (survey, hour, outcome, count) VALUES (?, ?, ?, ?)
  ON CONFLICT (survey, hour, outcome) DO UPDATE SET count = join_counts.count + excluded.count`;

export class JoinCounts {
  readonly #storage: Storage;
  readonly #now: () => number;
  #pending = new Map<string, Pending>();
  #refusals = new Map<string, number>();
  readonly #timer = setInterval(() => void this.flush().catch(() => undefined), flushMs).unref();

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** @param survey null: the request names none */
  add(survey: string | null, outcome: string): void {
    this.#count(survey ?? noSurvey, Math.floor(this.#now() / hourMs), outcome, 1);
    if (outcome !== accepted) this.#refusals.set(outcome, (this.#refusals.get(outcome) ?? 0) + 1);
  }

  /** Returns and clears the refusals since the last call. */
  takeRefusals(): Readonly<Record<string, number>> {
    const taken = Object.fromEntries([...this.#refusals].sort());
    this.#refusals = new Map();
    return taken;
  }

  /** Writes what was counted. After an error, it is written with the next call. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    if (pending.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#storage.atomically('counts', async (rows) => {
        const served = new Set((await rows.all<[string]>('SELECT survey FROM policies')).map(([one]) => one));
        for (const { survey, hour, outcome, count } of pending.values())
          await rows.run(addCount, served.has(survey) ? survey : noSurvey, hour, outcome, count);
      });
    } catch (error) {
      for (const one of pending.values()) this.#count(one.survey, one.hour, one.outcome, one.count);
      throw error;
    }
  }

  /** Ends the writing after one last write, which may fail. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(() => undefined);
  }

  #count(survey: string, hour: number, outcome: string, count: number): void {
    const key = `${survey} ${hour} ${outcome}`;
    const kind = this.#pending.get(key);
    if (kind !== undefined) kind.count += count;
    else if (this.#pending.size < maxKinds || survey === noSurvey)
      this.#pending.set(key, { survey, hour, outcome, count });
    else this.#count(noSurvey, hour, outcome, count);
  }
}

/** The counts of a survey, the oldest hour first. */
export async function countsOf(rows: Rows, survey: string): Promise<HourCount[]> {
  const sql = 'SELECT hour, outcome, count FROM join_counts WHERE survey = ? ORDER BY hour, outcome';
  const found = await rows.all<[number, string, number]>(sql, survey);
  return found.map(([hour, outcome, count]) => ({ hour, outcome, count }));
}
