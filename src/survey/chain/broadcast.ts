/** Sends signed transactions to the node, and finds out what became of them. */
import { keccak256 } from 'ethers/crypto';
import { type Rpc, RpcError, Unreachable } from './rpc.js';

const maxAttempts = 3;

/**
 * Sends a transaction. Retries are safe: the same bytes are the same transaction. If the node does not answer, or cannot
 * tell whether it has the transaction, it counts as sent: the node may have accepted it.
 * @throws {RpcError} when the node rejects it
 */
export async function broadcast(rpc: Rpc, raw: string): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      await rpc('eth_sendRawTransaction', [raw]);
      return;
    } catch (error) {
      if (isKnown(error)) return;
      const found = rpc('eth_getTransactionByHash', [keccak256(raw)]);
      const isAccepted = await found.then(
        (transaction) => transaction !== null,
        () => null,
      );
      if (isAccepted === true) return;
      if (isAccepted === false && !(error instanceof Unreachable)) throw error;
    }
  }
}

/** Whether another transaction was mined with its nonce. */
export async function isReplaced(
  rpc: Rpc,
  address: string,
  { hash, nonce }: { hash: string; nonce: number },
): Promise<boolean> {
  const mined = Number(await rpc('eth_getTransactionCount', [address, 'latest']));
  return mined > nonce && (await rpc('eth_getTransactionByHash', [hash])) === null;
}

/** Whether the node rejects the transaction because another has its nonce. */
export function isNonceTaken(error: unknown): boolean {
  return error instanceof RpcError && !isKnown(error) && /nonce|replacement/i.test(error.message);
}

function isKnown(error: unknown): boolean {
  return error instanceof RpcError && /already (known|imported)|known transaction/i.test(error.message);
}
