/** A join as the manager's transaction: sent, mined, and proven by its event. */
import { provesJoin } from '../protocol/events.js';
import { Refused } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Held } from '../store/group-store.js';
import type { ChainSettings } from './chain-settings.js';
import { surveyContract } from './contracts.js';
import { within } from './deadline.js';
import type { GroupPlace } from './events.js';
import { amplerGas, joinGas, ranOut } from './gas.js';
import type { KnownSurvey } from './known-surveys.js';
import { estimateJoin, preflight } from './preflight.js';
import { type Sender, unsent } from './sender.js';

/** A join on its way. */
export interface Joining {
  readonly survey: string;
  readonly commitment: bigint;
  readonly held: Held | undefined;
  readonly sender: Sender;
}

/** Members a group is taken to have when the node does not say. */
const unknownSize = 1 << 20;

interface Mined {
  readonly receipt: Receipt;
  readonly shortOfGas: boolean;
}

/**
 * Sends the join; once more, as a transaction of its own, when the first ran out of gas.
 * @throws {Refused} when it would fail, or with code BUSY when it could not be sent in time: nothing was spent then
 */
export async function sendJoin(
  rpc: ChainSettings['rpc'],
  { survey, commitment, held, sender }: Joining,
  known: KnownSurvey,
): Promise<Mined> {
  const until = Date.now() + sender.timeoutMs;
  const data = surveyContract.encodeFunctionData('joinGroup', [commitment]);
  const planned = { survey, place: known.place, commitment, from: sender.address, data };
  const estimate = () => estimateJoin(rpc, planned);
  const look = async () => {
    const state = known.state();
    await preflight(rpc, planned, state);
    return (await state).members ?? unknownSize;
  };
  const reckon = async () => {
    const size = await look();
    return joinGas(await known.gas.estimate(size, estimate), size, await sender.underWay());
  };
  const call = { to: survey, data, commitment: String(commitment), held };
  const gas = await within(sender.timeoutMs, reckon(), unsent);
  const first = await sender.send({ ...call, gas }, until);
  if (!ranOut(first.receipt, first.gas)) return { receipt: first.receipt, shortOfGas: false };
  await look();
  const ample = amplerGas(await known.gas.again(estimate));
  const second = await sender.send({ ...call, gas: ample }, Date.now() + sender.timeoutMs);
  return { receipt: second.receipt, shortOfGas: ranOut(second.receipt, second.gas) };
}

/** The receipt of a join that joined. @throws {Refused} for one that did not */
export function proven({ receipt, shortOfGas }: Mined, place: GroupPlace, commitment: bigint): Receipt {
  const nothing = (code: string, reason: string) =>
    new Refused(code, 'nothing was joined', reason, { transactionHash: receipt.hash });
  if (shortOfGas) throw nothing('OUT_OF_GAS', 'the transaction ran out of gas, and so did a second one');
  if (receipt.status !== 1) throw nothing('CALL_EXCEPTION', 'the transaction was mined but reverted');
  if (!provesJoin(receipt, place.semaphore, place.groupId, commitment)) {
    throw nothing('CALL_EXCEPTION', 'the transaction was mined, but the group says nothing of a new member');
  }
  return receipt;
}
