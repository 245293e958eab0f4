/** Refusals of the survey API. */
import { revertErrors } from './revert.js';

/** Further fields of a refusal; never a secret, a signed transaction or an upstream address. */
export type RefusalFacts = Readonly<Record<string, string | number | null | readonly string[]>>;

/**
 * An expected refusal. `shortMessage` says what is wrong; `reason` says why, or is the contract's name of the error.
 * The original app's alert shows them as "shortMessage: reason".
 */
export class Refused extends Error {
  readonly code: string;
  readonly reason: string;
  readonly facts: RefusalFacts;

  constructor(code: string, shortMessage: string, reason: string, facts: RefusalFacts = {}) {
    super(shortMessage);
    this.name = 'Refused';
    this.code = code;
    this.reason = reason;
    this.facts = facts;
  }

  /** The answer's body: an object whose `error` is itself a JSON string, as the original API writes it. */
  body(): string {
    const error = { code: this.code, ...this.facts, reason: this.reason, shortMessage: this.message };
    return JSON.stringify({ error: JSON.stringify(error) });
  }
}

/** The refusal while the database or the chain does not serve (503): nothing was done, and another server may do it. */
export class Outage extends Refused {
  constructor(shortMessage: string, reason: string, code = 'UNAVAILABLE') {
    super(code, shortMessage, reason);
  }
}

/** Retry-After of a busy server, in seconds. */
export const retryAfter = 5;

/** The refusal of an overloaded server (429): nothing was done, and the client may retry. */
export function busy(reason: string): Refused {
  return new Refused('BUSY', 'this server is busy', `${reason}: try again in ${retryAfter} s`);
}

/** The refusal for a contract's custom error, in the form of a failed eth_estimateGas. */
export function refusedByContract(selector: string): Refused {
  const known = revertErrors[selector];
  return new Refused('CALL_EXCEPTION', known?.means ?? 'the contract refused', known?.name ?? selector, {
    action: 'estimateGas',
    data: selector,
  });
}
