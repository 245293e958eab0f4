/** Groups on a chain: members from events, joins through the survey's manager. */
import pLimit from 'p-limit';
import { sharedRuns, within } from '../../util/waiting.js';
import { memoryRoots } from '../group/root-cache.js';
import { busy, finishedRefusal, Outage, Refused, refusedByContract } from '../protocol/refused.js';
import { ownKey } from '../protocol/signature.js';
import type { Receipt } from '../protocol/wire.js';
import type { Group, GroupStore, Health, Held, Served } from '../store/group-store.js';
import { damageRefusal } from '../store/storage.js';
import { type StoredTree, TreeChecks } from '../store/tree-checks.js';
import { chainHealth } from './chain-health.js';
import { contractAccepts, locateGroup } from './contracts.js';
import { refuseCall } from './failure.js';
import { type ChainSettings, knownSurveys, unknownSurvey } from './known-surveys.js';
import { type Joining, proven, sendJoin } from './send-join.js';

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
