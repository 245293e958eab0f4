/**
 * The process that signs for a manager moves its transactions from state to state (docs/survey-states.md has them all):
 *
 *     queued ── #send ──► sent ── #check: eight blocks deep ──► final
 *      │  ▲                │ ▲                                │ 256 blocks deep: removed
 *      │  │  nonce taken   │ └── #check: dropped, or reorganised away: sent again; unmined for long: to every node, then
 *      │  │                │     with higher fees
 *      │  └────── #check ──┘
 *      └── #send: rejected by the node or the operator's limits ──► refused
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { keccak256 } from 'ethers/crypto';
import type { Wallet } from 'ethers/wallet';
import { type Rpc, RpcError, Unreachable } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { Refused } from '../protocol/refused.js';
import { chainRefused, errorCode, refuseCall } from './failure.js';
import type { Fees } from './fees.js';
import type { ChainCall, Kept, Outbox } from './outbox.js';

/** Interval of both loops, in milliseconds. */
const intervalMs = 1000;
/** Blocks after which a mined transaction is final. */
const finalDepth = 8;
/** Blocks after which a final transaction is forgotten: a deeper reorganisation cannot be repaired. */
const keptDepth = 256;
/** Age from which an unmined transaction is sent to every node, in milliseconds: the one that took it may keep it. */
const everywhereAfter = 5000;
/** Age from which the first unmined transaction is replaced by one with higher fees, and the time between two, in ms. */
const replaceAfter = 30_000;
/** Attempts with a new nonce, while another program sends for the same account. */
const maxAttempts = 32;

export interface WriterTools {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly chainId: number;
  readonly fees: Fees;
  readonly outbox: Outbox;
  readonly everywhere: Rpc;
  /** Receives the code of every error that interrupts a loop; the loop retries. */
  onError(code: string): void;
}

export class Writer {
  readonly #tools: WriterTools;
  readonly #rpc: Rpc;
  /** Gas limits of sent transactions that are not mined yet, by id. */
  readonly #pending = new Map<string, bigint>();
  /**
   * Calls that are being sent, or were refused: the node may have rejected their bytes, and would take them once its fees fall
   * if the check sent them again, beside those of another attempt.
   */
  readonly #held = new Set<string>();
  /** When a transaction was last replaced, milliseconds since 1970, by id. */
  readonly #replacedAt = new Map<string, number>();
  /** Null: the node is asked. */
  #nonce: number | null = null;

  constructor(tools: WriterTools) {
    this.#tools = tools;
    this.#rpc = tools.rpc;
  }

  /** Runs until the signal, and continues with what an earlier writer sent. A slow check of sent transactions delays no join. */
  async run(signal: AbortSignal): Promise<void> {
    this.#nonce = null;
    this.#pending.clear();
    await this.#attempt(() => this.#checkSent());
    await Promise.all([this.#sendLoop(signal), this.#checkLoop(signal)]);
  }

  async #sendLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Subscribes before reading the queue, so that no notification is missed.
      const change = this.#tools.outbox.change(intervalMs, { signal });
      if (!(await this.#attempt(() => this.#sendQueued(signal)))) await change;
    }
  }

  async #checkLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#attempt(() => this.#checkSent());
    }
  }

