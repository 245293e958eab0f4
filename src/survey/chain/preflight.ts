/** What the chain says of a join before it is sent. */
import { Refused, refusedByContract } from '../protocol/refused.js';
import { semaphoreContract, surveyContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { chainRefused } from './failure.js';
import type { Rpc } from './rpc.js';

/** A join as it is going to be sent. */
export interface PlannedJoin {
  readonly survey: string;
  readonly place: GroupPlace;
  readonly commitment: bigint;
  /** The manager. */
  readonly from: string;
  readonly data: string;
}

/** Members a group is taken to have when the node does not say. */
const sizeUnknown = 1 << 20;

/** Everything that can be known before gas is spent. @throws {Refused} */
export async function preflight(rpc: Rpc, join: PlannedJoin): Promise<{ estimate: bigint; size: number }> {
  const { survey, commitment, from, data } = join;
  const { semaphore, groupId } = join.place;
  const ask = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  const group = { to: semaphore, contract: semaphoreContract };
  const [gas, isMember, size, finished, manager] = await Promise.allSettled([
    rpc('eth_estimateGas', [{ from, to: survey, data }]),
    view<boolean>(rpc, { ...group, name: 'hasMember', args: [groupId, commitment] }),
    view<bigint>(rpc, { ...group, name: 'getMerkleTreeSize', args: [groupId] }),
    ask<boolean>('finished'),
    ask<string>('manager'),
  ]);
  if (gas.status === 'rejected') throw chainRefused(gas.reason, 'estimateGas');
  if (isMember.status === 'fulfilled' && isMember.value) throw refusedByContract('0x258a195a');
  if (finished.status === 'fulfilled' && finished.value) throw contractWords('Survey is finished');
  if (manager.status === 'fulfilled' && manager.value !== from) {
    throw contractWords('Access denied: Not the manager');
  }
  return {
    estimate: BigInt(String(gas.value)),
    size: size.status === 'fulfilled' ? Number(size.value) : sizeUnknown,
  };
}

/** What the survey contract itself would have said. */
export function contractWords(reason: string): Refused {
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}
