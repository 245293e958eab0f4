/** What the next join will meet on the chain. */
import type { Health } from '../store/group-store.js';
import type { Rpc } from './rpc.js';
import type { Sender } from './sender.js';

/** A chain whose last block is older than that stands still, or its node does. In seconds. */
const oldest = 120;
/** Gas of a join in a group of some thousands, for telling how many the balance pays for. */
const usualGas = 300_000n;

/** Asks the node; never rejects. @param sender null: nobody joins */
export async function chainHealth(rpc: Rpc, chainId: number, sender: Sender | null): Promise<Health> {
  try {
    const manager = sender?.address ?? null;
    const [id, block, price, balance, nonce, transactions] = await Promise.all([
      rpc('eth_chainId', []),
      rpc('eth_getBlockByNumber', ['latest', false]) as Promise<{ number: string; timestamp: string } | null>,
      rpc('eth_gasPrice', []),
      manager === null ? null : rpc('eth_getBalance', [manager, 'latest']),
      manager === null ? null : rpc('eth_getTransactionCount', [manager, 'latest']).then(Number),
      sender?.underWay() ?? null,
    ]);
    const blockAgeSeconds = Math.max(0, Math.round(Date.now() / 1000) - Number(block?.timestamp ?? 0));
    const joinsLeft = balance === null ? null : joinsFor(BigInt(String(balance)), BigInt(String(price)));
    const facts = {
      chainId: Number(id),
      block: Number(block?.number),
      blockAgeSeconds,
      joinsLeft,
      nonce,
      transactions,
    };
    return { problem: problemOf(facts, chainId), facts };
  } catch {
    return { problem: 'the chain’s node does not answer', facts: {} };
  }
}

function joinsFor(balance: bigint, price: bigint): number {
  const joins = price === 0n ? BigInt(Number.MAX_SAFE_INTEGER) : balance / (usualGas * price);
  return Number(joins > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : joins);
}

function problemOf(
  found: { chainId: number; blockAgeSeconds: number; joinsLeft: number | null },
  chainId: number,
): string | null {
  if (found.chainId !== chainId) return 'the node is on another chain now';
  if (found.joinsLeft === 0) return 'the manager’s balance pays for no join';
  return found.blockAgeSeconds > oldest
    ? 'the node’s last block is old: it is behind, or its chain stands still'
    : null;
}
