/** What a transaction may cost: the chain's fees, the manager's balance, the operator's limits. */
import { Refused } from '../protocol/refused.js';
import { refuseCall } from './failure.js';
import { affordable, type GasRange } from './gas.js';
import type { Rpc } from './rpc.js';

/** The most a manager pays for one join. */
export interface Spending {
  readonly maxGas: bigint;
  /** For one unit of gas, in the chain's smallest unit (kei). */
  readonly maxFee: bigint;
}

/** Fields of a transaction. */
type FeeFields = Readonly<Record<string, bigint | number>>;

interface Seen {
  readonly at: number;
  /** The most one unit of gas can cost. */
  readonly most: bigint;
  /** What the account holds as of the last block. */
  readonly balance: bigint;
  readonly fields: FeeFields;
}

/** How long fees are good for, in milliseconds. */
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
   * @param allowed gas of those that are not mined yet: the node sets its price aside
   * @throws {Refused} when what is needed is more than the operator pays for, or the node does not answer
   */
  async next(gas: GasRange, allowed: bigint): Promise<{ gasLimit: bigint; fields: FeeFields }> {
    const { fields, balance, most } = await this.#current();
    const { maxGas } = this.#spending;
    if (gas.needed > maxGas) throw tooDear('it needs more gas than the operator of this server allows');
    const means = most === 0n ? gas.wanted : balance / most - allowed;
    return { gasLimit: affordable(gas, means < maxGas ? means : maxGas), fields };
  }

  async #current(): Promise<Seen> {
    if (this.#seen !== null && Date.now() - this.#seen.at < freshFor) return this.#seen;
    const [block, price, balance] = await Promise.all([
      this.#ask('eth_getBlockByNumber', ['latest', false]),
      this.#ask('eth_gasPrice', []).then((value) => BigInt(String(value))),
      this.#ask('eth_getBalance', [this.#address, 'latest']).then((value) => BigInt(String(value))),
    ]);
    const base = (block as { baseFeePerGas?: string } | null)?.baseFeePerGas;
    if ((base === undefined ? price : BigInt(base)) > this.#spending.maxFee) {
      throw tooDear('the chain’s fee is above what the operator of this server allows: try again later');
    }
    const prices =
      base === undefined
        ? { most: price, fields: { type: 0, gasPrice: price } }
        : await this.#over(BigInt(base), price);
    this.#seen = { at: Date.now(), balance, ...prices };
    return this.#seen;
  }

  /** Twice the base fee outlasts six full blocks; a node without a suggestion gets its gas price as tip. */
  async #over(base: bigint, price: bigint): Promise<Pick<Seen, 'most' | 'fields'>> {
    const tip = await this.#rpc('eth_maxPriorityFeePerGas', []).then(
      (value) => BigInt(String(value)),
      () => price,
    );
    const { maxFee } = this.#spending;
    const most = 2n * base + tip < maxFee ? 2n * base + tip : maxFee;
    const maxPriorityFeePerGas = tip < most ? tip : most;
    return { most, fields: { type: 2, maxPriorityFeePerGas, maxFeePerGas: most } };
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#rpc(method, params).catch(refuseCall);
  }
}

function tooDear(reason: string): Refused {
  return new Refused('UNAVAILABLE', 'the join could not be sent', reason);
}
