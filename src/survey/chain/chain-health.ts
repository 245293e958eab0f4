/** What the next join will meet on the chain. */
import type { Health } from '../store/group-store.js';
import { within } from './deadline.js';
import type { Rpc } from './rpc.js';
import type { Sender } from './sender.js';

/** A chain whose last block is older than that stands still, or its node does. In seconds. */
const oldest = 120;
/** Gas of a join in a group of some thousands, for telling how many the balance pays for. */
const usualGas = 300_000n;

/** How long a figure is waited for, in milliseconds. */
const figureMs = 2000;

/**
 * Asks the node; never rejects. `eth_blockNumber` alone decides whether it is up: a figure that is late is null.
 * @param sender null: nobody joins
 */
export async function chainHealth(rpc: Rpc, chainId: number, sender: Sender | null): Promise<Health> {
  const figure = <T>(asked: Promise<T>) => within(figureMs, asked, () => new Error('late')).catch(() => null);
  const manager = sender?.address ?? null;
  const ofManager = (method: string) => (manager === null ? null : figure(rpc(method, [manager, 'latest'])));
  const [block, id, age, price, balance, nonce, transactions] = await Promise.all([
    rpc('eth_blockNumber', []).then(Number, () => null),
    figure(rpc('eth_chainId', []).then(Number)),
    figure(rpc('eth_getBlockByNumber', ['latest', false]).then(blockAge)),
    figure(rpc('eth_gasPrice', [])),
    ofManager('eth_getBalance'),
    ofManager('eth_getTransactionCount'),
    sender === null ? null : figure(sender.pending()),
  ]);
  if (block === null) return { problem: 'the chain’s node does not answer', facts: {} };
  const joinsLeft =
    balance === null || price === null ? null : joinsFor(BigInt(String(balance)), BigInt(String(price)));
  const facts = {
    ...{ chainId: id, block, blockAgeSeconds: age, joinsLeft },
    ...{ nonce: nonce === null ? null : Number(nonce), transactions },
  };
  return { problem: problemOf(facts, chainId), facts };
}

/** In seconds. */
function blockAge(block: unknown): number {
  const { timestamp = 0 } = (block ?? {}) as { timestamp?: string };
  return Math.max(0, Math.round(Date.now() / 1000) - Number(timestamp));
}

function joinsFor(balance: bigint, price: bigint): number {
  const joins = price === 0n ? BigInt(Number.MAX_SAFE_INTEGER) : balance / (usualGas * price);
  return Number(joins > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : joins);
}

function problemOf(
  found: Record<'chainId' | 'blockAgeSeconds' | 'joinsLeft', number | null>,
  chainId: number,
): string | null {
  if (found.chainId !== null && found.chainId !== chainId) return 'the node is on another chain now';
  if (found.joinsLeft === 0) return 'the manager’s balance pays for no join';
  return (found.blockAgeSeconds ?? 0) > oldest
    ? 'the node’s last block is old: it is behind, or its chain stands still'
    : null;
}
