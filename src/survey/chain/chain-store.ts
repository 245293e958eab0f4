/** Groups on a chain: members from events, joins through the survey's manager. */

import pLimit from 'p-limit';
import type { Rpc } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { sharedRuns, within } from '../../util/waiting.js';
import { memoryRoots } from '../group/root-cache.js';
import { busy, finishedRefusal, Outage, Refused, refusedByContract } from '../protocol/refused.js';
import { ownKey } from '../protocol/signature.js';
import type { Receipt } from '../protocol/wire.js';
import {
  type Group,
  type GroupStore,
  type Health,
  type Held,
  maxJoinsLeft,
  type Served,
} from '../store/group-store.js';
import { damageRefusal } from '../store/storage.js';
import { unknownSurvey } from '../store/survey-rows.js';
import { type StoredTree, TreeChecks } from '../store/tree-checks.js';
import { contractAccepts, locateGroup } from './contracts.js';
import { refuseCall } from './failure.js';
import { type ChainSettings, knownSurveys } from './known-surveys.js';
import { type Joining, proven, sendJoin } from './send-join.js';
import type { Sender } from './sender.js';

/** How long a group is cached, in milliseconds. */
const freshFor = 200;
/** Concurrent reads of groups from the chain, and the length of their queue. */
const maxReads = 8;
const maxQueued = 256;
export class ChainStore implements GroupStore {
  readonly kind = 'chain';
  readonly chainId: number;
  readonly #chain: ChainSettings;
  readonly #known: ReturnType<typeof knownSurveys>;
  readonly #joining = new Set<string>();
  readonly #closing = new AbortController();
  readonly #askChain: () => Promise<number>;
  readonly #reading = pLimit(maxReads);
  readonly #trees: TreeChecks;
  /** When the node last confirmed the chain id, in milliseconds of `performance.now()`. */
  #chainSeenAt = Number.NEGATIVE_INFINITY;

