/** The health of a server on a chain. */
import type { Rpc } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { within } from '../../util/waiting.js';
import { type Health, maxJoinsLeft } from '../store/group-store.js';
import type { Sender } from './sender.js';

/** Age of the last block beyond which the node, or the chain, has stopped, in seconds. */
const maxBlockAge = 120;
/** Gas of a join in a group of a few thousand members, to estimate how many joins the balance pays for. */
const usualGas = 300_000n;

/** Age of an unmined transaction, or of a queued call, beyond which joins do not succeed, in seconds. */
const maxStuckSeconds = 60;

const figureMs = 2000;

/** Never rejects: `eth_blockNumber` alone decides whether the node is up. @param sender null: joins are off */
export async function chainHealth(rpc: Rpc, chainId: number, sender: Sender | null): Promise<Health> {
  const figure = <T>(asked: Promise<T>) => within(figureMs, asked, () => new Error('late')).catch(() => null);
  const manager = sender?.address ?? null;
  const ofManager = (method: string) => (manager === null ? null : figure(rpc(method, [manager, 'latest'])));
  const [block, id, timestamp, price, balance, nonce, backlog] = await Promise.all([
    rpc('eth_blockNumber', []).then(Number, () => null),
    figure(rpc('eth_chainId', []).then(Number)),
    figure(rpc('eth_getBlockByNumber', ['latest', false]).then((block) => field(block, 'timestamp'))),
    figure(rpc('eth_gasPrice', [])),
    ofManager('eth_getBalance'),
    ofManager('eth_getTransactionCount'),
    sender === null ? null : figure(sender.backlog()),
  ]);
  if (block === null) return { problem: 'the chain’s node does not answer', facts: {} };
  const age = timestamp === null ? null : Math.max(0, Math.round(Date.now() / 1000) - Number(timestamp ?? 0));
  const joins = joinsFor(balance, price);
  const transactions = backlog === null ? null : backlog.queued + backlog.sent;
  const ages = {
    oldestUnminedSeconds: backlog === null ? null : (backlog.unminedSeconds ?? 0),
    oldestCallSeconds: backlog === null ? null : (backlog.oldestSeconds ?? 0),
  };
  const ofJoins = { ...joins, nonce: nonce === null ? null : Number(nonce), transactions, ...ages };
  const facts = { chainId: id, block, blockAgeSeconds: age, ...(sender === null ? {} : ofJoins) };
  const isOld = (age ?? 0) > maxBlockAge;
  const old = isOld ? 'the node’s last block is old: it is behind, or its chain stands still' : null;
  const problem =
    (joins.joinsLeft === 0 ? 'the manager’s balance pays for no join' : old) ?? stuckProblem(ages);
  return { problem: id !== null && id !== chainId ? 'the node is on another chain now' : problem, facts };
}

function stuckProblem(ages: Record<'oldestUnminedSeconds' | 'oldestCallSeconds', number | null>) {
  const { oldestUnminedSeconds: unmined, oldestCallSeconds: call } = ages;
  if ((unmined ?? 0) > maxStuckSeconds)
    return `a transaction was sent ${unmined} s ago and is not mined: its nodes drop it, or its fee is too low`;
  if ((call ?? 0) > maxStuckSeconds) return `a join has waited ${call} s, and was not sent`;
  return null;
}

/** Joins that the balance pays for; null when unknown, absent on a chain without fees. */
function joinsFor(balance: unknown, price: unknown): { joinsLeft?: number | null } {
  if (balance === null || price === null) return { joinsLeft: null };
  const cost = usualGas * BigInt(String(price));
  if (cost === 0n) return {};
  const joins = BigInt(String(balance)) / cost;
  return { joinsLeft: Math.min(Number(joins), maxJoinsLeft) };
}
