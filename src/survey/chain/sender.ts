/** Sends a manager's transactions through the outbox, whichever process signs them. */
import { getAddress } from 'ethers/address';
import type { Wallet } from 'ethers/wallet';
import type { Rpc } from '../../jsonrpc/rpc.js';
import { within } from '../../util/waiting.js';
import { busy, Refused } from '../protocol/refused.js';
import type { Receipt, ReceiptLog } from '../protocol/wire.js';
import type { Storage } from '../store/storage.js';
import { feesOf, type Spending } from './fees.js';
import { type ChainCall, type Entry, Outbox, type Signed } from './outbox.js';
import { Writer, type WriterTools } from './writer.js';

export interface SenderSettings {
  readonly chainId: number;
  readonly timeoutMs: number;
  readonly spending: Spending;
  readonly storage: Storage;
  readonly everywhere?: Rpc;
  readonly onError: WriterTools['onError'];
}

const finalWithinMs = 10 * 60_000;

export class Sender {
  readonly address: string;
  readonly #rpc: Rpc;
  /** Timeout for a join to be sent and mined, in milliseconds. */
  readonly timeoutMs: number;
  readonly outbox: Outbox;

  /** Competes for the lease to sign for the key of the wallet. */
  constructor(rpc: Rpc, wallet: Wallet, settings: SenderSettings) {
    const { chainId, timeoutMs, spending, storage, everywhere = rpc, onError } = settings;
    this.address = wallet.address;
    this.#rpc = rpc;
    this.timeoutMs = timeoutMs;
    this.outbox = new Outbox(storage, `${chainId}:${this.address}`);
    const fees = feesOf(rpc, this.address, spending);
    const { outbox } = this;
    const writer = new Writer({ rpc, wallet, chainId, fees, outbox, everywhere, onError });
    storage.lead(`${chainId}:${this.address}`, (signal) => writer.run(signal));
  }

  /**
   * Queues a call, and resolves once it is mined.
   * @param until its deadline, in milliseconds of `performance.now()`
   * @throws {Refused} when it could not be sent; with code BUSY when it was still queued at the deadline; with code
   * TIMEOUT when it was sent but not mined by then
   */
  async send(call: ChainCall, until = performance.now() + this.timeoutMs) {
    const id = await this.outbox.add(call);
    let sent: Signed | null = null;
    for (let pause = 20; performance.now() < until; pause = Math.min(pause * 1.5, 500)) {
      const change = this.outbox.change(sent === null ? 500 : pause, { id });
      // The call is queued: while the store is away, its outcome is unknown.
      const entry = await this.outbox.find(id).catch(() => undefined);
      if (entry?.state === 'refused') {
        await this.outbox.remove(id);
        throw entry.refused;
      }
      if (entry?.state === 'sent') sent = entry;
      // A final transaction leaves the outbox, possibly before this loop reads its receipt.
      if (sent !== null && entry?.state !== 'queued') {
        for (const hash of [sent.hash, ...sent.earlier]) {
          const receipt = await this.#receipt(hash, until);
          if (receipt !== null) return { receipt, gas: sent.gas };
        }
      }
      await change;
    }
    if (sent === null && (await this.outbox.withdraw(id).catch(() => false))) throw unsent();
    throw unmined(sent ?? (await this.outbox.find(id).catch(() => null)));
  }

  /** Null: not mined yet, or the node did not answer before the deadline. */
  async #receipt(hash: string, until: number): Promise<Receipt | null> {
    const asked = this.#rpc('eth_getTransactionReceipt', [hash]);
    const left = Math.max(0, until - performance.now());
    const found = await within(left, asked, unsent).catch(() => null);
    return found === null ? null : chainReceipt(found);
  }

  readonly pending = () => this.outbox.count();
  readonly backlog = () => this.outbox.backlog();

  /** Resolves with true once the transaction is final; false if it was aborted, or is still open after ten minutes. */
  async final(hash: string, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + finalWithinMs;
    while (!signal.aborted && performance.now() < until) {
      const change = this.outbox.change(5000, { signal });
      if (!(await this.outbox.has(hash))) return true;
      await change;
    }
    return false;
  }
}

export function unsent(): Refused {
  return busy('the join could not be sent in time');
}

function unmined(sent: Entry | Signed | null): Refused {
  const transactionHash = sent !== null && 'hash' in sent ? sent.hash : null;
  const named = transactionHash === null ? '' : `; transaction ${transactionHash}`;
  const reason = `check the member list later${named}`;
  return new Refused('TIMEOUT', 'sent, but not mined yet', reason, { transactionHash });
}

type Raw = Readonly<Record<string, string | null | undefined>> & { readonly logs: readonly RawLog[] };
type RawLog = Readonly<Record<string, string>> & { readonly topics: readonly string[] };

/** Addresses are checksummed, quantities become decimal strings, positions become numbers. */
export function chainReceipt(found: unknown): Receipt {
  const raw = found as Raw;
  return {
    _type: 'TransactionReceipt',
    blockHash: raw.blockHash ?? '',
    blockNumber: Number(raw.blockNumber),
    contractAddress: raw.contractAddress ? getAddress(raw.contractAddress) : null,
    cumulativeGasUsed: decimal(raw.cumulativeGasUsed) ?? '0',
    from: getAddress(raw.from ?? ''),
    gasPrice: decimal(raw.effectiveGasPrice ?? raw.gasPrice) ?? '0',
    blobGasUsed: decimal(raw.blobGasUsed),
    blobGasPrice: decimal(raw.blobGasPrice),
    gasUsed: decimal(raw.gasUsed) ?? '0',
    hash: raw.transactionHash ?? '',
    index: Number(raw.transactionIndex),
    logs: raw.logs.map(receiptLog),
    logsBloom: raw.logsBloom ?? '',
    status: Number(raw.status) === 1 ? 1 : 0,
    to: getAddress(raw.to ?? ''),
  };
}

function receiptLog(log: RawLog): ReceiptLog {
  return {
    _type: 'log',
    address: getAddress(log.address ?? ''),
    blockHash: log.blockHash ?? '',
    blockNumber: Number(log.blockNumber),
    data: log.data ?? '',
    index: Number(log.logIndex),
    topics: log.topics,
    transactionHash: log.transactionHash ?? '',
    transactionIndex: Number(log.transactionIndex),
  };
}

function decimal(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : String(BigInt(value));
}
