/** Which surveys of a chain are served: those the server was started with, those added since, and a factory's. */
import { Refused } from '../protocol/refused.js';
import type { Storage } from '../store/storage.js';

export interface ServedSettings {
  readonly storage: Storage;
  readonly chainId: number;
  /** Any survey on the chain, by whatever name. */
  readonly any: boolean;
  /** Those the server was started with, checksummed. */
  readonly surveys: readonly string[];
  /** Whether one of its factories made it. */
  isMade(survey: string): Promise<boolean>;
}

export class ServedSurveys {
  readonly #settings: ServedSettings;

  constructor(settings: ServedSettings) {
    this.#settings = settings;
  }

  async has(survey: string): Promise<boolean> {
    const { any, surveys, isMade } = this.#settings;
    return any || surveys.includes(survey) || (await this.#row(survey)) !== undefined || isMade(survey);
  }

  /** Whether the operator has closed it. */
  async isClosed(survey: string): Promise<boolean> {
    return (await this.#row(survey))?.[0] === 1;
  }

  /** Serves it from now on, on every server that shares the store. */
  async add(survey: string): Promise<void> {
    if (this.#settings.any) {
      const reason = 'this server lists any survey on its chain, and takes no joins';
      throw new Refused('UNSUPPORTED_OPERATION', 'there is nothing to add to', reason);
    }
    await this.#keep(survey, 'NOTHING');
  }

  async close(survey: string): Promise<void> {
    await this.#keep(survey, 'UPDATE SET closed = 1');
  }

  /** All that are known by name. */
  async list(): Promise<{ survey: string; closed: boolean }[]> {
    const { storage, chainId, surveys } = this.#settings;
    const sql = 'SELECT survey, closed FROM chain_surveys WHERE chain = ? ORDER BY survey';
    const kept = new Map(await storage.all<[string, number]>(sql, chainId));
    return [...new Set([...surveys, ...kept.keys()])].map((survey) => {
      return { survey, closed: kept.get(survey) === 1 };
    });
  }

  #row(survey: string): Promise<readonly [number] | undefined> {
    const { storage, chainId } = this.#settings;
    const sql = 'SELECT closed FROM chain_surveys WHERE chain = ? AND survey = ?';
    return storage.one<[number]>(sql, chainId, survey);
  }

  async #keep(survey: string, otherwise: 'NOTHING' | 'UPDATE SET closed = 1'): Promise<void> {
    const { storage, chainId } = this.#settings;
    const closed = otherwise === 'NOTHING' ? 0 : 1;
    const sql = `INSERT INTO chain_surveys VALUES (?, ?, ?) ON CONFLICT (chain, survey) DO ${otherwise}`;
    await storage.run(sql, chainId, survey, closed);
  }
}

/** Whether any survey was added to the store, on whatever chain. */
export async function hasServed(storage: Storage): Promise<boolean> {
  return (await storage.one('SELECT 1 FROM chain_surveys')) !== undefined;
}
