/** Gas limit and fees of transactions, from the chain's fees, the manager's balance and the operator's limits. */
import { Refused } from '../protocol/refused.js';
import { refuseCall } from './failure.js';
import { affordable, type GasRange } from './gas.js';
import type { Rpc } from './rpc.js';

/** Limits on what a manager pays for one join. */
export interface Spending {
  readonly maxGas: bigint;
  /** Per unit of gas, in kei. */
  readonly maxFee: bigint;
}

/** Fields of a transaction. */
type FeeFields = Readonly<Record<string, bigint | number>>;

interface Seen {
  readonly at: number;
  /** The highest price of one unit of gas, in kei. */
  readonly maxPrice: bigint;
  /** The account's balance as of the last block, in kei. */
  readonly balance: bigint;
  readonly fields: FeeFields;
}

/** How long fees are cached, in milliseconds. */
const freshFor = 1000;

export class Fees {
  readonly #rpc: Rpc;
  readonly #address: string;
  readonly #spending: Spending;
  #seen: Seen | null = null;

  constructor(rpc: Rpc, address: string, spending: Spending) {
    this.#rpc = rpc;
    this.#address = address;
    this.#spending = spending;
  }

  /**
   * Gas limit and fee fields of the next transaction.
   * @param allowed gas limits of pending transactions, whose price the node reserves
   * @throws {Refused} when the join needs more than the operator's limits, or the node does not answer
   */
  async next(gas: GasRange, allowed: bigint): Promise<{ gasLimit: bigint; fields: FeeFields }> {
    const { fields, balance, maxPrice } = await this.#current();
    const { maxGas } = this.#spending;
    if (gas.needed > maxGas) throw tooExpensive('it needs more gas than the operator of this server allows');
    const affordableGas = maxPrice === 0n ? gas.wanted : balance / maxPrice - allowed;
    return { gasLimit: affordable(gas, affordableGas < maxGas ? affordableGas : maxGas), fields };
  }

  async #current(): Promise<Seen> {
    if (this.#seen !== null && performance.now() - this.#seen.at < freshFor) return this.#seen;
    const [block, price, balance] = await Promise.all([
      this.#ask('eth_getBlockByNumber', ['latest', false]),
      this.#ask('eth_gasPrice', []).then((value) => BigInt(String(value))),
      this.#ask('eth_getBalance', [this.#address, 'latest']).then((value) => BigInt(String(value))),
    ]);
    const base = (block as { baseFeePerGas?: string } | null)?.baseFeePerGas;
    if ((base === undefined ? price : BigInt(base)) > this.#spending.maxFee) {
      throw tooExpensive('the chain’s fee is above what the operator of this server allows: try again later');
    }
    const prices =
      base === undefined
        ? { maxPrice: price, fields: { type: 0, gasPrice: price } }
        : await this.#over(BigInt(base), price);
    this.#seen = { at: performance.now(), balance, ...prices };
    return this.#seen;
  }

  /** Twice the base fee suffices for six full blocks. If the node suggests no tip, its gas price is the tip. */
  async #over(base: bigint, price: bigint): Promise<Pick<Seen, 'maxPrice' | 'fields'>> {
    const tip = await this.#rpc('eth_maxPriorityFeePerGas', []).then(
      (value) => BigInt(String(value)),
      () => price,
    );
    const { maxFee } = this.#spending;
    const maxPrice = 2n * base + tip < maxFee ? 2n * base + tip : maxFee;
    const maxPriorityFeePerGas = tip < maxPrice ? tip : maxPrice;
    return { maxPrice, fields: { type: 2, maxPriorityFeePerGas, maxFeePerGas: maxPrice } };
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#rpc(method, params).catch(refuseCall);
  }
}

function tooExpensive(reason: string): Refused {
  return new Refused('UNAVAILABLE', 'the join could not be sent', reason);
}
