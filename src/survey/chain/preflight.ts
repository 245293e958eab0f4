/** Checks of a join on the last block, before gas is spent. */
import { Refused, refusedByContract } from '../protocol/refused.js';
import { semaphoreContract, surveyContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { chainRefused } from './failure.js';
import type { Rpc } from './rpc.js';

/** A join that is about to be sent. */
export interface PlannedJoin {
  readonly survey: string;
  readonly place: GroupPlace;
  readonly commitment: bigint;
  /** The manager. */
  readonly from: string;
  readonly data: string;
}

/** The state that all joins of a survey share; null: the node gave no answer. */
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
 * Runs the join with `eth_call`. It finds the same failures as an estimate, and costs the node a fraction of the work.
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

/** The node's estimate for the join on the last block, in units of gas. @throws {RpcError} {Unreachable} */
export async function estimateJoin(rpc: Rpc, { survey, from, data }: PlannedJoin): Promise<bigint> {
  return BigInt(String(await rpc('eth_estimateGas', [{ from, to: survey, data }])));
}

/** The refusal that the survey contract itself would give. */
export function contractWords(reason: string): Refused {
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}
