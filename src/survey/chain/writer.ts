/** The one process that signs for a manager: gives out nonces, tells the node, and sees to it that what was sent is mined. */
import { setTimeout as sleep } from 'node:timers/promises';
import { keccak256 } from 'ethers/crypto';
import type { Wallet } from 'ethers/wallet';
import { Refused } from '../protocol/refused.js';
import { chainRefused, refuseCall } from './failure.js';
import type { Fees } from './fees.js';
import type { ChainCall, Outbox } from './outbox.js';
import type { Signed } from './outbox-rows.js';
import { type Rpc, RpcError, Unreachable } from './rpc.js';

/** How often what was sent is looked after, in milliseconds. */
const roundMs = 1000;
/** Blocks after which a transaction counts as mined for good. */
const depth = 8;
/** Attempts with a new nonce while another program sends for the account too: either may win each of them. */
const maxAttempts = 32;

export interface WriterTools {
  readonly fees: Fees;
  readonly outbox: Outbox;
  /** Hears of what kept transactions from being sent or looked after: a code. */
  onError(code: string): void;
}

export class Writer {
  readonly #rpc: Rpc;
  readonly #wallet: Wallet;
  readonly #chainId: number;
  readonly #fees: Fees;
  readonly #outbox: Outbox;
  readonly #onError: WriterTools['onError'];
  /** Not mined yet, as far as is known: id to gas. */
  readonly #unmined = new Map<string, bigint>();
  /** Null: the node is asked. */
  #nonce: number | null = null;

  constructor(rpc: Rpc, wallet: Wallet, chainId: number, tools: WriterTools) {
    this.#rpc = rpc;
    this.#wallet = wallet;
    this.#chainId = chainId;
    this.#fees = tools.fees;
    this.#outbox = tools.outbox;
    this.#onError = tools.onError;
  }

  /**
   * Sends what is queued until the signal; what a writer before it sent is its own from the start. Mined transactions
   * are looked after beside it: a node that is slow to tell of them delays no join.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#nonce = null;
    this.#unmined.clear();
    await this.#round(() => this.#lookAfter());
    await Promise.all([this.#sending(signal), this.#lookingAfter(signal)]);
  }

  async #sending(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Listened to before looking, so that nothing is missed in between.
      const heard = this.#outbox.heard(roundMs, { signal });
      if (!(await this.#round(() => this.#sendQueued(signal)))) await heard;
    }
  }

  async #lookingAfter(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(roundMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#round(() => this.#lookAfter());
    }
  }

  /** The store or the node is away, say: what is queued stays so, and those who wait are told by the clock. */
  async #round<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#nonce = null;
      this.#onError(codeOf(error));
      return null;
    }
  }

  async #sendQueued(signal: AbortSignal): Promise<boolean> {
    const calls = await this.#outbox.queued();
    for (const call of calls) {
      if (signal.aborted) break;
      await this.#send(call).catch(async (error: unknown) => {
        this.#nonce = null;
        this.#unmined.delete(call.id);
        if (!(error instanceof Refused)) throw error;
        await this.#outbox.refuse(call.id, error);
      });
    }
    return calls.length > 0;
  }

  async #send(call: ChainCall & { id: string }): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const nonce = await this.#nextNonce();
      const allowed = [...this.#unmined.values()].reduce((sum, gas) => sum + gas, 0n);
      const { gasLimit, fields } = await this.#fees.next(call.gas, allowed);
      const raw = await this.#wallet.signTransaction({
        ...{ to: call.to, data: call.data, gasLimit, chainId: this.#chainId, nonce },
        ...fields,
      });
      const signed = { nonce, raw, hash: keccak256(raw), gas: gasLimit };
      if (!(await this.#outbox.sign(call.id, signed))) return;
      try {
        await this.#broadcast(raw);
        this.#nonce = nonce + 1;
        this.#unmined.set(call.id, gasLimit);
        await this.#outbox.told(call.id);
        return;
      } catch (error) {
        this.#nonce = null;
        if (!isTaken(error) || attempt === maxAttempts) throw chainRefused(error, 'sendTransaction');
      }
    }
  }

  /** With nothing under way the node's count is the truth, reorganised or not. */
  async #nextNonce(): Promise<number> {
    if (this.#nonce !== null && this.#unmined.size > 0) return this.#nonce;
    const count = await this.#rpc('eth_getTransactionCount', [this.#wallet.address, 'pending']).catch(
      refuseCall,
    );
    const sent = await this.#outbox.sent();
    const next = Number(count);
    // What was sent and the node has forgotten keeps its nonce, unless others have used it since.
    return sent.reduce(
      (most, { id, nonce }) => (this.#unmined.has(id) ? Math.max(most, nonce + 1) : most),
      next,
    );
  }

  /**
   * Safe to repeat: the same bytes are the same transaction. A node that stays silent, or cannot say whether it has
   * it, may have taken it, so it then counts as sent, and waiting for it tells.
   */
  async #broadcast(raw: string): Promise<void> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      try {
        await this.#rpc('eth_sendRawTransaction', [raw]);
        return;
      } catch (error) {
        if (isKnown(error)) return;
        const asked = this.#rpc('eth_getTransactionByHash', [keccak256(raw)]);
        const isSeen = await asked.then(
          (found) => found !== null,
          () => null,
        );
        if (isSeen === true) return;
        if (isSeen === false && !(error instanceof Unreachable)) throw error;
      }
    }
  }

  /** Forgets what is mined for good; tells the node again what it has dropped, or lost in a reorganisation. */
  async #lookAfter(): Promise<void> {
    const sent = await this.#outbox.sent();
    if (sent.length === 0) return;
    const head = Number(await this.#rpc('eth_blockNumber', []));
    await Promise.all(sent.map((one) => this.#lookAt(one, head)));
  }

  async #lookAt({ id, hash, raw, nonce, gas }: Signed & { id: string }, head: number): Promise<void> {
    const receipt = (await this.#rpc('eth_getTransactionReceipt', [hash])) as { blockNumber: string } | null;
    if (receipt !== null) {
      this.#unmined.delete(id);
      if (head - Number(receipt.blockNumber) >= depth) await this.#outbox.remove(id);
      return;
    }
    this.#unmined.set(id, gas);
    const taken = await this.#rpc('eth_sendRawTransaction', [raw]).then(() => false, isTaken);
    if (!taken || !(await this.#isLost(hash, nonce))) return;
    this.#unmined.delete(id);
    await this.#outbox.requeue(id, hash);
  }

  /** Whether another transaction has been mined under its nonce. */
  async #isLost(hash: string, nonce: number): Promise<boolean> {
    const mined = Number(await this.#rpc('eth_getTransactionCount', [this.#wallet.address, 'latest']));
    return mined > nonce && (await this.#rpc('eth_getTransactionByHash', [hash])) === null;
  }
}

/** What went wrong, without the words of a node or a database: they may hold addresses and transactions. */
function codeOf(error: unknown): string {
  if (error instanceof Refused) return error.code;
  if (error instanceof Unreachable) return 'UNREACHABLE';
  if (error instanceof RpcError) return `RPC_${error.code}`;
  return String((error as { code?: unknown }).code ?? (error as Error).name);
}

function isKnown(error: unknown): boolean {
  return error instanceof RpcError && /already (known|imported)|known transaction/i.test(error.message);
}

function isTaken(error: unknown): boolean {
  return error instanceof RpcError && !isKnown(error) && /nonce|replacement/i.test(error.message);
}
