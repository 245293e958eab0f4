/** Reads the answers of the three routes: a value, or the reason why the answer cannot be used. */
import type { Reply } from '../../http/send.js';
import { field, objectOf } from '../../util/json.js';
import { maskLocation } from '../../util/mask-url.js';
import { isLeaf } from '../protocol/commitment.js';
import { type GroupInfo, paymentFailed, type Receipt } from '../protocol/wire.js';
import { type Failed, fine, makeFailure, type Result, sanitize } from './client-error.js';
import { type Asked, refusal } from './refusal.js';

type Answer = Extract<Reply, { kind: 'answer' }>;
type Fields = Readonly<Record<string, unknown>>;

/** Reads an answer of the members route. If the result is ok, every leaf has its canonical spelling. */
export function readGroup(reply: Reply): Result<GroupInfo> {
  const data = groupData(reply, 'members');
  if (!data.ok) return data;
  const { members, groupId, from } = data.value;
  if (!Array.isArray(members) || typeof groupId !== 'string' || !/^\d{1,78}$/.test(groupId))
    return broken('its member list lacks members or groupId');
  const at = members.findIndex((leaf) => !isLeaf(leaf));
  if (at !== -1)
    return broken(`member ${at + 1} of its list is not a commitment (${sanitize(String(members[at]), 40)})`);
  if (from === undefined) return fine({ members: members as string[], groupId });
  if (!Number.isSafeInteger(from) || Number(from) < 0)
    return broken('its part of the list has no valid first index');
  return fine({ members: members as string[], groupId, from: Number(from) });
}

/** Reads an answer of the join route. The receipt of an ok result has a hash and well-formed logs of unchecked content. */
export function readReceipt(reply: Reply): Result<Receipt> {
  const data = groupData(reply, 'join');
  if (!data.ok) return data;
  const { logs, hash } = data.value;
  const wellFormed = Array.isArray(logs) && logs.every(isLog) && typeof hash === 'string';
  if (!wellFormed || !/^0x[0-9a-f]{1,64}$/i.test(hash))
    return broken('it answered success, but not with a receipt', true);
  return fine(data.value as unknown as Receipt);
}

export function readPayment(reply: Reply): Result<string> {
  if (reply.kind === 'lost') return unreachable(reply);
  const body = objectOf(reply.text);
  if (reply.status === 200 && body !== null) {
    if (typeof body.pId === 'string' && /^[\w.:-]{1,200}$/.test(body.pId)) return fine(body.pId);
    if (Object.keys(body).length > 0)
      return broken('it answered success, but without a valid payment identifier', true);
    return broken(
      'it answered success, but without a payment identifier',
      false,
      'The original app sends this answer when the payment portal refused: no payment exists. Check the currency, the price and the operator’s portal account.',
    );
  }
  if ((reply.status === 400 || reply.status === 503) && typeof body?.message === 'string') {
    // Every failure has the same sentence: refusals by the server’s own rules, and by the portal.
    const kind = body.message === paymentFailed.message ? 'unavailable' : 'refused';
    if (typeof body.reason === 'string')
      return makeFailure(
        kind,
        `${sanitize(body.message)}: ${sanitize(body.reason)}`,
        'Ask the operator of the API.',
      );
    return makeFailure(
      kind,
      sanitize(body.message) || 'it does not say why',
      'The API gives no more detail: its own rules may refuse the payment, or its payment portal failed or refused it.',
      { maybeActed: true },
    );
  }
  return unexpected(reply);
}

function groupData(reply: Reply, asked: Asked): Result<Fields> {
  if (reply.kind === 'lost') return unreachable(reply);
  const body = objectOf(reply.text);
  if (reply.status === 200 && body !== null) {
    const data = typeof body.data === 'string' ? objectOf(body.data) : null;
    return data === null
      ? broken('its answer has no data (or data that is not JSON)', asked === 'join')
      : fine(data);
  }
  const ours = reply.status >= 400 && reply.status < 500 && reply.status !== 404 && reply.status !== 405;
  if (reply.status === 503) return outage(body, reply.retryAfterMs) ?? unexpected(reply);
  if (!ours || body === null || body.error === undefined) return unexpected(reply);
  const error = typeof body.error === 'string' ? objectOf(body.error) : body.error;
  if (typeof error === 'object' && error !== null) return withStatus(refusal(error as Fields, asked), reply);
  return withStatus(refusal({ shortMessage: String(body.error) }, asked), reply);
}

/** Codes of servers that did nothing: their store, database or chain did not serve. */
const outages = ['STORE_READ_ONLY', 'STORE_DAMAGED', 'UNAVAILABLE', 'WRONG_CHAIN', 'FEE_TOO_HIGH'];

/** An outage that the server itself reports. Any other 503 may come from a proxy. */
function outage(body: Fields | null, retryAfterMs: number | null): Failed | null {
  const error = typeof body?.error === 'string' ? objectOf(body.error) : null;
  if (error === null || !outages.some((code) => code === error.code)) return null;
  const { ok, clientError } = refusal(error, 'join');
  return { ok, clientError: { ...clientError, retryAfterMs } };
}

function withStatus(result: Failed, reply: Answer): Failed {
  if (reply.status !== 429 && reply.status !== 408) return result;
  const { retryAfterMs } = reply;
  const { kind, sentence } = result.clientError;
  const isMany = reply.status === 429;
  const limited = isMany
    ? 'it received too many requests from this address'
    : 'the request reached it too slowly';
  const hint = `Try again after ${retryAfterMs === null ? 'a minute' : `${retryAfterMs / 1000} s`}.`;
  const more = { passing: true, retryAfterMs };
  return makeFailure('unavailable', kind === 'unavailable' ? sentence : limited, hint, more);
}

function unexpected(reply: Answer): Failed {
  const { status } = reply;
  const what = described(reply);
  const hint = 'Check --api-url: the base URL, without /api/….';
  if (reply.location !== null) {
    const redirects = `it redirects (${status}) to ${sanitize(maskLocation(reply.location), 120)}, which was not followed`;
    return broken(redirects, false, 'If you trust that address, set --api-url to it.');
  }
  if (status === 404 || status === 405)
    return broken(`there is no survey API at this address (${status}, ${what})`, false, hint);
  if (status === 429 || status === 408) return withStatus(broken(''), reply);
  if (status >= 500) {
    const later = 'Try again later. If the error persists, ask the operator of the API.';
    const more = { maybeActed: true, retryAfterMs: reply.retryAfterMs };
    return makeFailure('unavailable', `it failed inside (${status}, ${what})`, later, more);
  }
  return broken(`it answered ${status} with ${what}`, status < 400, hint);
}

function described(reply: Answer): string {
  if (reply.text === '') return 'an empty body';
  if (/html/i.test(reply.contentType) || /^\s*<(!doctype|html)/i.test(reply.text)) return 'a web page';
  return objectOf(reply.text) === null ? 'something that is not a JSON object' : 'JSON in another form';
}

function unreachable(reply: Extract<Reply, { kind: 'lost' }>): Failed {
  const more = { maybeActed: reply.maybeSent, passing: true };
  return makeFailure('unreachable', reply.why, 'Check --api-url and the network.', more);
}

function broken(
  sentence: string,
  maybeActed = false,
  hint: string | null = 'The survey API does not answer like this. Check --api-url.',
): Failed {
  return makeFailure('broken', sentence, hint, { maybeActed });
}

function isLog(log: unknown): boolean {
  const topics = field(log, 'topics');
  const isText = (value: unknown) => typeof value === 'string';
  return Array.isArray(topics) && topics.every(isText) && isText(field(log, 'data'));
}
