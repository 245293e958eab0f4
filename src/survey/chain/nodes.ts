/** Several nodes of one chain, used as one: each request goes to the first node that answers and is not behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Busy, type Rpc, Unreachable } from '../../jsonrpc/rpc.js';
import { sharedRuns, within } from '../../util/waiting.js';
import type { NodeState } from '../store/group-store.js';

/** Blocks that a node may lag behind the most advanced one. */
const maxLag = 5;
/** How long a check counts, and how long it waits for a node, in milliseconds. */
const freshMs = 5000;
const checkMs = 2000;
/** The first and the longest pause before a request is repeated that the nodes' limits refused, in milliseconds. */
const [firstPauseMs, maxPauseMs] = [250, 4000];

type Found = { readonly chainId: number; readonly block: number } | null;

export class Nodes {
  readonly #nodes: readonly Rpc[];
  #chainId: number | null = null;
  #states: readonly NodeState[] = [];
  #checkedAt = Number.NEGATIVE_INFINITY;
  readonly #check = sharedRuns(() => this.#checkAll());
  readonly #busyMs: number;

  /**
   * @param chainId null: that of the first node that answers
   * @param busyMs how long a request is repeated while all nodes limit the rate, in milliseconds
   */
  constructor(nodes: readonly Rpc[], chainId: number | null = null, busyMs = 0) {
    this.#nodes = nodes;
    this.#chainId = chainId;
    this.#busyMs = busyMs;
  }

  /** Repeats a request at the other nodes while they are unreachable. Safe for every method that this program sends. */
  readonly rpc: Rpc = async (method, params) => {
    const until = performance.now() + this.#busyMs;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
      try {
        return await this.#askOne(method, params);
      } catch (error) {
        if (!(error instanceof Busy) || performance.now() + pause > until) throw error;
        await sleep(pause);
      }
    }
  };

  /** Asks all nodes of the chain; resolves with the first answer in their order. @throws the first error without any */
  readonly everywhere: Rpc = async (method, params) => {
    const used = await this.#used();
    const all = [used, ...this.#others(used)].map((at) => this.#ask(at, method, params));
    const answers = await Promise.allSettled(all);
    const answered = answers.find((one) => one.status === 'fulfilled');
    if (answered !== undefined) return answered.value;
    throw answers.find((one) => one.status === 'rejected')?.reason;
  };

  async #askOne(method: string, params: readonly unknown[]): Promise<unknown> {
    const used = await this.#used();
    let first: unknown = null;
    for (const at of [used, ...this.#others(used)]) {
      try {
        // Another one may serve another chain since the last check.
        if (at !== used && Number(await this.#ask(at, 'eth_chainId', [])) !== this.#chainId) continue;
        const answer = await this.#ask(at, method, params);
        if (at !== used) this.#replace(used, at);
        return answer;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        first ??= error;
      }
    }
    throw first;
  }

  /** Never rejects. */
  async states(): Promise<readonly NodeState[]> {
    if (this.#isStale()) await this.#check();
    return this.#states;
  }

  #ask(at: number, method: string, params: readonly unknown[]): Promise<unknown> {
    const node = this.#nodes[at];
    if (node === undefined) throw new Unreachable('no node is configured');
    return node(method, params);
  }

  /** The first check is awaited; later ones run beside the requests. */
  async #used(): Promise<number> {
    if (this.#nodes.length === 1) return 0;
    if (this.#states.length === 0) await this.#check();
    else if (this.#isStale()) void this.#check();
    const at = this.#states.findIndex(({ state }) => state === 'used');
    return Math.max(0, at);
  }

  /** The other nodes of the chain, those that were ready at the last check first. */
  #others(used: number): number[] {
    const others = this.#states.filter(({ node, state }) => node - 1 !== used && state !== 'other-chain');
    const ready = others.filter(({ state }) => state === 'ready');
    return [...new Set([...ready, ...others])].map(({ node }) => node - 1);
  }

  /** Uses another node until the next check. */
  #replace(used: number, other: number): void {
    this.#states = this.#states.map((one, at) => {
      if (at === other) return { ...one, state: 'used' };
      return at === used ? { ...one, state: 'unreachable' } : one;
    });
  }

  #isStale(): boolean {
    return performance.now() - this.#checkedAt >= freshMs;
  }

  async #checkAll(): Promise<void> {
    const found = await Promise.all(this.#nodes.map(ask));
    this.#chainId ??= found.find((one) => one !== null)?.chainId ?? null;
    const head = Math.max(...found.map((one) => (one?.chainId === this.#chainId ? one.block : 0)));
    const states = found.map((one) => stateOf(one, this.#chainId, head));
    const used = states.indexOf('ready');
    this.#states = states.map((state, at) => {
      return { node: at + 1, state: at === used ? 'used' : state, block: found[at]?.block ?? null };
    });
    this.#checkedAt = performance.now();
  }
}

async function ask(rpc: Rpc): Promise<Found> {
  const asked = Promise.all([rpc('eth_chainId', []), rpc('eth_blockNumber', [])]);
  const found = await within(checkMs, asked, () => new Unreachable('late')).catch(() => null);
  return found === null ? null : { chainId: Number(found[0]), block: Number(found[1]) };
}

function stateOf(found: Found, chainId: number | null, head: number): Exclude<NodeState['state'], 'used'> {
  if (found === null) return 'unreachable';
  if (found.chainId !== chainId) return 'other-chain';
  return head - found.block > maxLag ? 'behind' : 'ready';
}
