/** Sends a manager's transactions, each under a nonce of its own, whichever process signs them. */
import { Wallet } from 'ethers/wallet';
import { busy, Refused } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Storage } from '../store/storage.js';
import { Fees, type Spending } from './fees.js';
import { type ChainCall, Outbox } from './outbox.js';
import type { Signed } from './outbox-rows.js';
import { chainReceipt } from './receipt.js';
import type { Rpc } from './rpc.js';
import { Writer, type WriterTools } from './writer.js';

export interface SenderSettings {
  readonly chainId: number;
  /** For a transaction to be mined, in milliseconds. */
  readonly timeoutMs: number;
  readonly spending: Spending;
  readonly storage: Storage;
  readonly onError: WriterTools['onError'];
}

/** A transaction that was mined, and the gas it was allowed. */
export interface Mined {
  readonly receipt: Receipt;
  readonly gas: bigint;
}

/** How long the end of a transaction is waited for, in milliseconds. */
const finalWithin = 10 * 60_000;

export class Sender {
  readonly address: string;
  readonly #rpc: Rpc;
  /** How long a join may take to be sent and mined, in milliseconds. */
  readonly timeoutMs: number;
  readonly #outbox: Outbox;

  /**
   * From now on this process may be the one that signs for the key.
   * @param key 0x-hex private key @throws {TypeError} when it is not one
   */
  constructor(rpc: Rpc, key: string, settings: SenderSettings) {
    const { chainId, timeoutMs, spending, storage, onError } = settings;
    const wallet = new Wallet(key);
    this.address = wallet.address;
    this.#rpc = rpc;
    this.timeoutMs = timeoutMs;
    this.#outbox = new Outbox(storage, `${chainId}:${this.address}`);
    const fees = new Fees(rpc, this.address, spending);
    const writer = new Writer(rpc, wallet, chainId, { fees, outbox: this.#outbox, onError });
    storage.lead(`${chainId}:${this.address}`, (signal) => writer.run(signal));
  }

  /**
   * Sends a call and resolves once it is mined.
   * @param until when it is given up, in milliseconds since 1970
   * @throws {Refused} when it could not be sent, with code BUSY when its turn did not come, or with code TIMEOUT when
   * it was sent but is not mined yet
   */
  async send(call: ChainCall, until = Date.now() + this.timeoutMs): Promise<Mined> {
    const id = await this.#outbox.add(call);
    let sent: Signed | null = null;
    for (let pause = 20; Date.now() < until; pause = Math.min(pause * 1.5, 500)) {
      const heard = this.#outbox.heard(sent === null ? 500 : pause, { id });
      const entry = await this.#outbox.find(id);
      if (entry?.state === 'refused') {
        await this.#outbox.remove(id);
        throw entry.refused;
      }
      if (entry?.state === 'sent') sent = entry;
      // A final transaction leaves the outbox, also when this loop has not seen its receipt yet.
      if (sent !== null && entry?.state !== 'queued') {
        const found = await this.#rpc('eth_getTransactionReceipt', [sent.hash]).catch(() => null);
        if (found !== null) return { receipt: chainReceipt(found), gas: sent.gas };
      }
      await heard;
    }
    if (sent === null && (await this.#outbox.withdraw(id))) throw unsent();
    const hash = sent?.hash ?? null;
    throw new Refused(
      'TIMEOUT',
      'sent, but not mined yet',
      `look at the members later; transaction ${hash}`,
      {
        transactionHash: hash,
      },
    );
  }

  /** Transactions that are queued, or may yet be undone. */
  underWay(): Promise<number> {
    return this.#outbox.count();
  }

  /** Commitments of a survey that may yet come to be members. */
  commitments(survey: string): Promise<readonly string[]> {
    return this.#outbox.commitments(survey);
  }

  /** Resolves with true when the transaction is mined for good; false when nobody knows in time. */
  async final(hash: string, signal: AbortSignal): Promise<boolean> {
    const until = Date.now() + finalWithin;
    while (!signal.aborted && Date.now() < until) {
      const heard = this.#outbox.heard(5000, { signal });
      if (!(await this.#outbox.has(hash))) return true;
      await heard;
    }
    return false;
  }
}

/** The refusal of a join whose turn to be sent did not come. */
export function unsent(): Refused {
  return busy('the join could not be sent in time');
}
