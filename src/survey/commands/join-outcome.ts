/** How the outcome of a join is reported. */
import { exit, KaiactlError } from '../../errors.js';
import type { Listed, Submitted } from '../client/joining.js';
import type { JoinRequest } from '../protocol/wire.js';
import { checkNow, type JoinStatus, span, wallNote } from './join-report.js';
import { clientErrorOf, type Session } from './session.js';

/** The outcome's name in a report. */
export function statusOf({ state }: Submitted): JoinStatus {
  switch (state) {
    case 'accepted':
    case 'sent':
      return 'submitted';
    case 'failed':
      return 'unknown';
    default:
      return state;
  }
}

/** The error of a join that is not in the list; null with --no-wait. */
export function failureOf(
  submitted: Submitted,
  listed: Listed | null,
  request: JoinRequest,
  session: Session,
  timeoutMs: number,
): KaiactlError | null {
  const check = checkNow(request);
  switch (submitted.state) {
    case 'refused':
      return clientErrorOf(submitted.clientError, session, exit.failed, [
        'Nothing was joined.',
        ...(submitted.clientError.code === 'LeafAlreadyExists' ? [check] : []),
      ]);
    case 'unsent': {
      const sent = submitted.clientError.kind !== 'unreachable';
      return clientErrorOf(submitted.clientError, session, exit.unseen, [
        sent ? 'Nothing was joined.' : 'Nothing was sent.',
      ]);
    }
    case 'failed':
    case 'unknown':
      return clientErrorOf(submitted.clientError, session, exit.failed, [
        'The join may have been accepted. Before you submit it again, check the list:',
        check,
      ]);
    case 'accepted':
      if (!submitted.proven) return unproven(submitted.transaction, check);
      return late('accepted', listed, timeoutMs, check);
    case 'sent':
      return late(`sent in transaction ${submitted.transaction}`, listed, timeoutMs, check);
  }
}

/** Exit 4: submitted, but not in the list before the timeout; null with --no-wait. */
function late(what: string, listed: Listed | null, timeoutMs: number, check: string): KaiactlError | null {
  if (listed === null) return null;
  return new KaiactlError(
    `${what}, but not listed within ${span(timeoutMs)}: check again later, do not submit again`,
    { exitCode: exit.pending, notes: wallNote(listed), hint: check },
  );
}

function unproven(transaction: string, check: string): KaiactlError {
  return new KaiactlError(
    `the API answered success, but transaction ${transaction} holds no MemberAdded event of this commitment: nothing was joined`,
    {
      exitCode: exit.unseen,
      notes: ['The original API answers so when the address has no contract.'],
      hint: check,
    },
  );
}
