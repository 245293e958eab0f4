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

/** What all joins of a survey have in common; null where the node does not say. */
export interface SurveyState {
  readonly members: number | null;
  readonly finished: boolean | null;
  readonly manager: string | null;
}

/** Reads the survey's state as of the last block. Never rejects. */
export async function surveyState(
  rpc: Rpc,
  survey: string,
  { semaphore, groupId }: GroupPlace,
): Promise<SurveyState> {
  const ask = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  const size = { to: semaphore, contract: semaphoreContract, name: 'getMerkleTreeSize', args: [groupId] };
  const [members, finished, manager] = await Promise.all([
    view<bigint>(rpc, size).then(Number, () => null),
    ask<boolean>('finished').catch(() => null),
    ask<string>('manager').catch(() => null),
  ]);
  return { members, finished, manager };
}

/**
 * Everything that can be known before gas is spent: the join is run on the last block, for nothing, which finds what an
 * estimate would and costs the node a fraction of one.
 * @throws {Refused} when it would fail
 */
export async function preflight(rpc: Rpc, join: PlannedJoin, state: Promise<SurveyState>): Promise<void> {
  const { survey, commitment, from, data } = join;
  const { semaphore, groupId } = join.place;
  const member = { to: semaphore, contract: semaphoreContract, name: 'hasMember' };
  const run = rpc('eth_call', [{ from, to: survey, data }, 'latest']).catch((error: unknown) => {
    throw chainRefused(error, 'estimateGas');
  });
  const isMember = view<boolean>(rpc, { ...member, args: [groupId, commitment] }).catch(() => false);
  const [{ finished, manager }] = await Promise.all([state, run]);
  if (await isMember) throw refusedByContract('0x258a195a');
  if (finished === true) throw contractWords('Survey is finished');
  if (manager !== null && manager !== from) throw contractWords('Access denied: Not the manager');
}

/** What the node estimates for the join on the last block, in units of gas. @throws what the node's answer is */
export async function estimateJoin(rpc: Rpc, { survey, from, data }: PlannedJoin): Promise<bigint> {
  return BigInt(String(await rpc('eth_estimateGas', [{ from, to: survey, data }])));
}

/** What the survey contract itself would have said. */
export function contractWords(reason: string): Refused {
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}
