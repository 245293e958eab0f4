/** Sends the manager's transactions one after another, so that each has its own nonce. */

import { keccak256 } from 'ethers/crypto';
import { Wallet } from 'ethers/wallet';
import { Refused } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import { chainRefused } from './failure.js';
import { chainReceipt } from './receipt.js';
import { type Rpc, RpcError, Unreachable } from './rpc.js';

interface Fees {
  readonly at: number;
  readonly values: Readonly<Record<string, bigint | number>>;
}

/** How long fees are good for, in milliseconds. */
const feesFor = 1000;
/** Sends again, with a nonce asked anew, after another user of the account was faster. */
const tries = 4;

export class Sender {
  readonly address: string;
  readonly #wallet: Wallet;
  readonly #rpc: Rpc;
  readonly #chainId: number;
  readonly #timeoutMs: number;
  #nonce: number | null = null;
  /** Sent and not yet known to be mined. With none of them the node's count is the truth, reorganised or not. */
  #unmined = 0;
  #fees: Fees | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param key 0x-hex private key @throws {TypeError} when it is none */
  constructor(rpc: Rpc, key: string, chainId: number, timeoutMs: number) {
    this.#wallet = new Wallet(key);
    this.address = this.#wallet.address;
    this.#rpc = rpc;
    this.#chainId = chainId;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a call and resolves once it is mined. Sending is queued, waiting is not.
   * @throws {Refused} when it could not be sent, or with code TIMEOUT when it was but is not mined yet
   */
  async send(call: { to: string; data: string; gas: bigint }): Promise<Receipt> {
    const sent = this.#queue.then(() => this.#submit(call));
    this.#queue = sent.catch(() => undefined);
    const raw = await sent;
    return this.#mined(keccak256(raw), raw).finally(() => {
      this.#unmined -= 1;
    });
  }

  /** The signed transaction, once the node has it. */
  async #submit(call: { to: string; data: string; gas: bigint }): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      if (this.#unmined === 0) this.#nonce = null;
      // Kept here as well: a join that gives up while this one is under way forgets the shared one.
      const nonce =
        this.#nonce ?? Number(await this.#ask('eth_getTransactionCount', [this.address, 'pending']));
      const raw = await this.#wallet.signTransaction({
        ...{ to: call.to, data: call.data, gasLimit: call.gas, chainId: this.#chainId, nonce },
        ...(await this.#currentFees()),
      });
      try {
        await this.#broadcast(raw);
        this.#nonce = nonce + 1;
        this.#unmined += 1;
        return raw;
      } catch (error) {
        this.#nonce = null;
        const taken = error instanceof RpcError && /nonce|replacement/i.test(error.message);
        if (!taken || attempt === tries) throw chainRefused(error, 'sendTransaction');
      }
    }
  }

  /**
   * Safe to repeat: the same bytes are the same transaction. A node that stays silent may have taken it, so it
   * then counts as sent, and waiting for it tells.
   */
  async #broadcast(raw: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#rpc('eth_sendRawTransaction', [raw]);
        return;
      } catch (error) {
        if (error instanceof RpcError && /already (known|imported)|known transaction/i.test(error.message))
          return;
        if (await this.#isKnown(keccak256(raw))) return;
        if (!(error instanceof Unreachable)) throw error;
        if (attempt === 3) return;
      }
    }
  }

  async #isKnown(hash: string): Promise<boolean> {
    return (await this.#rpc('eth_getTransactionByHash', [hash]).catch(() => null)) !== null;
  }

  async #mined(hash: string, raw: string): Promise<Receipt> {
    const until = Date.now() + this.#timeoutMs;
    for (let pause = 20; Date.now() < until; pause = Math.min(pause * 1.5, 500)) {
      const found = await this.#rpc('eth_getTransactionReceipt', [hash]).catch(() => null);
      if (found !== null) return chainReceipt(found);
      await new Promise((resolve) => setTimeout(resolve, pause));
      // A node under pressure drops what it once took; telling it again costs nothing.
      if (pause === 500) await this.#rpc('eth_sendRawTransaction', [raw]).catch(() => null);
    }
    this.#nonce = null;
    throw new Refused('TIMEOUT', 'sent, but not mined yet', `look at the members later; transaction ${hash}`);
  }

  async #currentFees(): Promise<Fees['values']> {
    if (this.#fees !== null && Date.now() - this.#fees.at < feesFor) return this.#fees.values;
    const [block, price] = await Promise.all([
      this.#ask('eth_getBlockByNumber', ['latest', false]),
      this.#ask('eth_gasPrice', []).then((value) => BigInt(String(value))),
    ]);
    const base = (block as { baseFeePerGas?: string } | null)?.baseFeePerGas;
    const values =
      base === undefined ? { type: 0, gasPrice: price } : await this.#feesOver(BigInt(base), price);
    this.#fees = { at: Date.now(), values };
    return values;
  }

  /** Twice the base fee outlasts six full blocks; a node without a suggestion gets its gas price as tip. */
  async #feesOver(base: bigint, price: bigint): Promise<Fees['values']> {
    const tip = await this.#rpc('eth_maxPriorityFeePerGas', []).then(
      (value) => BigInt(String(value)),
      () => price,
    );
    return { type: 2, maxPriorityFeePerGas: tip, maxFeePerGas: 2n * base + tip };
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#rpc(method, params).catch((error: unknown) => {
      throw chainRefused(error, 'call');
    });
  }
}

/** The gas to allow for a join: later joins may climb more levels than the estimate saw. */
export function joinGas(estimate: bigint, members: number): bigint {
  const levels = Math.ceil(Math.log2(members + 2)) + 1;
  return estimate + BigInt(levels) * 40_000n;
}
