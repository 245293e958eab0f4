/** Gas limit and fees of transactions, from the chain's fees, the manager's balance and the operator's limits. */
import { Transaction } from 'ethers/transaction';
import type { Rpc } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { Outage, Refused } from '../protocol/refused.js';
import { refuseCall } from './failure.js';

export interface Spending {
  readonly maxGas: bigint;
  /** Per unit of gas, in kei. */
  readonly maxFee: bigint;
}

type FeeFields = Readonly<Record<string, bigint | number>>;

interface Seen {
  readonly at: number;
  /** The highest price of one unit of gas, in kei. */
  readonly maxPrice: bigint;
  readonly balance: bigint;
  readonly fields: FeeFields;
}

/** How long fees are cached, in milliseconds. */
const freshFor = 1000;

export type Fees = ReturnType<typeof feesOf>;

export function feesOf(rpc: Rpc, address: string, { maxGas, maxFee }: Spending) {
  let seen: Seen | null = null;
  const amount = async (method: string, params: readonly unknown[]) =>
    BigInt(String(await rpc(method, params)));
  /** Twice the base fee suffices for six full blocks. If the node suggests no tip, its gas price is the tip. */
  const over = async (base: bigint, price: bigint) => {
    const tip = await amount('eth_maxPriorityFeePerGas', []).catch(() => price);
    const maxPrice = 2n * base + tip < maxFee ? 2n * base + tip : maxFee;
    const maxPriorityFeePerGas = tip < maxPrice ? tip : maxPrice;
    return { maxPrice, fields: { type: 2, maxPriorityFeePerGas, maxFeePerGas: maxPrice } };
  };
  const current = async (): Promise<Seen> => {
    if (seen !== null && performance.now() - seen.at < freshFor) return seen;
    const [block, price, balance] = await Promise.all([
      rpc('eth_getBlockByNumber', ['latest', false]).catch(refuseCall),
      amount('eth_gasPrice', []).catch(refuseCall),
      amount('eth_getBalance', [address, 'latest']).catch(refuseCall),
    ]);
    const baseFee = field(block, 'baseFeePerGas');
    const base = baseFee === undefined ? null : BigInt(String(baseFee));
    if ((base ?? price) > maxFee) {
      const reason = 'the chain’s fee is above what the operator of this server allows';
      throw new Outage('the chain is too expensive now', reason, 'FEE_TOO_HIGH');
    }
    const legacy = { maxPrice: price, fields: { type: 0, gasPrice: price } };
    seen = { at: performance.now(), balance, ...(base === null ? legacy : await over(base, price)) };
    return seen;
  };
  /**
   * Gas limit and fee fields of the next transaction.
   * @param allowed gas limits of pending transactions, whose price the node reserves
   * @throws {Refused} when the join needs more than the operator's limits, or the node does not answer
   */
  const next = async (gas: GasRange, allowed: bigint) => {
    const { fields, balance, maxPrice } = await current();
    const why = 'it needs more gas than the operator of this server allows';
    if (gas.needed > maxGas) throw new Refused('UNAVAILABLE', 'the join could not be sent', why);
    const affordableGas = maxPrice === 0n ? gas.wanted : balance / maxPrice - allowed;
    return { gasLimit: affordable(gas, affordableGas < maxGas ? affordableGas : maxGas), fields };
  };
  /** A transaction that a node takes in place of a signed one; null if its fees would be above the operator's limit. */
  const replacement = async (raw: string): Promise<object | null> => {
    const before = Transaction.from(raw);
    const { to, data, gasLimit, chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = before;
    const fees = new Map(Object.entries({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }));
    const { fields } = await current();
    const raised = Object.entries(fields).map(([name, now]) => {
      const was = fees.get(name) ?? null;
      if (was === null) return [name, now] as const;
      const least = was + was / minRaise + 1n;
      return [name, BigInt(now) > least ? now : least] as const;
    });
    const isAllowed = raised.every(([name, value]) => name === 'type' || value <= maxFee);
    return isAllowed ? { to, data, gasLimit, chainId, nonce, ...Object.fromEntries(raised) } : null;
  };
  /** Reads the fees anew for the next transaction. */
  const renew = (): void => {
    seen = null;
  };
  return { next, replacement, renew };
}

/** A node takes a transaction in place of another if its fees are a tenth higher; this is an eighth. */
const minRaise = 8n;

/** Gas limits for one call, in units of gas: `wanted` covers the worst case, `needed` the likely one. */
export interface GasRange {
  readonly wanted: bigint;
  readonly needed: bigint;
}

/**
 * More than the 28,600 or so that Semaphore uses for each set bit of the new member's index (one Poseidon hash each),
 * and more than the first write of a level of the tree uses.
 */
const gasPerLevel = 40_000n;
/** Joins that other programs may send meanwhile: as many as there are members, but at least this many. */
const minOtherJoins = 1024;
const maxDepth = 32;

/** A join without its hashes, if the node gives no estimate: Semaphore uses 146,000 of it, the survey the rest. */
const defaultEstimate = 500_000n;

/** Gas estimates for the joins of one group: one estimate, repeated each time the group has doubled. */
export class GroupGas {
  #estimate = 0n;
  /** Size from which on the estimate is stale. */
  #goodUntil = 0;
  #asking: Promise<void> | null = null;

  /** The highest estimate so far. Only the first is awaited; if it fails, a default is used. @param size members now */
  async estimate(size: number, ask: () => Promise<bigint>): Promise<bigint> {
    if (size >= this.#goodUntil) this.#asking ??= this.#renew(size, ask);
    if (this.#estimate === 0n) await this.#asking;
    return this.#estimate || defaultEstimate;
  }

  /** A new estimate, after a join ran out of gas; later joins use it too. */
  async again(ask: () => Promise<bigint>): Promise<bigint> {
    const found = await ask();
    if (found > this.#estimate) this.#estimate = found;
    return this.#estimate;
  }

  async #renew(size: number, ask: () => Promise<bigint>): Promise<void> {
    const isNew = await this.again(ask).catch(() => null);
    if (isNew !== null) this.#goodUntil = 2 ** levels(size);
    this.#asking = null;
  }
}

function levels(index: number): number {
  return index.toString(2).length;
}

/**
 * The gas of a join.
 * @param estimate of a join of the same group, at any size
 * @param size members at the last block
 * @param underWay pending joins of this server
 */
export function joinGas(estimate: bigint, size: number, underWay: number): GasRange {
  const upTo = (index: number) => estimate + BigInt(1 + levels(index)) * gasPerLevel;
  return { wanted: upTo(2 * (size + underWay) + minOtherJoins), needed: upTo(size + underWay) };
}

/** The gas of the second attempt after a join ran out of gas: ample for any index. */
export function amplerGas(estimate: bigint): GasRange {
  const ample = 2n * estimate + BigInt(maxDepth) * gasPerLevel;
  return { wanted: ample, needed: ample };
}

/** The gas limit: `wanted` if the sender can afford it, else what it can afford, but at least `needed`. */
export function affordable({ wanted, needed }: GasRange, affordableGas: bigint): bigint {
  if (affordableGas >= wanted) return wanted;
  return affordableGas > needed ? affordableGas : needed;
}

/** Whether it ran out of gas: nested calls each retain a sixty-fourth, so some of `gas`, its limit, is always left. */
export function ranOut(receipt: { readonly status: 0 | 1; readonly gasUsed: string }, gas: bigint): boolean {
  return receipt.status === 0 && BigInt(receipt.gasUsed) * 64n >= gas * 60n;
}
