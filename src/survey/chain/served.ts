/** The surveys of a chain that are served: named at the start, added later, or created by a factory. */
import { getCreateAddress } from 'ethers/address';
import type { Rpc } from '../../jsonrpc/rpc.js';
import { Refused } from '../protocol/refused.js';
import type { Storage } from '../store/storage.js';
import { refuseCall } from './failure.js';

export interface ServedSettings {
  readonly storage: Storage;
  readonly chainId: number;
  readonly any: boolean;
  /** Named at the start; checksummed. */
  readonly surveys: readonly string[];
  isMade(survey: string): Promise<boolean>;
}

export type ServedSurveys = ReturnType<typeof servedSurveys>;

export function servedSurveys({ storage, chainId, any, surveys, isMade }: ServedSettings) {
  const row = (survey: string) => {
    const sql = 'SELECT closed FROM chain_surveys WHERE chain = ? AND survey = ?';
    return storage.one<[number]>(sql, chainId, survey);
  };
  const keep = async (survey: string, closed: boolean, otherwise: string) => {
    const sql = `INSERT INTO chain_surveys VALUES (?, ?, ?) ON CONFLICT (chain, survey) DO ${otherwise}`;
    await storage.run(sql, chainId, survey, closed ? 1 : 0);
  };
  return {
    has: async (survey: string) =>
      any || surveys.includes(survey) || (await row(survey)) !== undefined || isMade(survey),
    isClosed: async (survey: string) => (await row(survey))?.[0] === 1,
    setClosed: (survey: string, closed: boolean) =>
      keep(survey, closed, 'UPDATE SET closed = excluded.closed'),
    /** Serves it on every server that shares the store. */
    async add(survey: string): Promise<void> {
      const reason = 'this server already serves every survey on its chain';
      if (any) throw new Refused('UNSUPPORTED_OPERATION', 'surveys cannot be added', reason);
      await keep(survey, false, 'NOTHING');
    },
    async list(): Promise<{ survey: string; closed: boolean }[]> {
      const sql = 'SELECT survey, closed FROM chain_surveys WHERE chain = ? ORDER BY survey';
      const kept = new Map(await storage.all<[string, number]>(sql, chainId));
      return [...new Set([...surveys, ...kept.keys()])].map((survey) => {
        return { survey, closed: kept.get(survey) === 1 };
      });
    },
  };
}

export async function hasServed(storage: Storage): Promise<boolean> {
  return (await storage.one('SELECT 1 FROM chain_surveys')) !== undefined;
}

const maxCreated = 1_000_000;

/**
 * Tells whether a factory created a contract with CREATE. The address of such a contract derives from the factory's
 * address and nonce; what a contract itself claims about its origin is no evidence.
 * @param factories checksummed addresses
 */
export function madeBy(rpc: Rpc, factories: readonly string[]): (survey: string) => Promise<boolean> {
  const made = new Set<string>();
  const counted = new Map<string, number>();
  const readCreated = async (factory: string): Promise<void> => {
    const answer = await rpc('eth_getTransactionCount', [factory, 'latest']).catch(refuseCall);
    const count = Math.min(Number(answer), maxCreated);
    for (let nonce = counted.get(factory) ?? 0; nonce < count; nonce++)
      made.add(getCreateAddress({ from: factory, nonce }));
    counted.set(factory, count);
  };
  return async (survey) => {
    if (!made.has(survey)) await Promise.all(factories.map(readCreated));
    return made.has(survey);
  };
}