  /** Null after an error, of the store or the node: transactions keep their state, and callers their deadline. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#nonce = null;
      this.#tools.onError(errorCode(error));
      return null;
    }
  }

  /** queued → sent, or queued → refused. */
  async #sendQueued(signal: AbortSignal): Promise<boolean> {
    const calls = await this.#tools.outbox.queued();
    for (const call of calls) {
      if (signal.aborted) break;
      this.#held.add(call.id);
      const release = () => void this.#held.delete(call.id);
      await this.#send(call).then(release, async (error: unknown) => {
        this.#nonce = null;
        this.#pending.delete(call.id);
        try {
          if (!(error instanceof Refused)) throw error;
          await this.#tools.outbox.refuse(call.id, error);
        } catch (cause) {
          release();
          throw cause;
        }
      });
    }
    return calls.length > 0;
  }

  async #send(call: ChainCall & { id: string }): Promise<void> {
    const { outbox, fees } = this.#tools;
    for (let attempt = 1; ; attempt++) {
      const nonce = await this.#nextNonce();
      const allowed = [...this.#pending.values()].reduce((sum, gas) => sum + gas, 0n);
      const { gasLimit, fields } = await fees.next(call.gas, allowed);
      const { wallet, chainId } = this.#tools;
      const { to, data } = call;
      const raw = await wallet.signTransaction({ to, data, gasLimit, chainId, nonce, ...fields });
      // Recorded as sent first: after a crash, the next writer sends the same bytes again.
      if (!(await outbox.markSent(call.id, { nonce, raw, hash: keccak256(raw), gas: gasLimit }))) return;
      try {
        await broadcast(this.#rpc, raw);
        this.#nonce = nonce + 1;
        this.#pending.set(call.id, gasLimit);
        return await outbox.notify(call.id);
      } catch (error) {
        this.#nonce = null;
        const isLow = says(error, feeTooLow);
        if (!(isLow || isNonceTaken(error)) || attempt === maxAttempts)
          throw chainRefused(error, 'sendTransaction');
        if (isLow) fees.renew();
      }
    }
  }

  /** Without pending transactions, the node's count is right, even after a reorganisation. */
  async #nextNonce(): Promise<number> {
    if (this.#nonce !== null && this.#pending.size > 0) return this.#nonce;
    const asked = this.#rpc('eth_getTransactionCount', [this.#tools.wallet.address, 'pending']);
    const count = Number(await asked.catch(refuseCall));
    const sent = await this.#tools.outbox.sent();
    // A pending transaction that the node dropped keeps its nonce.
    return Math.max(count, ...sent.filter(({ id }) => this.#pending.has(id)).map(({ nonce }) => nonce + 1));
  }

  async #checkSent(): Promise<void> {
    const { outbox } = this.#tools;
    const [sent, isKept] = [await outbox.sent(), (await outbox.lastFinal(0)) !== null];
    if (sent.length === 0 && !isKept) return;
    const asked = this.#rpc('eth_getTransactionCount', [this.#tools.wallet.address, 'latest']);
    const [head, count] = await Promise.all([
      this.#rpc('eth_blockNumber', []).then(Number),
      asked.then(Number),
    ]);
    const last = await outbox.lastFinal(head - keptDepth);
    // The chain has fewer of our transactions than were final: a deep reorganisation.
    if (last !== null && count <= last) await outbox.revive(count);
    const held = new Set(this.#held);
    const checked = (await outbox.sent()).filter(({ id }) => !held.has(id) && !this.#held.has(id));
    await Promise.all(checked.map((one) => this.#check(one, head, count)));
  }

  /**
   * sent → final; or, when dropped or reorganised away, sent again; or, when its nonce was taken, back to queued.
   * @param count the manager's mined transactions: the nonce of the one that the others wait for
   */
  async #check(one: Kept, head: number, count: number): Promise<void> {
    const { id, hash, nonce, gas, earlier } = one;
    const { outbox } = this.#tools;
    const block = await this.#minedIn([hash, ...earlier]);
    if (block !== one.minedIn) await outbox.markMined(id, block);
    if (block !== null) {
      this.#pending.delete(id);
      this.#replacedAt.delete(id);
      if (head - block >= finalDepth) await outbox.settle(id);
      return;
    }
    this.#pending.set(id, gas);
    const isOld = Date.now() - one.sentAt >= everywhereAfter;
    const again = isOld ? this.#tools.everywhere : this.#rpc;
    const taken = await again('eth_sendRawTransaction', [one.raw]).then(() => false, isNonceTaken);
    if (taken && (await isReplaced(this.#rpc, this.#tools.wallet.address, one))) {
      this.#pending.delete(id);
      await outbox.requeue(id, hash);
    } else if (nonce === count) await this.#replace(one);
  }

  async #minedIn(hashes: readonly string[]): Promise<number | null> {
    for (const hash of hashes) {
      const receipt = await this.#rpc('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return Number(field(receipt, 'blockNumber'));
    }
    return null;
  }

  /** Signs a transaction that waits for long anew, with higher fees, if the operator's limit allows any. */
  async #replace(one: Kept): Promise<void> {
    const { fees, outbox, everywhere } = this.#tools;
    const now = Date.now();
    if (now - (this.#replacedAt.get(one.id) ?? one.sentAt) < replaceAfter) return;
    this.#replacedAt.set(one.id, now);
    const replacement = await fees.replacement(one.raw);
    if (replacement === null) return;
    const raw = await this.#tools.wallet.signTransaction(replacement);
    // Recorded first, like a new one.
    await outbox.replace(one, { nonce: one.nonce, raw, hash: keccak256(raw), gas: one.gas });
    await outbox.notify(one.id);
    // A node that rejects it keeps the earlier one.
    await everywhere('eth_sendRawTransaction', [raw]).catch(() => undefined);
  }
}

const maxSends = 3;

/**
 * Sends a transaction. Retries are safe: the same bytes are the same transaction. If the node does not answer, or cannot
 * tell whether it has the transaction, it counts as sent: the node may have accepted it.
 * @throws {RpcError} when the node rejects it
 */
async function broadcast(rpc: Rpc, raw: string): Promise<void> {
  for (let attempt = 1; attempt <= maxSends; attempt++) {
    try {
      await rpc('eth_sendRawTransaction', [raw]);
      return;
    } catch (error) {
      if (says(error, known)) return;
      const found = await rpc('eth_getTransactionByHash', [keccak256(raw)]).catch(() => undefined);
      if (found === null && !(error instanceof Unreachable)) throw error;
      if (found !== null && found !== undefined) return;
    }
  }
}

async function isReplaced(rpc: Rpc, address: string, { hash, earlier, nonce }: Kept) {
  const mined = Number(await rpc('eth_getTransactionCount', [address, 'latest']));
  if (mined <= nonce) return false;
  const found = [hash, ...earlier].map((one) => rpc('eth_getTransactionByHash', [one]));
  return (await Promise.all(found)).every((one) => one === null);
}

const known = /already (known|imported)|known transaction/i;
/** The chain's fee has risen since it was read. */
const feeTooLow = /max fee|fee cap|base ?fee|gas ?price|unit price/i;

function isNonceTaken(error: unknown): boolean {
  return says(error, /nonce|replacement/i) && !says(error, known);
}

function says(error: unknown, words: RegExp): boolean {
  return error instanceof RpcError && words.test(error.message);
}
