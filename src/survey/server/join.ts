/** POST /api/group/join: reserves a place, sends the join, and settles the reservation (docs/survey-states.md). */
import { type Join, readJoin } from '../protocol/join-request.js';
import { busy, Refused } from '../protocol/refused.js';
import { verifySignature } from '../protocol/signature.js';
import { paths, type Receipt } from '../protocol/wire.js';
import type { Held } from '../store/group-store.js';
import type { Reservation } from '../store/participants.js';
import type { AddRoutes, Parts } from './parts.js';
import { addEndpoint, readJson, sendJson } from './route.js';
import { joinSchema } from './schemas.js';

/** Adds the route. */
export const joinRoutes: AddRoutes = (app, parts) => {
  let active = 0;
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: paths.join,
    schema: joinSchema,
    async answer(request, reply) {
      active += 1;
      try {
        if (active > parts.limits.joins) throw busy('too many joins at the same time');
        const receipt = await admit(readJoin(readJson(request)), parts);
        parts.outcomes.add('accepted');
        return sendJson(reply, JSON.stringify({ data: JSON.stringify(receipt) }));
      } catch (error) {
        parts.outcomes.add(error instanceof Refused ? error.code : 'INTERNAL');
        throw error;
      } finally {
        active -= 1;
      }
    },
  });
};

async function admit(join: Join, parts: Parts): Promise<Receipt> {
  if (parts.verifyToken === null) {
    throw new Refused('UNAVAILABLE', 'this server accepts no joins', 'it only lists members');
  }
  const userId = await parts.verifyToken(join.idToken, join.nonce);
  await verifySignature(join, userId, parts.signatures);
  const reservation = await reserve(join, userId, parts);
  if (reservation === null) return send(join, userId, parts);
  try {
    const receipt = await send(join, userId, parts, reservation.held);
    await settle(receipt, reservation, parts);
    return receipt;
  } catch (error) {
    if (wasSent(error)) reservation.leave();
    else await reservation.release().catch(parts.faults.ofJoin('reservation error'));
    throw error;
  }
}

/** request → reserved. Null where users may join any number of times. @throws {Refused} when the user has joined */
async function reserve(
  { survey, commitment }: Join,
  userId: string,
  parts: Parts,
): Promise<Reservation | null> {
  if (parts.participants === null) return null;
  return parts.participants.reserve(
    { survey, userId, commitment },
    {
      members: async () => (await parts.store.group(survey, true)).members,
      underWay: () => parts.store.underWay(survey),
    },
  );
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
