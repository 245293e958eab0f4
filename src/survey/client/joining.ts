/** One join: look, submit once, look until it is listed. */
import { KaiactlError } from '../../errors.js';
import { addedIn } from '../protocol/events.js';
import type { JoinRequest } from '../protocol/wire.js';
import { backoff } from './backoff.js';
import type { SurveyClient } from './client.js';
import { type ClientError, failed, fine, type Result } from './client-error.js';

/** Where a commitment stands. */
export interface Place {
  /** In the API's list, or in the contract where that can be asked. */
  readonly member: boolean;
  /** Leaf index from 0, or null when the list does not have it. */
  readonly index: number | null;
  readonly groupId: string;
  /** Entries of the list. */
  readonly size: number;
}

/** What became of the one request. */
export type Submitted =
  | {
      readonly state: 'accepted';
      readonly transaction: string;
      readonly block: number | null;
      /** Whether the receipt holds the MemberAdded event of this commitment in this group. */
      readonly proven: boolean;
    }
  /** In a transaction that nobody has seen in a block yet. */
  | { readonly state: 'sent'; readonly transaction: string; readonly clientError: ClientError }
  | { readonly state: NotAccepted; readonly clientError: ClientError };

/**
 * refused: a verdict. unsent: not acted upon, no verdict. failed: the server answered that it could not, and may
 * have acted nevertheless. unknown: no usable answer; only the list can tell.
 */
export type NotAccepted = 'refused' | 'unsent' | 'failed' | 'unknown';

/** Asks the contract, which knows members a cut list does not show; rejects when it cannot be asked. */
export type HasMember = (commitment: bigint) => Promise<boolean>;

/** Looks the commitment up in the list, and then in the contract if there is a way to ask it. */
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
    return failed('unreachable', error.message, error.hint, { passing: true });
  }
}

/** Sends the join once and says what became of it. */
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
  const { transaction } = clientError;
  if (transaction !== null) return { state: 'sent', transaction, clientError };
  return { state: notAccepted(clientError), clientError };
}

/** Only a server that understood and said no has given a verdict. */
function notAccepted({ kind, maybeActed }: ClientError): NotAccepted {
  if (kind === 'refused') return 'refused';
  if (!maybeActed) return 'unsent';
  return kind === 'unavailable' ? 'failed' : 'unknown';
}

export interface Wait {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly hasMember: HasMember | null;
  now(): number;
}

/** The last look: where the commitment is, or what stood in the way. */
export type Listed = {
  readonly place: Place | null;
  readonly clientError: ClientError | null;
  readonly tookMs: number;
};

/** Looks until the commitment is listed, the time is over or the signal aborts; failing looks are borne. */
export async function awaitListing(
  client: SurveyClient,
  survey: string,
  commitment: string,
  wait: Wait,
): Promise<Listed> {
  const started = wait.now();
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  for (;;) {
    const look = await place(client, survey, commitment, wait.hasMember);
    const tookMs = wait.now() - started;
    const found = look.ok ? look.value : null;
    const over = tookMs >= wait.timeoutMs || wait.signal.aborted;
    if (found?.member === true || over)
      return { place: found, clientError: look.ok ? null : look.clientError, tookMs };
    await pace.wait(wait.timeoutMs - tookMs);
  }
}
