/** Whether a survey was made by a contract that is trusted to make them. */
import { getCreateAddress } from 'ethers/address';
import { refuseCall } from './failure.js';
import type { Rpc } from './rpc.js';

/** Creations of a factory that are looked at; an account's count beyond that is not that of a factory. */
const mostMade = 1_000_000;

/**
 * Tells whether a contract is one that a factory made with CREATE: its address follows from the factory's and a
 * count, so nobody else can have made it. What a contract says of its own origin counts for nothing.
 * @param factories checksummed addresses
 */
export function madeBy(rpc: Rpc, factories: readonly string[]): (survey: string) => Promise<boolean> {
  const made = new Set<string>();
  const counted = new Map<string, number>();
  const learn = async (factory: string): Promise<void> => {
    const answer = await rpc('eth_getTransactionCount', [factory, 'latest']).catch(refuseCall);
    const count = Math.min(Number(answer), mostMade);
    for (let nonce = counted.get(factory) ?? 0; nonce < count; nonce++) {
      made.add(getCreateAddress({ from: factory, nonce }));
    }
    counted.set(factory, count);
  };
  return async (survey) => {
    if (!made.has(survey)) await Promise.all(factories.map(learn));
    return made.has(survey);
  };
}
