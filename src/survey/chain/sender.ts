/** Sends the manager's transactions one after another, so that each has its own nonce. */

import { keccak256 } from 'ethers/crypto';
import { Wallet } from 'ethers/wallet';
import { Refused } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import { chainRefused } from './failure.js';
import { affordable, type GasRange } from './gas.js';
import { chainReceipt } from './receipt.js';
import { type Rpc, RpcError, Unreachable } from './rpc.js';

/** A call of a contract, and the gas it may take. */
export interface ChainCall {
  readonly to: string;
  readonly data: string;
  readonly gas: GasRange;
}

/** The most a manager pays for one join. */
export interface Spending {
  readonly maxGas: bigint;
  /** For one unit of gas, in the chain's smallest unit (kei). */
  readonly maxFee: bigint;
}

export interface SenderSettings {
  readonly chainId: number;
  /** For a transaction to be mined, in milliseconds. */
  readonly timeoutMs: number;
  readonly spending: Spending;
}

/** A transaction that was mined, and the gas it was allowed. */
export interface Mined {
  readonly receipt: Receipt;
  readonly gas: bigint;
}

interface Signed {
  readonly raw: string;
  readonly gas: bigint;
}

interface Fees {
  readonly at: number;
  /** The most one unit of gas can cost. */
  readonly most: bigint;
  /** What the account holds as of the last block. */
  readonly balance: bigint;
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
  readonly #settings: SenderSettings;
  #nonce: number | null = null;
  /** Sent and not yet known to be mined. With none of them the node's count is the truth, reorganised or not. */
  #unmined = 0;
  /** Gas allowed to those: the node sets its price aside. */
  #allowed = 0n;
  #waiting = 0;
  #fees: Fees | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param key 0x-hex private key @throws {TypeError} when it is none */
  constructor(rpc: Rpc, key: string, settings: SenderSettings) {
    this.#wallet = new Wallet(key);
    this.address = this.#wallet.address;
    this.#rpc = rpc;
    this.#settings = settings;
  }

  /**
   * Sends a call and resolves once it is mined. Sending is queued, waiting is not.
   * @throws {Refused} when it could not be sent, or with code TIMEOUT when it was but is not mined yet
   */
  async send(call: ChainCall): Promise<Mined> {
    this.#waiting += 1;
    const sent = this.#queue
      .then(() => this.#submit(call))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#queue = sent.catch(() => undefined);
    const { raw, gas } = await sent;
    try {
      return { receipt: await this.#mined(keccak256(raw), raw), gas };
    } finally {
      this.#unmined -= 1;
      this.#allowed -= gas;
    }
  }

  /** Transactions that are queued, or sent and not yet known to be mined. */
  get underWay(): number {
    return this.#waiting + this.#unmined;
  }

  /** The signed transaction, once the node has it. */
  async #submit(call: ChainCall): Promise<Signed> {
    for (let attempt = 1; ; attempt++) {
      if (this.#unmined === 0) this.#nonce = null;
      // Kept here as well: a join that gives up while this one is under way forgets the shared one.
      const nonce =
        this.#nonce ?? Number(await this.#ask('eth_getTransactionCount', [this.address, 'pending']));
      const { values, balance, most } = await this.#currentFees();
      const gas = this.#gasFor(call.gas, most === 0n ? call.gas.wanted : balance / most - this.#allowed);
      const raw = await this.#wallet.signTransaction({
        ...{ to: call.to, data: call.data, gasLimit: gas, chainId: this.#settings.chainId, nonce },
        ...values,
      });
      try {
        await this.#broadcast(raw);
        this.#nonce = nonce + 1;
        this.#unmined += 1;
        this.#allowed += gas;
        return { raw, gas };
      } catch (error) {
        this.#nonce = null;
        const taken = error instanceof RpcError && /nonce|replacement/i.test(error.message);
        if (!taken || attempt === tries) throw chainRefused(error, 'sendTransaction');
      }
    }
  }

  /** @throws {Refused} when what is needed is more than the operator pays for */
  #gasFor(range: GasRange, means: bigint): bigint {
    const { maxGas } = this.#settings.spending;
    if (range.needed > maxGas) throw tooDear('it needs more gas than the operator of this server allows');
    return affordable(range, means < maxGas ? means : maxGas);
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
    const until = Date.now() + this.#settings.timeoutMs;
    for (let pause = 20; Date.now() < until; pause = Math.min(pause * 1.5, 500)) {
      const found = await this.#rpc('eth_getTransactionReceipt', [hash]).catch(() => null);
      if (found !== null) return chainReceipt(found);
      await new Promise((resolve) => setTimeout(resolve, pause));
      // A node under pressure drops what it once took; telling it again costs nothing.
      if (pause === 500) await this.#rpc('eth_sendRawTransaction', [raw]).catch(() => null);
    }
    this.#nonce = null;
    throw new Refused(
      'TIMEOUT',
      'sent, but not mined yet',
      `look at the members later; transaction ${hash}`,
      {
        transactionHash: hash,
      },
    );
  }

  async #currentFees(): Promise<Fees> {
    if (this.#fees !== null && Date.now() - this.#fees.at < feesFor) return this.#fees;
    const [block, price, balance] = await Promise.all([
      this.#ask('eth_getBlockByNumber', ['latest', false]),
      this.#ask('eth_gasPrice', []).then((value) => BigInt(String(value))),
      this.#ask('eth_getBalance', [this.address, 'latest']).then((value) => BigInt(String(value))),
    ]);
    const base = (block as { baseFeePerGas?: string } | null)?.baseFeePerGas;
    const { maxFee } = this.#settings.spending;
    if ((base === undefined ? price : BigInt(base)) > maxFee) {
      throw tooDear('the chain’s fee is above what the operator of this server allows: try again later');
    }
    const prices =
      base === undefined
        ? { most: price, values: { type: 0, gasPrice: price } }
        : await this.#feesOver(BigInt(base), price);
    this.#fees = { at: Date.now(), balance, ...prices };
    return this.#fees;
  }

  /** Twice the base fee outlasts six full blocks; a node without a suggestion gets its gas price as tip. */
  async #feesOver(base: bigint, price: bigint): Promise<Pick<Fees, 'most' | 'values'>> {
    const tip = await this.#rpc('eth_maxPriorityFeePerGas', []).then(
      (value) => BigInt(String(value)),
      () => price,
    );
    const { maxFee } = this.#settings.spending;
    const most = 2n * base + tip < maxFee ? 2n * base + tip : maxFee;
    const maxPriorityFeePerGas = tip < most ? tip : most;
    return { most, values: { type: 2, maxPriorityFeePerGas, maxFeePerGas: most } };
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#rpc(method, params).catch((error: unknown) => {
      throw chainRefused(error, 'call');
    });
  }
}

function tooDear(reason: string): Refused {
  return new Refused('UNAVAILABLE', 'the join could not be sent', reason);
}
