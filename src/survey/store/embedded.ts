/** Groups of surveys without a chain, in the server's own store. */
import { keccak256 } from 'ethers/crypto';
import { rootOfPeaks } from '../group/group.js';
import { type Added, encodeAdded } from '../protocol/events.js';
import { ownKey } from '../protocol/signature.js';
import type { Receipt } from '../protocol/wire.js';
import type { Group, GroupStore, Health, Held, Served } from './group-store.js';
import { type JoinQueue, joinQueue } from './join-queue.js';
import { damageRefusal, isDamaged, type Rows, type Storage } from './storage.js';
import { groupFaults, readFrontier, registerSurveys, surveyRows, unknownSurvey } from './survey-rows.js';
import { type StoredTree, TreeChecks } from './tree-checks.js';

/** Takes the place of the Semaphore contract's address in logs; no contract has it. */
export const embeddedSemaphore = '0x00000000000000000000000000000000000e3bed';

/** Age from which the health checks the groups again, in milliseconds. */
const checkedFor = 60_000;
/** Members whose trees are hashed before the server listens, or health is answered: some hundred milliseconds. */
const maxAtOnce = 2048;

export class EmbeddedStore implements GroupStore {
  readonly kind = 'embedded';
  readonly chainId = null;
  readonly contractSigns = null;
  readonly #storage: Storage;
  readonly #groups = new Map<string, Group>();
  /** Surveys whose group has grown since it was last read. */
  readonly #stale = new Set<string>();
  /** What is wrong with a survey's group, by survey: neither its list nor its joins can be answered. */
  readonly #faults = new Map<string, string>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  readonly #unlisten: () => void;
  readonly #joins: JoinQueue;
  readonly #trees: TreeChecks;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#trees = new TreeChecks({
      list: async () => [...(await surveyRows(storage)).keys()],
      read: (survey) => storedTree(storage, survey),
      onFault: (survey) => void this.#groups.delete(survey),
    });
    this.#joins = joinQueue(storage);
    this.#unlisten = storage.listen('group', (survey) => {
      for (const one of survey === '' ? this.#groups.keys() : [survey]) this.#stale.add(one);
    });
  }

  async group(survey: string, fresh = false): Promise<Group> {
    this.#refuseDamaged(survey);
    const known = this.#groups.get(survey);
    if (known !== undefined && !fresh && !this.#stale.has(survey)) return known;
    this.#stale.delete(survey);
    const row = await this.#storage.one<[number, string]>(frontierOf, survey);
    if (row === undefined) throw unknownSurvey();
    const [groupId, frontier] = row;
    const size = readFrontier(frontier)?.size ?? Number.POSITIVE_INFINITY;
    // A database that was restored beneath a running server may have lost members.
    const earlier = known !== undefined && known.members.length <= size ? known.members : [];
    if (earlier !== known?.members) this.#groups.delete(survey);
    const added = await this.#membersFrom(groupId, earlier.length);
    if (added === null || earlier.length + added.length < size) {
      this.#faults.set(survey, `members of ${survey} are missing`);
      this.#refuseDamaged(survey);
    }
    if (known?.members === earlier && added?.length === 0) return known;
    const members = earlier.concat(added ?? []);
    const group = { groupId: String(groupId), members, grownFrom: earlier };
    // A concurrent read may be newer.
    const latest = this.#groups.get(survey);
    if (latest !== undefined && latest.members.length >= members.length) return latest;
    this.#groups.set(survey, group);
    return group;
  }

  /** The commitments from the position on; null when one is missing. */
  async #membersFrom(groupId: number, from: number): Promise<string[] | null> {
    const sql =
      'SELECT position, commitment FROM members WHERE group_id = ? AND position >= ? ORDER BY position';
    const rows = await this.#storage.all<[number, string]>(sql, groupId, from);
    return rows.every(([position], n) => position === from + n) ? rows.map(([, one]) => one) : null;
  }

  async join(survey: string, commitment: bigint, held?: Held): Promise<Receipt> {
    this.#refuseDamaged(survey);
    const { added, block } = await this.#joins.join(survey, commitment, held);
    return embeddedReceipt(survey, added, block);
  }

  /** Without a chain, every join is final at once, and no transaction is queued. */
  readonly underWay = async () => [];
  readonly final = async () => true;
  readonly backlog = async () => null;
  readonly accountKey = async (account: string) => ownKey(account);
  readonly add = (survey: string) => registerSurveys(this.#storage, [survey]);

  async surveys(): Promise<Served[]> {
    const rows = await surveyRows(this.#storage);
    return Array.from(rows, ([survey, { frontier, closed }]) => ({ survey, members: frontier.size, closed }));
  }

  async setClosed(survey: string, closed: boolean): Promise<void> {
    const sql = 'UPDATE surveys SET closed = ? WHERE address = ?';
    const changed = await this.#storage.run(sql, closed ? 1 : 0, survey);
    if (changed === 0) throw unknownSurvey();
  }

  async health(): Promise<Health> {
    if (performance.now() - this.#checkedAt > checkedFor) await this.#check();
    this.#trees.later();
    const [what = this.#trees.anyFault()] = this.#faults.values();
    const facts = { treeCheckAgeSeconds: this.#trees.ageSeconds() };
    return { problem: what === null ? null : damageRefusal(what).sentence, facts };
  }

  async verify(): Promise<void> {
    await this.#check();
    await this.#trees.run();
  }

  /** Compares members, positions and trees of all groups; keeps the last result while the store does not answer. */
  async #check(): Promise<void> {
    this.#checkedAt = performance.now();
    const faults = await groupFaults(this.#storage).catch((error: unknown) =>
      isDamaged(error) ? [{ survey: '', what: 'its rows cannot be read' }] : null,
    );
    if (faults === null) return;
    this.#faults.clear();
    for (const { survey, what } of faults) this.#faults.set(survey, what);
    // A group that was read before it was repaired may differ.
    for (const survey of this.#groups.keys()) if (this.#faults.has(survey)) this.#groups.delete(survey);
    const sql = 'SELECT COUNT(*) FROM members';
    const [members = 0] = (await this.#storage.one<[number]>(sql).catch(() => null)) ?? [];
    if (Number(members) <= maxAtOnce) await this.#trees.run();
  }

  #refuseDamaged(survey: string): void {
    const what = this.#faults.get(survey) ?? this.#trees.fault(survey);
    if (what !== null) throw damageRefusal(what);
  }

  async close(): Promise<void> {
    await this.#trees.close();
    this.#unlisten();
    await this.#joins.close();
  }
}

const frontierOf = 'SELECT group_id, frontier FROM surveys WHERE address = ?';

/** The stored members that the stored tree holds: joins meanwhile add to both. Null: the rows cannot be compared. */
export async function storedTree(rows: Rows, survey: string): Promise<StoredTree | null> {
  const [groupId, text = ''] = (await rows.one<[number, string]>(frontierOf, survey)) ?? [];
  const frontier = readFrontier(text);
  if (frontier === null) return null;
  const sql = 'SELECT commitment FROM members WHERE group_id = ? AND position < ? ORDER BY position';
  const found = await rows.all<[string]>(sql, groupId, frontier.size);
  return { leaves: found.map(([leaf]) => leaf), root: rootOfPeaks(frontier.peaks) };
}

/** A receipt as a chain would return it; its hashes are derived from the join. @param block number of the join */
function embeddedReceipt(survey: string, added: Added, block: number): Receipt {
  const { topics, data } = encodeAdded(added);
  const hash = keccak256(`${survey}${data.slice(2)}`);
  const place = { blockHash: keccak256(hash), blockNumber: block };
  const log = { address: embeddedSemaphore, ...place, data, index: 0, topics, transactionHash: hash };
  return {
    _type: 'TransactionReceipt',
    ...place,
    contractAddress: null,
    cumulativeGasUsed: '0',
    from: `0x${'0'.repeat(40)}`,
    gasPrice: '0',
    blobGasUsed: null,
    blobGasPrice: null,
    gasUsed: '0',
    hash,
    index: 0,
    logs: [{ _type: 'log', ...log, transactionIndex: 0 }],
    // A filter that excludes no log.
    logsBloom: `0x${'f'.repeat(512)}`,
    status: 1,
    to: survey,
  };
}
