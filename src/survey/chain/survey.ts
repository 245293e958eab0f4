/** Finds a survey's group from the survey's address. */
import { Refused } from '../protocol/refused.js';
import { surveyContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { chainRefused } from './failure.js';
import { quantity, type Rpc, RpcError, Unreachable } from './rpc.js';

/** @throws {Refused} when there is no contract, the contract is no survey, or the node does not answer */
export async function locateGroup(rpc: Rpc, survey: string): Promise<GroupPlace> {
  const ask = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  try {
    if ((await rpc('eth_getCode', [survey, 'latest'])) === '0x') {
      throw new Refused('BAD_DATA', 'no contract at this address', 'there is no survey on this chain', {
        value: '0x',
      });
    }
    const [semaphore, groupId] = await Promise.all([ask<string>('semaphore'), ask<bigint>('groupId')]);
    return { semaphore, groupId };
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof Unreachable) throw chainRefused(error, 'call');
    const data = error instanceof RpcError ? error.data : '0x';
    throw new Refused('CALL_EXCEPTION', 'not a survey', 'the contract has no group', {
      action: 'call',
      data,
    });
  }
}

/** The block that created a contract; see `firstBlock`. */
export function birthBlock(rpc: Rpc, address: string, head: number): Promise<number | null> {
  return firstBlock(head, async (block) => (await rpc('eth_getCode', [address, block])) !== '0x');
}

/**
 * The first block at which something exists, by binary search; null: the node keeps no old states.
 * @param head the newest block
 */
export async function firstBlock(
  head: number,
  exists: (block: string) => Promise<boolean>,
): Promise<number | null> {
  let [low, high] = [0, head];
  try {
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await exists(quantity(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw chainRefused(error, 'call');
  }
}
