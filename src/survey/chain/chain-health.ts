/** The health of a server on a chain. */
import { field } from '../protocol/upstream.js';
import { type Health, maxJoinsLeft } from '../store/group-store.js';
import type { Rpc } from './rpc.js';
import type { Sender } from './sender.js';
import { within } from './waiting.js';

/** Age of the last block beyond which the node, or the chain, has stopped, in seconds. */
const maxBlockAge = 120;
/** Gas of a join in a group of a few thousand members, to estimate how many joins the balance pays for. */
const usualGas = 300_000n;

/** Timeout of a figure, in milliseconds. */
const figureMs = 2000;

/**
 * Asks the node; never rejects. `eth_blockNumber` alone decides whether it is up: a late figure is null.
 * @param sender null: joins are off; the manager's figures are absent then
 */
export async function chainHealth(rpc: Rpc, chainId: number, sender: Sender | null): Promise<Health> {
  const figure = <T>(asked: Promise<T>) => within(figureMs, asked, () => new Error('late')).catch(() => null);
  const manager = sender?.address ?? null;
  const ofManager = (method: string) => (manager === null ? null : figure(rpc(method, [manager, 'latest'])));
  const [block, id, age, price, balance, nonce, transactions] = await Promise.all([
    rpc('eth_blockNumber', []).then(Number, () => null),
    figure(rpc('eth_chainId', []).then(Number)),
    figure(rpc('eth_getBlockByNumber', ['latest', false]).then(ageSeconds)),
    figure(rpc('eth_gasPrice', [])),
    ofManager('eth_getBalance'),
    ofManager('eth_getTransactionCount'),
    sender === null ? null : figure(sender.pending()),
  ]);
  if (block === null) return { problem: 'the chain’s node does not answer', facts: {} };
  const joinsLeft = joinsFor(balance, price);
  const ofJoins = { ...joinsLeft, nonce: nonce === null ? null : Number(nonce), transactions };
  const facts = {
    ...{ chainId: id, block, blockAgeSeconds: age },
    ...(sender === null ? {} : ofJoins),
  };
  return { problem: problemOf({ ...facts, ...joinsLeft }, chainId), facts };
}

function ageSeconds(block: unknown): number {
  return Math.max(0, Math.round(Date.now() / 1000) - Number(field(block, 'timestamp') ?? 0));
}

/** Joins that the balance pays for; null when unknown, absent on a chain without fees. */
function joinsFor(balance: unknown, price: unknown): { joinsLeft?: number | null } {
  if (balance === null || price === null) return { joinsLeft: null };
  const cost = usualGas * BigInt(String(price));
  if (cost === 0n) return {};
  const joins = BigInt(String(balance)) / cost;
  return { joinsLeft: Math.min(Number(joins), maxJoinsLeft) };
}

function problemOf(
  found: { chainId: number | null; blockAgeSeconds: number | null; joinsLeft?: number | null },
  chainId: number,
): string | null {
  if (found.chainId !== null && found.chainId !== chainId) return 'the node is on another chain now';
  if (found.joinsLeft === 0) return 'the manager’s balance pays for no join';
  return (found.blockAgeSeconds ?? 0) > maxBlockAge
    ? 'the node’s last block is old: it is behind, or its chain stands still'
    : null;
}
