/** The portal's statuses in states of this server, and which status replaces which. No I/O. */
import { field } from '../../util/json.js';
import { isStatus } from './portal.js';

/** Statuses by state. In `pending` and `paid`, a payment passes them in this order. */
const statuses = {
  pending: ['CREATED', 'STARTED', 'REGISTERED_ON_PG'],
  paid: ['CAPTURED', 'CONFIRMED', 'FINALIZED'],
  failed: ['CONFIRM_FAILED', 'CONFIRMED_FAILED', 'CANCELED'],
  returned: ['REFUND', 'REFUNDED', 'CHARGEBACK'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const paymentStatuses: readonly string[] = Object.values(statuses).flat();

/** The state of a status alone; unknown: a status that this version does not know. */
type Known = keyof typeof statuses | 'unknown';

/** The states that may replace each state. Answers may arrive late: what they said before is no news. */
const next: Readonly<Record<Known, readonly Known[]>> = {
  pending: ['pending', 'paid', 'failed', 'returned', 'unknown'],
  unknown: ['pending', 'paid', 'failed', 'returned', 'unknown'],
  paid: ['paid', 'failed', 'returned', 'unknown'],
  failed: ['failed', 'returned'],
  returned: ['returned'],
};

/** disputed: paid as the portal says, but a callback claims otherwise, or the payment is not that of the order. */
export const paymentStates = ['pending', 'paid', 'failed', 'returned', 'unknown', 'disputed'] as const;
export type PaymentState = (typeof paymentStates)[number];

export function statusState(status: string): Known {
  const names = Object.keys(statuses) as (keyof typeof statuses)[];
  return names.find((name) => rank(name, status) >= 0) ?? 'unknown';
}

function rank(state: Known, status: string): number {
  const ranked: readonly string[] = state === 'unknown' ? [] : statuses[state];
  return ranked.indexOf(status);
}

/** The status to keep of a recorded one and one that was answered or claimed. */
export function laterStatus(recorded: string, answered: string): string {
  const [from, to] = [statusState(recorded), statusState(answered)];
  if (!next[from].includes(to)) return recorded;
  const isPassed = from === to && (to === 'pending' || to === 'paid');
  return isPassed && rank(to, answered) < rank(from, recorded) ? recorded : answered;
}

/** The claim to record of an earlier one and a callback's: never one that is older than the status, or hides a return. */
export function laterClaim(status: string, before: string | null, claimed: string): string | null {
  const hides = before !== null && statusState(before) === 'returned' && statusState(claimed) !== 'returned';
  return hides || laterStatus(status, claimed) === status ? before : claimed;
}

/** The claim to keep after the portal's answer: one of a failure or a return that the portal has not confirmed. */
export function openClaim(status: string, claimed: string | null): string | null {
  const state = claimed === null ? null : statusState(claimed);
  const isOpen = state === 'failed' || state === 'returned';
  return isOpen && state !== statusState(status) && next[statusState(status)].includes(state)
    ? claimed
    : null;
}

export function stateOf(status: string, claimed: string | null, problem: string | null): PaymentState {
  const state = statusState(status);
  const isDisputed = problem !== null || (state === 'paid' && openClaim(status, claimed) !== null);
  return isDisputed ? 'disputed' : state;
}

/**
 * The statuses in the portal's two answers about a payment; a refund or a chargeback is named in the record only.
 * `isWon`: the seller won the chargeback, so that the payment counts again.
 * @param status null: no answer
 */
export function answeredStatuses(status: string | null, record: object | null) {
  const refund = field(record, 'refund') ?? null;
  const isWon = field(refund, 'type') === 'CHARGEBACK' && field(refund, 'chargebackStatus') === 'WON';
  const type = field(refund, 'type');
  const returned = isStatus(type) && statusState(type) === 'returned' ? type : 'REFUND';
  const ofRecord = field(record, 'status');
  const answers = [status, isStatus(ofRecord) ? ofRecord : null, refund === null || isWon ? null : returned];
  return { statuses: answers.filter((one) => one !== null), isWon };
}

/** A recorded status after the portal's answers; `contradiction`: an answer that calls a failed payment paid, or null. */
export function settleStatus(recorded: string, { statuses, isWon }: ReturnType<typeof answeredStatuses>) {
  const [first] = statuses;
  const from = isWon && first !== undefined && statusState(recorded) === 'returned' ? first : recorded;
  const status = statuses.reduce(laterStatus, from);
  const paid = statuses.find((one) => statusState(one) === 'paid') ?? null;
  return { status, contradiction: statusState(status) === 'failed' ? paid : null };
}
