/** The cache of surveys in use: where their groups are, and their last known members. */
import { quantity, type Rpc } from '../../jsonrpc/rpc.js';
import { keepRecent } from '../../util/keep-recent.js';
import { sharedRuns } from '../../util/waiting.js';
import type { Group } from '../store/group-store.js';
import { unknownSurvey } from '../store/survey-rows.js';
import type { StoredTree } from '../store/tree-checks.js';
import type { KeyOf } from './account-key.js';
import { birthBlock, type GroupPlace, groupView, locateGroup, surveyState } from './contracts.js';
import { refuseCall } from './failure.js';
import { GroupGas } from './fees.js';
import { GroupFollower, type IndexMemory } from './follow.js';
import type { Nodes } from './nodes.js';
import type { Sender } from './sender.js';
import type { ServedSurveys } from './served.js';

export interface ChainSettings {
  readonly rpc: Rpc;
  readonly nodes: Nodes;
  readonly chainId: number;
  /** Null: members are listed, joins are refused. */
  readonly sender: Sender | null;
  /** Null: searched for each survey. */
  readonly fromBlock: number | null;
  readonly served: ServedSurveys;
  /** Null: every account's key is the one its address derives from. */
  readonly keyOf: KeyOf | null;
  /** How long a request for members waits for the node, in milliseconds. */
  readonly patienceMs: number;
  memory(place: GroupPlace): IndexMemory;
}

export type KnownSurvey = Awaited<ReturnType<typeof open>>;

/** Size of the cache; the least recently used survey is evicted. */
const maxKnown = 256;

type Source = Pick<ChainSettings, 'rpc' | 'fromBlock' | 'served' | 'memory'>;

export function knownSurveys(chain: Source) {
  const kept = new Map<string, Promise<KnownSurvey>>();
  return {
    /** @throws {Refused} when it is no survey, or not served */
    get(survey: string): Promise<KnownSurvey> {
      const known = kept.get(survey) ?? open(survey, chain);
      const evicted = keepRecent(kept, survey, known, maxKnown);
      evicted?.then((one) => one.save()).catch(() => undefined);
      known.catch(() => kept.delete(survey));
      return known;
    },
    async save(): Promise<void> {
      for (const known of kept.values()) await known.then((one) => one.save()).catch(() => undefined);
    },
  };
}

async function open(survey: string, { rpc, fromBlock, served, memory }: Source) {
  if (!(await served.has(survey))) throw unknownSurvey();
  const place = await locateGroup(rpc, survey);
  const head = async () => Number(await rpc('eth_blockNumber', []).catch(refuseCall));
  const from = fromBlock ?? (await birthBlock(rpc, survey, await head())) ?? 0;
  const follower = new GroupFollower(rpc, place, from, memory(place));
  const leaves = () => follower.leaves().catch(refuseCall);
  const known = {
    place,
    gas: new GroupGas(),
    group: null as Group | null,
    /** When the last check began, in milliseconds of `performance.now()`; -Infinity after a join of this server. */
    checkedAt: Number.NEGATIVE_INFINITY,
    /** Joins that this process sent. */
    joins: 0,
    save: () => follower.save(),
    /** Concurrent callers share one read. */
    state: sharedRuns(() => surveyState(rpc, survey, place)),
    /** Reads the group's members up to the newest block. */
    check: sharedRuns(async (): Promise<Group> => {
      const [startedAt, joins] = [performance.now(), known.joins];
      const members = await leaves();
      const group =
        known.group?.members === members ? known.group : { groupId: String(place.groupId), members };
      known.group = group;
      if (known.joins === joins) known.checkedAt = startedAt;
      return group;
    }),
    /** The leaves up to a block, and the root of the contract at that block. */
    async tree(): Promise<StoredTree> {
      const found = await leaves();
      const call = { name: 'getMerkleTreeRoot', block: quantity(follower.tip?.block ?? 0) };
      const root = found.length === 0 ? 0n : await groupView<bigint>(rpc, place, call).catch(refuseCall);
      return { leaves: found, root };
    },
    /** Drops all leaves: the next check reads every event. */
    forget(): void {
      follower.forget();
      known.checkedAt = Number.NEGATIVE_INFINITY;
    },
  };
  return known;
}
