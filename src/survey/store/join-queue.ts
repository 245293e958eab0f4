/** The queue of joins to embedded groups, written in batches: every commit waits for the disk. */
import { append, type Frontier, rootsOf } from '../group/group.js';
import { HashPool } from '../group/hash-pool.js';
import type { Added } from '../protocol/events.js';
import { finishedRefusal, Refused, refusedByContract } from '../protocol/refused.js';
import { type Held, joining } from './group-store.js';
import { full } from './policies.js';
import { joinLock, type Rows, type Storage, type Transaction } from './storage.js';
import { frontierText, type SurveyRow, surveyRows, unknownSurvey } from './survey-rows.js';

export interface Joined {
  readonly added: Added;
  /** Number of the join in the store; takes the place of a block number. */
  readonly block: number;
}

interface Waiting {
  readonly survey: string;
  readonly commitment: bigint;
  readonly held: Held | undefined;
  settle(outcome: Joined | Refused): void;
  fail(error: unknown): void;
}

/** A join that is written, without its root. */
type Written = { readonly added: Omit<Added, 'root'>; readonly frontier: Frontier; readonly block: number };

const maxBatch = 64;

export type JoinQueue = ReturnType<typeof joinQueue>;

export function joinQueue(storage: Storage) {
  const waiting: Waiting[] = [];
  const hashing = new HashPool(1);
  let writing: Promise<void> = Promise.resolve();

  /** Writes the queue in batches until it is empty. Never rejects. */
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Lets requests that arrived during the last commit join the batch.
      await new Promise(setImmediate);
      const batch = waiting.slice(0, maxBatch);
      try {
        const { rooted } = await storage.atomically(joinLock, async (rows) => {
          // Hashes the roots while the disk commits.
          return { rooted: addRoots(await addAll(rows, batch), hashing) };
        });
        for (const [at, outcome] of (await rooted).entries()) batch[at]?.settle(outcome);
      } catch (error) {
        for (const one of batch) one.fail(error);
      }
      waiting.splice(0, batch.length);
    }
  };

  return {
    /** Resolves when the join is on disk. @throws {Refused} when the group rejects it */
    async join(survey: string, commitment: bigint, held?: Held): Promise<Joined> {
      const outcome = await new Promise<Joined | Refused>((settle, fail) => {
        waiting.push({ survey, commitment, held, settle, fail });
        if (waiting.length === 1) writing = writing.then(write);
      });
      if (outcome instanceof Refused) throw outcome;
      return outcome;
    },
    async close(): Promise<void> {
      await writing;
      await hashing.close();
    },
  };
}

async function addRoots(outcomes: readonly (Written | Refused)[], hashing: HashPool) {
  const nodes = outcomes.flatMap((one) => (one instanceof Refused ? [] : [one.frontier.peaks]));
  const work = { of: 'peaks', nodes } as const;
  const roots = (nodes.length > 1 ? await hashing.roots(work) : null) ?? rootsOf(work);
  return outcomes.map((outcome): Joined | Refused => {
    if (outcome instanceof Refused) return outcome;
    return { added: { ...outcome.added, root: roots.shift() ?? 0n }, block: outcome.block };
  });
}

/** Adds the joins in order, since each changes the tree for the next. A refused join changes nothing. */
async function addAll(rows: Transaction, batch: readonly Waiting[]): Promise<(Written | Refused)[]> {
  const surveys = await surveyRows(rows);
  let block = [...surveys.values()].reduce((sum, { frontier }) => sum + frontier.size, 0);
  const outcomes: (Written | Refused)[] = [];
  for (const one of batch) {
    const row = surveys.get(one.survey);
    const outcome = row === undefined ? unknownSurvey() : await addTo(rows, row, one);
    outcomes.push(outcome instanceof Refused ? outcome : { ...outcome, block: ++block });
  }
  for (const survey of new Set(batch.map((one) => one.survey))) {
    const { groupId, frontier } = surveys.get(survey) ?? {};
    if (frontier === undefined) continue;
    await rows.run('UPDATE surveys SET frontier = ? WHERE group_id = ?', frontierText(frontier), groupId);
    await rows.notify('group', survey);
  }
  return outcomes;
}

async function addTo(rows: Rows, row: SurveyRow, { commitment, held }: Waiting) {
  if (held !== undefined && !(await held(rows))) return joining();
  const leaf = String(commitment);
  if (row.closed) return finishedRefusal();
  const known = 'SELECT 1 FROM members WHERE group_id = ? AND commitment = ?';
  if ((await rows.one(known, row.groupId, leaf)) !== undefined) return refusedByContract('0x258a195a');
  const index = row.frontier.size;
  if (row.maxMembers !== null && index >= row.maxMembers) return full(row.maxMembers);
  const frontier = append(row.frontier, commitment);
  row.frontier = frontier;
  await rows.run('INSERT INTO members VALUES (?, ?, ?)', row.groupId, index, leaf);
  return { added: { groupId: BigInt(row.groupId), index: BigInt(index), commitment }, frontier };
}
