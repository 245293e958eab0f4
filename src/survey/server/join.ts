/** POST /api/group/join: adds a commitment to a survey's group for a user who proves who they are. */
import { type Join, readJoin } from '../protocol/join-request.js';
import { busy, Refused } from '../protocol/refused.js';
import { verifySignature } from '../protocol/signature.js';
import { paths, type Receipt } from '../protocol/wire.js';
import type { Held } from '../store/group-store.js';
import type { Participants, Reservation } from '../store/participants.js';
import type { AddRoutes, Parts } from './parts.js';
import { addEndpoint, readJson, sendJson } from './route.js';
import { joinSchema } from './schemas.js';

/** Adds the route. */
export const joinRoutes: AddRoutes = (app, parts, metrics) => {
  let underWay = 0;
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: paths.join,
    schema: joinSchema,
    async answer(request, reply) {
      underWay += 1;
      try {
        if (underWay > parts.limits.joins) throw busy('too many joins are under way');
        const receipt = await admit(readJoin(readJson(request)), parts);
        metrics.joins.inc({ outcome: 'accepted' });
        return sendJson(reply, JSON.stringify({ data: JSON.stringify(receipt) }));
      } catch (error) {
        metrics.joins.inc({ outcome: error instanceof Refused ? error.code : 'INTERNAL' });
        throw error;
      } finally {
        underWay -= 1;
      }
    },
  });
};

async function admit(join: Join, parts: Parts): Promise<Receipt> {
  if (parts.verifyToken === null) {
    throw new Refused('UNAVAILABLE', 'this server takes no joins', 'it was started to list members only');
  }
  const userId = await parts.verifyToken(join.idToken, join.nonce);
  await verifySignature(join, userId, parts.signatures);
  return parts.participants === null
    ? joinWithin(join, userId, parts)
    : joinOnce(join, userId, parts, parts.participants);
}

async function joinOnce(
  join: Join,
  userId: string,
  parts: Parts,
  participants: Participants,
): Promise<Receipt> {
  const { survey, commitment } = join;
  const place = await participants.reserve(
    { survey, userId, commitment },
    {
      members: async () => (await parts.store.group(survey, true)).members,
      underWay: () => parts.store.underWay(survey),
    },
  );
  const receipt = await joinWithin(join, userId, parts, place.held).catch(async (error: unknown) => {
    // A store that fails now has the place settled by whoever asks next.
    if (isSettled(error)) await place.release().catch(() => undefined);
    else place.leave();
    throw error;
  });
  // It counts, whether or not the store can note that now: the group tells.
  if (parts.store.kind === 'embedded') await place.confirm().catch(() => undefined);
  else confirmLater(parts.store.final(receipt), place);
  return receipt;
}

/** Joins within the budget of survey and user; what was never sent costs nothing. */
async function joinWithin(
  { survey, commitment }: Join,
  userId: string,
  parts: Parts,
  held?: Held,
): Promise<Receipt> {
  const giveBack = await parts.budgets?.spend(survey, userId);
  try {
    return await parts.store.join(survey, commitment, held);
  } catch (error) {
    if (error instanceof Refused && error.facts.transactionHash === undefined)
      await giveBack?.().catch(() => undefined);
    throw error;
  }
}

/** A join that the chain may yet take back is not settled: whoever asks meanwhile looks at the group. */
function confirmLater(final: Promise<boolean>, place: Reservation): void {
  place.leave();
  final.then((is) => (is ? place.confirm() : undefined)).catch(() => undefined);
}

/** Whether the join is known to have come to nothing: of what was sent, only the group tells. */
function isSettled(error: unknown): boolean {
  return error instanceof Refused && error.code !== 'TIMEOUT' && error.facts.transactionHash === undefined;
}
