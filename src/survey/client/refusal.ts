/** Explains the `error` string of the group routes. The original app serialises ethers errors into it. */
import { field } from '../../util/json.js';
import { decodeRevert } from '../protocol/refused.js';
import { type Failed, makeFailure, sanitize } from './client-error.js';

export type Asked = 'members' | 'join';

type Fields = Readonly<Record<string, unknown>>;

/** Explains the parsed object inside `error`, including `{}`, the original app's answer to most mistakes. */
export function refusal(error: Fields, asked: Asked): Failed {
  return byRevert(error) ?? byCode(error, asked) ?? byMessage(error) ?? withoutMessage(asked);
}

const operator = 'Only the operator of the API can fix this.';
const wrongPlace = 'Check the address and the chain of the API.';

function byRevert(error: Fields): Failed | null {
  if (typeof error.receipt === 'object' && error.receipt !== null) {
    const hash = sanitize(String(field(error.receipt, 'hash') ?? ''), 80);
    return refused(`the transaction was mined but reverted ${hash}`.trim(), 'Nothing was joined.');
  }
  const revert = typeof error.data === 'string' ? decodeRevert(error.data) : null;
  if (revert !== null) {
    const means = sanitize(revert.means);
    const sentence = revert.name === null ? `the contract says “${means}”` : `${means} (${revert.name})`;
    return refused(sentence, revertHint(`${revert.name} ${means}`), revert.name);
  }
  if (error.code === 'CALL_EXCEPTION' && (error.data === '0x' || error.reason === 'require(false)'))
    return refused('the contract at this address is not a survey', wrongPlace);
  return null;
}

function revertHint(text: string): string | null {
  if (/LeafAlreadyExists/.test(text)) return 'Nothing to do: the commitment joined before.';
  if (/not the manager|CallerIsNotTheGroupAdmin/i.test(text))
    return `The API’s wallet does not manage this survey. ${operator}`;
  if (/finished/i.test(text)) return 'This survey accepts no more members.';
  return null;
}

interface Outage {
  /** Used if the answer has no message. */
  readonly sentence?: string;
  readonly hint: string;
  readonly passing?: boolean;
  /** Whether a join may have been sent before the outage. */
  readonly maybeActed?: boolean;
}

const busy: Outage = {
  sentence: 'the API’s wallet was busy with another join',
  hint: 'Try again in a few seconds.',
  passing: true,
};
const passing: Outage = { hint: 'Try again later.', passing: true };
const node: Outage = { ...passing, maybeActed: true };

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'NETWORK_ERROR'];
const nodeCodes = ['INTERNAL', 'SERVER_ERROR', ...networkCodes];

/** Error codes of the services that the API needs: its wallet, its node, the messaging platform, the operator's budget. */
const outages: Readonly<Record<string, Outage>> = {
  INSUFFICIENT_FUNDS: { sentence: 'the API’s wallet cannot pay for the transaction', hint: operator },
  BUDGET_SPENT: { hint: operator },
  WRONG_CHAIN: { hint: operator },
  OUT_OF_GAS: { hint: operator },
  NONCE_EXPIRED: busy,
  REPLACEMENT_UNDERPRICED: busy,
  UNAVAILABLE: passing,
  FEE_TOO_HIGH: { hint: 'Try again when the chain is cheaper.', passing: true },
  BUSY: { sentence: 'it is busy with other joins', ...passing },
  STORE_READ_ONLY: passing,
  STORE_DAMAGED: { hint: operator },
  ALREADY_JOINING: passing,
  ...Object.fromEntries(nodeCodes.map((code) => [code, node])),
};

function byCode(error: Fields, asked: Asked): Failed | null {
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'BAD_DATA') return refused('there is no survey contract at this address', wrongPlace);
  if (code === 'TIMEOUT') return sent(error);
  const outage = Object.hasOwn(outages, code) ? outages[code] : undefined;
  if (outage === undefined) return null;
  const unsaid = `the API cannot reach its node (${sanitize(code)})`;
  return makeFailure('unavailable', outage.sentence ?? messageOf(error) ?? unsaid, outage.hint, {
    code,
    passing: outage.passing === true,
    maybeActed: outage.maybeActed === true && asked === 'join',
  });
}

/** The server sent the transaction and did not see it mined within its timeout. */
function sent(error: Fields): Failed {
  const { transactionHash } = error;
  const known = typeof transactionHash === 'string' && /^0x[0-9a-f]{64}$/i.test(transactionHash);
  const sentence = known
    ? `the join was sent (transaction ${transactionHash}), but is not in a block yet`
    : (messageOf(error) ?? 'its node did not answer in time (TIMEOUT)');
  return makeFailure('unavailable', sentence, 'Check the member list later.', {
    code: 'TIMEOUT',
    maybeActed: true,
    transaction: known ? transactionHash : null,
  });
}

/** The answer's own message: shortMessage and reason, which this project’s server always sends. */
function byMessage(error: Fields): Failed | null {
  const message = messageOf(error);
  const about = 'Check --scheme, --chain-id and --account, and the signature for missing characters.';
  return message === null ? null : refused(message, error.argument === 'signature' ? about : null);
}

function messageOf(error: Fields): string | null {
  const parts = [error.shortMessage, error.reason]
    .map((part) => (typeof part === 'string' ? sanitize(part) : ''))
    .filter((part) => part !== '');
  const [first, second] = [...new Set(parts)];
  if (first === undefined) return null;
  return second === undefined || first.includes(second) ? first : `${first}: ${second}`;
}

function withoutMessage(asked: Asked): Failed {
  const causes = {
    members: 'an invalid address, and for internal errors',
    join: 'a bad or expired token, a signature by another account, and an unknown survey',
  };
  const hint = `The original app sends this answer for ${causes[asked]}.`;
  return refused('it does not say why (its error is empty)', hint);
}

function refused(sentence: string, hint: string | null, code: string | null = null): Failed {
  return makeFailure('refused', sentence, hint, { code });
}
