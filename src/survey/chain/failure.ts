/** Failures of the node or a contract as refusals, without addresses, payloads or signed transactions. */
import { Busy, RpcError, Unreachable } from '../../jsonrpc/rpc.js';
import { visible } from '../../util/visible.js';
import { decodeRevert, Outage, Refused } from '../protocol/refused.js';

/** Maps a failed chain call to a refusal; other errors stay unchanged. */
export function chainRefused(error: unknown, action: 'call' | 'estimateGas' | 'sendTransaction'): unknown {
  if (error instanceof Busy)
    return new Outage('the chain could not be reached', 'its node limits the rate of requests');
  if (error instanceof Unreachable)
    return new Outage('the chain could not be reached', 'its node did not answer');
  if (!(error instanceof RpcError)) return error;
  if (/insufficient funds/i.test(error.message)) {
    const reason = 'the survey’s manager cannot pay for the transaction: tell its operator';
    return new Refused('INSUFFICIENT_FUNDS', 'the join could not be sent', reason);
  }
  const refused = revertRefused(error.data, action);
  if (refused !== undefined) return refused;
  if (/revert/i.test(error.message))
    return new Refused('CALL_EXCEPTION', 'the contract refused', 'execution reverted without a reason');
  return new Refused('SERVER_ERROR', 'the chain refused', words(error));
}

/** An error's code, without its message: those of nodes and databases may hold addresses and transactions. */
export function errorCode(error: unknown): string {
  if (error instanceof Refused) return error.code;
  if (error instanceof Unreachable) return 'UNREACHABLE';
  if (error instanceof RpcError) return `RPC_${error.code}`;
  return String((error as { code?: unknown }).code ?? (error as Error).name);
}

export function refuseCall(error: unknown): never {
  throw chainRefused(error, 'call');
}

function revertRefused(data: string, action: string): Refused | undefined {
  const revert = decodeRevert(data);
  if (revert === null)
    return data.length < 10
      ? undefined
      : new Refused('CALL_EXCEPTION', 'the contract refused', 'unknown custom error', { action, data });
  const means = visible(revert.means);
  if (revert.name !== null) return new Refused('CALL_EXCEPTION', means, revert.name, { action, data });
  return new Refused('CALL_EXCEPTION', `execution reverted: "${means}"`, means, { action, data });
}

/** A node's error in this program's words: its own may hold addresses. */
function words({ code, message }: RpcError): string {
  if (/nonce/i.test(message)) return 'the manager’s account is used elsewhere at the same time: try again';
  if (/underpriced|fee/i.test(message)) return 'the fee is too low at the moment: try again';
  return `its node answered with error ${code}`;
}
