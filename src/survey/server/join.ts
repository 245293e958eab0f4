/** POST /api/group/join: reserves a place, sends the join, and settles the reservation (docs/survey-states.md). */
import { queuedCommitments } from '../chain/outbox.js';
import { type Join, readJoin } from '../protocol/join-request.js';
import { busy, finishedRefusal, Refused } from '../protocol/refused.js';
import { verifySignature } from '../protocol/signature.js';
import { paths, type Receipt } from '../protocol/wire.js';
import { type Held, tracesOf } from '../store/group-store.js';
import { accepted } from '../store/join-counts.js';
import type { Reservation } from '../store/participants.js';
import { full, type Policy } from '../store/policies.js';
import type { AddRoutes, Parts } from './parts.js';
import { addEndpoint, readJson, sendJson } from './route.js';
import { joinSchema } from './schemas.js';
import { refusalReason } from './tallies.js';

export const joinRoutes: AddRoutes = (app, parts) => {
  let active = 0;
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: paths.join,
    schema: joinSchema,
    async answer(request, reply) {
      let survey: string | null = null;
      active += 1;
      try {
        if (active > parts.limits.joins) throw busy('too many joins at the same time');
        const join = readJoin(readJson(request));
        survey = join.survey;
        const receipt = await admit(join, parts);
        parts.outcomes.add(accepted);
        parts.counts.add(survey, accepted);
        return sendJson(reply, JSON.stringify({ data: JSON.stringify(receipt) }));
      } catch (error) {
        parts.outcomes.add(error instanceof Refused ? error.code : 'INTERNAL');
        parts.counts.add(survey, refusalReason(error));
        throw error;
      } finally {
        active -= 1;
      }
    },
  });
};

async function admit(join: Join, parts: Parts): Promise<Receipt> {
  if (parts.verifyToken === null)
    throw new Refused('UNAVAILABLE', 'this server accepts no joins', 'it only lists members');
  const userId = await parts.verifyToken(join.idToken, join.nonce);
  const { policies, signatures } = parts;
  const stored = await policies.of(join.survey);
  const policy = stored ?? policies.defaults;
  await verifySignature(join, userId, { ...signatures, requireTypedData: policy.scheme === 'eip712' });
  await refuseByPolicy(join, userId, policy, parts);
  const room = await roomIn(join, policy, parts);
  const receipt = await (policy.onePerUser ? joinOnce : send)(join, userId, parts, room);
  if (stored === null)
    await policies.adopt([join.survey], signatures.now()).catch(parts.faults.ofJoin('policy error'));
  return receipt;
}

/** @throws {Refused} after the closing time, and for a user who is not on the survey's list */
async function refuseByPolicy(
  { survey, account }: Join,
  userId: string,
  { closesAt, allowlist }: Policy,
  { policies, signatures }: Parts,
): Promise<void> {
  if (closesAt !== null && signatures.now() >= closesAt) throw finishedRefusal();
  if (allowlist && !(await policies.isAllowed(survey, [userId, account])))
    throw new Refused('NOT_ALLOWED', 'this user may not join', 'the survey is for the users of its list');
}

/** On a chain, whether the group has room, asked as the join is queued; an embedded group keeps its limit itself. */
async function roomIn({ survey }: Join, { maxMembers }: Policy, { store }: Parts): Promise<Held | undefined> {
  if (maxMembers === null || store.kind === 'embedded') return undefined;
  const { members } = await store.group(survey, true);
  return async (rows) => {
    const queued = await queuedCommitments(rows, survey);
    if (new Set([...members, ...queued]).size >= maxMembers) throw full(maxMembers);
    return true;
  };
}

async function joinOnce(join: Join, userId: string, parts: Parts, room?: Held): Promise<Receipt> {
  const { survey, commitment } = join;
  const reservation = await parts.participants.reserve(
    { survey, userId, commitment },
    tracesOf(parts.store, survey),
  );
  const held: Held = async (rows) => ((await room?.(rows)) ?? true) && reservation.held(rows);
  try {
    const receipt = await send(join, userId, parts, held);
    await settle(receipt, reservation, parts);
    return receipt;
  } catch (error) {
    if (wasSent(error)) reservation.leave();
    else await reservation.release().catch(parts.faults.ofJoin('reservation error'));
    throw error;
  }
}

/** reserved → mined, within the budgets of survey and user; a join that was never sent costs nothing. */
async function send(join: Join, userId: string, parts: Parts, held?: Held): Promise<Receipt> {
  const refund = await parts.budgets?.spend(join.survey, userId);
  try {
    return await parts.store.join(join.survey, join.commitment, held);
  } catch (error) {
    if (!wasSent(error)) await refund?.().catch(parts.faults.ofJoin('budget error'));
    throw error;
  }
}

/**
 * mined → settled, once the join is final. Until then the reservation has no owner: the user's next attempt settles it
 * from the member list, as it does after an error here.
 */
async function settle(receipt: Receipt, reservation: Reservation, { store, faults }: Parts): Promise<void> {
  if (store.kind === 'chain') reservation.leave();
  const settled = store
    .final(receipt)
    .then((isFinal) => (isFinal ? reservation.confirm() : undefined))
    .catch(faults.ofJoin('reservation error'));
  if (store.kind === 'embedded') await settled;
}

/** Whether the join may still succeed: only the member list tells. */
function wasSent(error: unknown): boolean {
  return !(error instanceof Refused) || error.code === 'TIMEOUT' || error.facts.transactionHash !== undefined;
}