  constructor(chain: ChainSettings) {
    this.chainId = chain.chainId;
    this.#chain = chain;
    this.#known = knownSurveys(chain);
    this.#askChain = sharedRuns(async () => {
      const id = await chain.rpc('eth_chainId', []).catch(refuseCall);
      if (Number(id) === chain.chainId) this.#chainSeenAt = performance.now();
      return Number(id);
    });
    const list = async () => (await chain.served.list()).map(({ survey }) => survey);
    this.#trees = new TreeChecks({ list, read: (survey) => this.#tree(survey) });
    void this.#warmUp();
  }

  /** The list, read from all events again where it does not have the contract's root. */
  async #tree(survey: string): Promise<StoredTree> {
    const known = await this.#known.get(survey);
    const tree = await known.tree();
    if ((await memoryRoots().root(tree.leaves)) === tree.root) return tree;
    known.forget();
    return known.tree();
  }

  group(survey: string, fresh = false): Promise<Group> {
    return within(this.#chain.patienceMs, this.#group(survey, fresh), () => {
      const reason = 'the members are still being read: ask again';
      return new Outage('the chain is slow to answer', reason);
    });
  }

  /** Reads the groups of all named surveys. The first request still checks them against the newest block. */
  async #warmUp(): Promise<void> {
    const warm = async (survey: string) => {
      await this.#group(survey);
      (await this.#known.get(survey)).checkedAt = Number.NEGATIVE_INFINITY;
    };
    const known = await this.#chain.served.list().catch(() => []);
    for (const { survey } of known) warm(survey).catch(() => undefined);
  }

  async #group(survey: string, fresh = false): Promise<Group> {
    this.#refuseDifferent(survey);
    await this.#sameChain();
    const known = await this.#known.get(survey);
    if (known.group !== null && !fresh && performance.now() - known.checkedAt < freshFor) return known.group;
    if (this.#reading.pendingCount >= maxQueued) throw busy('too many groups are being read');
    return this.#reading(() => known.check());
  }

  #refuseDifferent(survey: string): void {
    const fault = this.#trees.fault(survey);
    if (fault !== null) throw damageRefusal(fault);
  }

  /** Guards against a node URL that starts to serve another chain. */
  async #sameChain(): Promise<void> {
    if (performance.now() - this.#chainSeenAt < freshFor) return;
    const id = await this.#askChain();
    if (id === this.chainId) return;
    const reason = `it is on chain ${id}, not on ${this.chainId}: tell the operator of this server`;
    throw new Outage('the node of this server is on another chain now', reason, 'WRONG_CHAIN');
  }

  async join(survey: string, commitment: bigint, held?: Held): Promise<Receipt> {
    const { sender } = this.#chain;
    if (sender === null)
      throw new Refused('UNAVAILABLE', 'this server takes no joins', 'it has no manager key');
    const ticket = `${survey} ${commitment}`;
    if (this.#joining.has(ticket)) throw refusedByContract('0x258a195a');
    this.#joining.add(ticket);
    try {
      return await this.#join({ survey, commitment, held, sender });
    } finally {
      this.#joining.delete(ticket);
    }
  }

  readonly underWay = async (survey: string) => this.#chain.sender?.outbox.commitments(survey) ?? [];
  readonly final = async ({ hash }: Receipt) =>
    this.#chain.sender?.final(hash, this.#closing.signal) ?? false;
  readonly accountKey = async (account: string) => this.#chain.keyOf?.(account) ?? ownKey(account);
  readonly backlog = async () => this.#chain.sender?.backlog() ?? null;
  readonly verify = () => this.#trees.run();
  readonly contractSigns = (account: string, digest: string, signature: string): Promise<boolean> =>
    contractAccepts(this.#chain.rpc, account, digest, signature);

  async surveys(): Promise<Served[]> {
    const known = await this.#chain.served.list();
    return Promise.all(
      known.map(async (one) => {
        const group = await this.group(one.survey).catch(() => null);
        return { ...one, members: group?.members.length ?? null };
      }),
    );
  }

  async add(survey: string): Promise<void> {
    await locateGroup(this.#chain.rpc, survey);
    await this.#chain.served.add(survey);
  }

  async setClosed(survey: string, closed: boolean): Promise<void> {
    if (!(await this.#chain.served.has(survey))) throw unknownSurvey();
    await this.#chain.served.setClosed(survey, closed);
  }

  async health(): Promise<Health> {
    const { rpc, sender, keyOf, nodes } = this.#chain;
    const { problem, facts } = await chainHealth(rpc, this.chainId, sender);
    this.#trees.later();
    const fault = this.#trees.anyFault();
    return {
      problem: fault === null ? problem : damageRefusal(fault).sentence,
      nodes: await nodes.states(),
      facts: {
        ...facts,
        accountKeys: keyOf === null ? 'own' : 'chain',
        treeCheckAgeSeconds: this.#trees.ageSeconds(),
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#trees.close();
    await this.#known.save();
  }

  async #join(joined: Joining): Promise<Receipt> {
    this.#refuseDifferent(joined.survey);
    await this.#sameChain();
    const known = await this.#known.get(joined.survey);
    if (await this.#chain.served.isClosed(joined.survey)) throw finishedRefusal();
    const sent = await sendJoin(this.#chain.rpc, joined, known);
    known.joins += 1;
    known.checkedAt = Number.NEGATIVE_INFINITY;
    return proven(sent, known.place, joined.commitment);
  }
}

/** Age of the last block beyond which the node, or the chain, has stopped, in seconds. */
const maxBlockAge = 120;
/** Gas of a join in a group of a few thousand members, to estimate how many joins the balance pays for. */
const usualGas = 300_000n;

/** Age of an unmined transaction, or of a queued call, beyond which joins do not succeed, in seconds. */
const maxStuckSeconds = 60;

const figureMs = 2000;

/** Never rejects: `eth_blockNumber` alone decides whether the node is up. @param sender null: joins are off */
export async function chainHealth(rpc: Rpc, chainId: number, sender: Sender | null): Promise<Health> {
  const figure = <T>(asked: Promise<T>) => within(figureMs, asked, () => new Error('late')).catch(() => null);
  const manager = sender?.address ?? null;
  const ofManager = (method: string) => (manager === null ? null : figure(rpc(method, [manager, 'latest'])));
  const [block, id, timestamp, price, balance, nonce, backlog] = await Promise.all([
    rpc('eth_blockNumber', []).then(Number, () => null),
    figure(rpc('eth_chainId', []).then(Number)),
    figure(rpc('eth_getBlockByNumber', ['latest', false]).then((block) => field(block, 'timestamp'))),
    figure(rpc('eth_gasPrice', [])),
    ofManager('eth_getBalance'),
    ofManager('eth_getTransactionCount'),
    sender === null ? null : figure(sender.backlog()),
  ]);
  if (block === null) return { problem: 'the chain’s node does not answer', facts: {} };
  const age = timestamp === null ? null : Math.max(0, Math.round(Date.now() / 1000) - Number(timestamp ?? 0));
  const joins = joinsFor(balance, price);
  const transactions = backlog === null ? null : backlog.queued + backlog.sent;
  const ages = {
    oldestUnminedSeconds: backlog === null ? null : (backlog.unminedSeconds ?? 0),
    oldestCallSeconds: backlog === null ? null : (backlog.oldestSeconds ?? 0),
  };
  const ofJoins = { ...joins, nonce: nonce === null ? null : Number(nonce), transactions, ...ages };
  const facts = { chainId: id, block, blockAgeSeconds: age, ...(sender === null ? {} : ofJoins) };
  const isOld = (age ?? 0) > maxBlockAge;
  const old = isOld ? 'the node’s last block is old: it is behind, or its chain stands still' : null;
  const problem =
    (joins.joinsLeft === 0 ? 'the manager’s balance pays for no join' : old) ?? stuckProblem(ages);
  return { problem: id !== null && id !== chainId ? 'the node is on another chain now' : problem, facts };
}

function stuckProblem(ages: Record<'oldestUnminedSeconds' | 'oldestCallSeconds', number | null>) {
  const { oldestUnminedSeconds: unmined, oldestCallSeconds: call } = ages;
  if ((unmined ?? 0) > maxStuckSeconds)
    return `a transaction was sent ${unmined} s ago and is not mined: its nodes drop it, or its fee is too low`;
  if ((call ?? 0) > maxStuckSeconds) return `a join has waited ${call} s, and was not sent`;
  return null;
}

/** Joins that the balance pays for; null when unknown, absent on a chain without fees. */
function joinsFor(balance: unknown, price: unknown): { joinsLeft?: number | null } {
  if (balance === null || price === null) return { joinsLeft: null };
  const cost = usualGas * BigInt(String(price));
  if (cost === 0n) return {};
  const joins = BigInt(String(balance)) / cost;
  return { joinsLeft: Math.min(Number(joins), maxJoinsLeft) };
}
