/** Refusals of the survey API. */

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

  /** For people: `this server is busy: too many joins`. */
  get sentence(): string {
    return `${this.message}: ${this.reason}`;
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

/** Retry-After while the chain's fee is above the operator's limit, in seconds. */
export const feeRetryAfter = 60;

/** The refusal of an overloaded server (429): nothing was done, and the client may retry. */
export function busy(reason: string): Refused {
  return new Refused('BUSY', 'this server is busy', `${reason}: try again in ${retryAfter} s`);
}

/** The refusal in words of a survey contract, in the form of a failed eth_estimateGas. */
export function revertRefusal(reason: string): Refused {
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}

export function finishedRefusal(): Refused {
  return revertRefusal('Survey is finished');
}

/** The refusal for a contract's custom error, in the form of a failed eth_estimateGas. */
export function refusedByContract(selector: string): Refused {
  const [name, means] = revertErrors[selector] ?? [selector, 'the contract refused'];
  return new Refused('CALL_EXCEPTION', means, name, { action: 'estimateGas', data: selector });
}

/** Selector → name and explanation of Semaphore v4's errors. The survey contracts use strings. */
export const revertErrors: Readonly<Record<string, readonly [name: string, means: string]>> = {
  '0x258a195a': ['LeafAlreadyExists', 'this commitment is already in the group'],
  '0x29691be2': ['LeafCannotBeZero', 'a commitment of 0 cannot join'],
  '0xc380a82e': ['LeafGreaterThanSnarkScalarField', 'the commitment is not below the size of the field'],
  '0x7204756c': ['LeafDoesNotExist', 'this commitment is not in the group'],
  '0x3fa930c6': ['WrongSiblingNodes', 'the Merkle proof given does not fit the tree'],
  '0xbb9bf278': ['Semaphore__CallerIsNotTheGroupAdmin', 'the survey contract is not the admin of its group'],
  '0x029f0579': ['Semaphore__GroupDoesNotExist', 'the group does not exist'],
  '0x4d329586': [
    'Semaphore__MerkleTreeRootIsNotPartOfTheGroup',
    'the Merkle root was never one of this group',
  ],
  '0x9581a990': ['Semaphore__MerkleTreeRootIsExpired', 'the Merkle root is too old'],
  '0x208b15e8': ['Semaphore__YouAreUsingTheSameNullifierTwice', 'this answer was already given'],
  '0x4aa6bc40': ['Semaphore__InvalidProof', 'the proof is not valid'],
  '0xc8b02e01': ['Semaphore__GroupHasNoMembers', 'the group has no members'],
  '0xecf64f12': ['Semaphore__MerkleTreeDepthIsNotSupported', 'the tree is too deep or too flat'],
};

/** A decoded revert: the error's name (null for a plain string) and what it means. */
export interface Revert {
  readonly name: string | null;
  readonly means: string;
}

const selectorOfString = '0x08c379a0';
const selectorOfPanic = '0x4e487b71';

/** Null if the data is empty or unknown. The text of a string error is not sanitized. */
export function decodeRevert(data: string): Revert | null {
  const selector = data.slice(0, 10).toLowerCase();
  const [name, means] = (Object.hasOwn(revertErrors, selector) && revertErrors[selector]) || [];
  if (name !== undefined && means !== undefined) return { name, means };
  if (selector === selectorOfString) {
    const text = stringArgument(data.slice(10));
    return text === null ? null : { name: null, means: text };
  }
  if (selector === selectorOfPanic)
    return { name: 'Panic', means: `the contract panicked (code 0x${data.slice(-2)})` };
  return null;
}

/** The one string argument of Error(string): offset, length, bytes. */
function stringArgument(hex: string): string | null {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) return null;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length < 64) return null;
  const length = bytes.readUInt32BE(60);
  return length <= bytes.length - 64 ? bytes.toString('utf8', 64, 64 + length) : null;
}
