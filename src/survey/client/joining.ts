/** One join: check the list, submit once, poll until it is listed. */
import { KaiactlError } from '../../errors.js';
import { addedIn } from '../protocol/events.js';
import type { JoinRequest } from '../protocol/wire.js';
import type { SurveyClient } from './client.js';
import { type ClientError, fine, makeFailure, type Result } from './client-error.js';
import { backoff } from './pace.js';

export interface Place {
  /** Whether the API's list holds it, or the contract, if a node was given. */
  readonly member: boolean;
  /** Leaf index from 0; null if it is not in the list. */
  readonly index: number | null;
  readonly groupId: string;
  readonly size: number;
}

export type Submitted =
  | {
      readonly state: 'accepted';
      readonly transaction: string;
      readonly block: number | null;
      /** Whether the receipt holds the MemberAdded event of this commitment in this group. */
      readonly proven: boolean;
    }
  | { readonly state: 'sent'; readonly transaction: string; readonly clientError: ClientError }
  | { readonly state: NotAccepted; readonly clientError: ClientError };

/**
 * refused: final. unsent: the server did not act on it. failed: the server answered with an error but may have acted.
 * unknown: no usable answer; only the list shows whether it was accepted.
 */
export type NotAccepted = 'refused' | 'unsent' | 'failed' | 'unknown';

/** Asks the contract, which knows members that a truncated list lacks. Rejects if the node does not answer. */
export type HasMember = (commitment: bigint) => Promise<boolean>;

/** Looks for the commitment in the list, then in the contract if a node was given. */
export async function place(
  client: SurveyClient,
  survey: string,
  commitment: string,
  hasMember: HasMember | null,
): Promise<Result<Place>> {
  const list = await client.members(survey);
  if (!list.ok) return list;
  const { members, groupId } = list.value;
  const at = members.indexOf(commitment);
  const found = { groupId, size: members.length, index: at === -1 ? null : at };
  if (at !== -1 || hasMember === null) return fine({ ...found, member: at !== -1 });
  try {
    return fine({ ...found, member: await hasMember(BigInt(commitment)) });
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return makeFailure('unreachable', error.message, error.hint, { passing: true });
  }
}

export async function submit(
  client: SurveyClient,
  request: JoinRequest,
  groupId: string,
): Promise<Submitted> {
  const result = await client.join(request);
  if (result.ok) {
    const proven = addedIn(result.value).some(
      (added) => String(added.commitment) === request.commitment && String(added.groupId) === groupId,
    );
    const block = Number.isSafeInteger(result.value.blockNumber) ? result.value.blockNumber : null;
    return { state: 'accepted', transaction: result.value.hash, block, proven };
  }
  const { clientError } = result;
  const { transaction, kind, maybeActed } = clientError;
  if (transaction !== null) return { state: 'sent', transaction, clientError };
  if (kind === 'refused') return { state: 'refused', clientError };
  if (!maybeActed) return { state: 'unsent', clientError };
  return { state: kind === 'unavailable' ? 'failed' : 'unknown', clientError };
}

export interface Wait {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly hasMember: HasMember | null;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
}

/** The result of the last poll: the commitment's position; null if the poll failed. */
export type Listed = Awaited<ReturnType<typeof awaitListing>>;

/** Polls until the commitment is listed, the timeout has passed or the signal aborts. Failed polls are retried. */
export async function awaitListing(client: SurveyClient, survey: string, commitment: string, wait: Wait) {
  const started = wait.now();
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  for (;;) {
    const poll = await place(client, survey, commitment, wait.hasMember);
    const tookMs = wait.now() - started;
    const found = poll.ok ? poll.value : null;
    const over = tookMs >= wait.timeoutMs || wait.signal.aborted;
    if (found?.member === true || over) return { place: found, tookMs };
    await pace.wait(wait.timeoutMs - tookMs);
  }
}
