/** Checks a join on the last block, before gas is spent; sends it as the manager's transaction; proves it by its event. */
import type { Rpc } from '../../jsonrpc/rpc.js';
import { within } from '../../util/waiting.js';
import { provesJoin } from '../protocol/events.js';
import { finishedRefusal, Refused, refusedByContract, revertRefusal } from '../protocol/refused.js';
import type { Held } from '../store/group-store.js';
import { type GroupPlace, isMember, type SurveyState, surveyContract } from './contracts.js';
import { chainRefused } from './failure.js';
import { amplerGas, joinGas, ranOut } from './fees.js';
import type { KnownSurvey } from './known-surveys.js';
import { type Sender, unsent } from './sender.js';

export interface Joining {
  readonly survey: string;
  readonly commitment: bigint;
  readonly held: Held | undefined;
  readonly sender: Sender;
}

export interface PlannedJoin {
  readonly survey: string;
  readonly place: GroupPlace;
  readonly commitment: bigint;
  /** The manager. */
  readonly from: string;
  readonly data: string;
}

/** Runs the join with `eth_call`, a fraction of an estimate's work. @throws {Refused} when it would fail */
export async function preflight(rpc: Rpc, join: PlannedJoin, state: Promise<SurveyState>): Promise<void> {
  const { survey, commitment, from, data } = join;
  const run = rpc('eth_call', [{ from, to: survey, data }, 'latest']).catch((error: unknown) => {
    throw chainRefused(error, 'estimateGas');
  });
  const isJoined = isMember(rpc, join.place, commitment).catch(() => false);
  const [{ finished, manager }] = await Promise.all([state, run]);
  if (await isJoined) throw refusedByContract('0x258a195a');
  if (finished === true) throw finishedRefusal();
  if (manager !== null && manager !== from) throw revertRefusal('Access denied: Not the manager');
}

/** Assumed size of a group, if the node does not tell. */
const unknownSize = 1 << 20;

/**
 * Sends the join; if it ran out of gas, sends it once more with ample gas.
 * @throws {Refused} when it would fail; with code BUSY when it could not be sent in time: nothing was spent then
 */
export async function sendJoin(rpc: Rpc, joined: Joining, known: KnownSurvey) {
  const { survey, commitment, held, sender } = joined;
  const until = performance.now() + sender.timeoutMs;
  const data = surveyContract.encodeFunctionData('joinGroup', [commitment]);
  const planned = { survey, place: known.place, commitment, from: sender.address, data };
  const estimate = async () =>
    BigInt(String(await rpc('eth_estimateGas', [{ from: sender.address, to: survey, data }])));
  const readSize = async () => {
    const state = known.state();
    await preflight(rpc, planned, state);
    return (await state).members ?? unknownSize;
  };
  const estimateGas = async () => {
    const size = await readSize();
    return joinGas(await known.gas.estimate(size, estimate), size, await sender.pending());
  };
  const call = { to: survey, data, commitment: String(commitment), held };
  const gas = await within(sender.timeoutMs, estimateGas(), unsent);
  const first = await sender.send({ ...call, gas }, until);
  if (!ranOut(first.receipt, first.gas)) return { receipt: first.receipt, shortOfGas: false };
  await readSize();
  const ample = amplerGas(await known.gas.again(estimate));
  const second = await sender.send({ ...call, gas: ample }, performance.now() + sender.timeoutMs);
  return { receipt: second.receipt, shortOfGas: ranOut(second.receipt, second.gas) };
}

export function proven(sent: Awaited<ReturnType<typeof sendJoin>>, place: GroupPlace, commitment: bigint) {
  const { receipt, shortOfGas } = sent;
  const nothing = (code: string, reason: string) =>
    new Refused(code, 'nothing was joined', reason, { transactionHash: receipt.hash });
  if (shortOfGas) throw nothing('OUT_OF_GAS', 'the transaction ran out of gas, and so did a second one');
  if (receipt.status !== 1) throw nothing('CALL_EXCEPTION', 'the transaction was mined but reverted');
  if (!provesJoin(receipt, place.semaphore, place.groupId, commitment))
    throw nothing('CALL_EXCEPTION', 'the transaction was mined, but the group added no member');
  return receipt;
}
