/** POST /api/group/join: adds a commitment to a survey's group for a user who proves who they are. */
import { type Join, readJoin } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import { verifySignature } from '../protocol/signature.js';
import { paths, type Receipt } from '../protocol/wire.js';
import { reserve } from '../store/participants.js';
import type { AddRoutes, Parts } from './parts.js';
import { addEndpoint, readJson, sendJson } from './route.js';

/** Adds the route. */
export const joinRoutes: AddRoutes = (app, parts, metrics) => {
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: paths.join,
    async answer(request, reply) {
      try {
        const receipt = await admit(readJoin(readJson(request)), parts);
        metrics.joins.inc({ outcome: 'accepted' });
        return sendJson(reply, JSON.stringify({ data: JSON.stringify(receipt) }));
      } catch (error) {
        metrics.joins.inc({ outcome: error instanceof Refused ? error.code : 'INTERNAL' });
        throw error;
      }
    },
  });
};

async function admit(join: Join, parts: Parts): Promise<Receipt> {
  if (parts.verifyToken === null) {
    throw new Refused('UNAVAILABLE', 'this server takes no joins', 'it was started to list members only');
  }
  const userId = await parts.verifyToken(join.idToken, join.nonce);
  verifySignature(join, userId, parts.signatures);
  return parts.onePerUser ? joinOnce(join, userId, parts) : parts.store.join(join.survey, join.commitment);
}

async function joinOnce(join: Join, userId: string, { file, store, signatures }: Parts): Promise<Receipt> {
  const { survey, commitment } = join;
  const isMember = async (one: string) => (await store.group(survey)).members.includes(one);
  const place = await reserve(file, { survey, userId, commitment, now: signatures.now() }, isMember);
  try {
    const receipt = await store.join(survey, commitment);
    place.confirm();
    return receipt;
  } catch (error) {
    const settled = error instanceof Refused && error.code !== 'TIMEOUT';
    if (settled) place.release();
    throw error;
  }
}
