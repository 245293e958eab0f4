/** The `error` string of the group routes, put into words. The original app serialises ethers errors into it. */
import { decodeRevert } from '../protocol/revert.js';
import { type Failed, failed } from './client-error.js';
import { sanitize } from './sanitize.js';

/** What was asked when the refusal came. */
export type Asked = 'members' | 'join';

type Fields = Readonly<Record<string, unknown>>;

/** Puts the parsed object inside `error` into words; `{}`, the original's answer to most mistakes, included. */
export function refusal(error: Fields, asked: Asked): Failed {
  return byRevert(error) ?? byCode(error, asked) ?? byWords(error) ?? wordless(asked);
}

const operator = 'Only the operator of the API can fix this.';

function byRevert(error: Fields): Failed | null {
  if (isObject(error.receipt)) {
    const hash = sanitize(String(error.receipt.hash ?? ''), 80);
    return refused(`the transaction was mined but reverted ${hash}`.trim(), 'Nothing was joined.');
  }
  const revert = typeof error.data === 'string' ? decodeRevert(error.data) : null;
  if (revert !== null) {
    const means = sanitize(revert.means);
    const sentence = revert.name === null ? `the contract says “${means}”` : `${means} (${revert.name})`;
    return refused(sentence, revertHint(`${revert.name} ${means}`));
  }
  if (error.code === 'CALL_EXCEPTION' && (error.data === '0x' || error.reason === 'require(false)')) {
    return refused(
      'the contract at this address is not a survey',
      'Check the address and the chain of the API.',
    );
  }
  return null;
}

function revertHint(text: string): string | null {
  if (/LeafAlreadyExists/.test(text)) return 'Nothing to do: it has joined before.';
  if (/not the manager|CallerIsNotTheGroupAdmin/i.test(text)) {
    return `The API’s wallet does not manage this survey. ${operator}`;
  }
  if (/finished/i.test(text)) return 'This survey takes no more members.';
  return null;
}

/** Why the API could not decide. */
interface Outage {
  /** Where the answer does not say it better. */
  readonly sentence?: string;
  readonly hint: string;
  readonly passing?: boolean;
  /** Whether a join may have been sent before it happened. */
  readonly maybeActed?: boolean;
}

const busy: Outage = {
  sentence: 'the API’s wallet was busy with another join',
  hint: 'Try again in a few seconds.',
  passing: true,
};
const passing: Outage = { hint: 'Try again later.', passing: true };
const node: Outage = { ...passing, maybeActed: true };

/** Codes of what the API stands on: its wallet, its node, the platform, its operator's purse. */
const outages: Readonly<Record<string, Outage>> = {
  INSUFFICIENT_FUNDS: { sentence: 'the API’s wallet cannot pay for the transaction', hint: operator },
  BUDGET_SPENT: { hint: operator },
  WRONG_CHAIN: { hint: operator },
  OUT_OF_GAS: { hint: operator },
  NONCE_EXPIRED: busy,
  REPLACEMENT_UNDERPRICED: busy,
  UNAVAILABLE: passing,
  BUSY: { sentence: 'it is busy with other joins', ...passing },
  STORE_READ_ONLY: passing,
  ALREADY_JOINING: passing,
  INTERNAL: node,
  ECONNREFUSED: node,
  ECONNRESET: node,
  ENOTFOUND: node,
  ETIMEDOUT: node,
  EAI_AGAIN: node,
  NETWORK_ERROR: node,
  SERVER_ERROR: node,
};

function byCode(error: Fields, asked: Asked): Failed | null {
  const code = String(error.code);
  if (code === 'BAD_DATA') {
    return refused(
      'there is no survey contract at this address',
      'Check the address and the chain of the API.',
    );
  }
  if (code === 'TIMEOUT') return sent(error);
  const outage = Object.hasOwn(outages, code) ? outages[code] : undefined;
  if (outage === undefined) return null;
  const unsaid = `the API cannot reach its node (${sanitize(code)})`;
  return failed('unavailable', outage.sentence ?? wordsOf(error) ?? unsaid, outage.hint, {
    passing: outage.passing === true,
    maybeActed: outage.maybeActed === true && asked === 'join',
  });
}

/** The join is on its way: the server sent it and did not see it mined in its time. */
function sent(error: Fields): Failed {
  const { transactionHash } = error;
  const known = typeof transactionHash === 'string' && /^0x[0-9a-f]{64}$/i.test(transactionHash);
  const sentence = known
    ? `the join was sent (transaction ${transactionHash}), but is not in a block yet`
    : (wordsOf(error) ?? 'it gave up waiting for its node (TIMEOUT)');
  return failed('unavailable', sentence, 'Look again later.', {
    maybeActed: true,
    transaction: known ? transactionHash : null,
  });
}

/** What the answer says itself: shortMessage and reason, which this project’s server always fills. */
function byWords(error: Fields): Failed | null {
  const words = wordsOf(error);
  const about =
    error.argument === 'signature' ? 'Sign again, or check the signature for missing characters.' : null;
  return words === null ? null : refused(words, about);
}

function wordsOf(error: Fields): string | null {
  const words = [error.shortMessage, error.reason]
    .map((word) => (typeof word === 'string' ? sanitize(word) : ''))
    .filter((word) => word !== '');
  const [first, second] = [...new Set(words)];
  if (first === undefined) return null;
  return second === undefined || first.includes(second) ? first : `${first}: ${second}`;
}

function wordless(asked: Asked): Failed {
  const hint =
    asked === 'members'
      ? 'The original app answers so when the address is not one, or when it failed inside.'
      : 'The original app answers so to a bad or expired token, to a signature by another account, and to an unknown survey.';
  return refused('it does not say why (its error is empty)', hint);
}

function refused(sentence: string, hint: string | null): Failed {
  return failed('refused', sentence, hint);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
