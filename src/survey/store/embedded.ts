/** Groups in a file of our own, for a survey without a chain. */
import { keccak256 } from 'ethers/crypto';
import { append, type Frontier, noLeaves, rootOf } from '../group/group.js';
import { type AccountKey, ownKey } from '../protocol/account-key.js';
import { type Added, encodeAdded } from '../protocol/events.js';
import { Refused, refusedByContract } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Group, GroupStore, Health, Served } from './group-store.js';
import type { Rows, Storage } from './storage.js';

/** Stands in the log where a Semaphore contract's address would: no contract has it. */
export const embeddedSemaphore = '0x00000000000000000000000000000000000e3bed';

/**
 * Gives each survey the next group id, from 0, unless it has one already.
 * @param surveys checksummed addresses
 */
export async function registerSurveys(storage: Storage, surveys: readonly string[]): Promise<void> {
  await storage.atomically('surveys', async (rows) => {
    for (const survey of surveys) {
      await rows.run(
        `INSERT INTO surveys (group_id, address, frontier) SELECT COUNT(*), ?, '{"size":0,"peaks":[]}' FROM surveys WHERE true
         ON CONFLICT (address) DO NOTHING`,
        survey,
      );
    }
  });
}

export class EmbeddedStore implements GroupStore {
  readonly kind = 'embedded';
  readonly chainId = null;
  readonly #storage: Storage;
  readonly #groups = new Map<string, Group>();
  /** Surveys whose group has grown since it was last read. */
  readonly #stale = new Set<string>();
  readonly #deaf: () => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#deaf = storage.listen('group', (survey) => {
      for (const one of survey === '' ? this.#groups.keys() : [survey]) this.#stale.add(one);
    });
  }

  async group(survey: string): Promise<Group> {
    const known = this.#groups.get(survey);
    if (known !== undefined && !this.#stale.has(survey)) return known;
    this.#stale.delete(survey);
    const { groupId } = await surveyRow(this.#storage, survey);
    const rows = await this.#storage.all<[string]>(
      'SELECT commitment FROM members WHERE group_id = ? AND position >= ? ORDER BY position',
      ...[groupId, known?.members.length ?? 0],
    );
    if (known !== undefined && rows.length === 0) return known;
    const members = [...(known?.members ?? []), ...rows.map(([commitment]) => commitment)];
    const group = { groupId: String(groupId), members };
    // Another reading may have come further meanwhile.
    const latest = this.#groups.get(survey);
    if (latest !== undefined && latest.members.length >= members.length) return latest;
    this.#groups.set(survey, group);
    return group;
  }

  join(survey: string, commitment: bigint): Promise<Receipt> {
    const joined = this.#add(survey, commitment);
    this.#last = Promise.allSettled([this.#last, joined]);
    return joined;
  }

  async underWay(): Promise<readonly string[]> {
    return [];
  }

  async final(): Promise<boolean> {
    return true;
  }

  async accountKey(account: string): Promise<AccountKey> {
    return ownKey(account);
  }

  /** In the order of their group ids. */
  async surveys(): Promise<Served[]> {
    const rows = await this.#storage.all<[string, string, number]>(
      'SELECT address, frontier, closed FROM surveys ORDER BY group_id',
    );
    return rows.map(([survey, frontier, closed]) => {
      return { survey, members: readFrontier(frontier).size, closed: closed === 1 };
    });
  }

  add(survey: string): Promise<void> {
    return registerSurveys(this.#storage, [survey]);
  }

  async finish(survey: string): Promise<void> {
    const changed = await this.#storage.run('UPDATE surveys SET closed = 1 WHERE address = ?', survey);
    if (changed === 0) throw unknownSurvey();
  }

  async health(): Promise<Health> {
    return { problem: null, facts: {} };
  }

  async close(): Promise<void> {
    this.#deaf();
    await this.#last;
  }

  /** Joins go one after another: each needs the tree the one before left. */
  async #add(survey: string, commitment: bigint): Promise<Receipt> {
    const leaf = String(commitment);
    const { added, block } = await this.#storage.atomically('surveys', async (rows) => {
      const { groupId, frontier, closed } = await surveyRow(rows, survey);
      if (closed) throw finished();
      const known = 'SELECT 1 FROM members WHERE group_id = ? AND commitment = ?';
      if ((await rows.one(known, groupId, leaf)) !== undefined) throw refusedByContract('0x258a195a');
      const next = await append(frontier, [leaf]);
      await rows.run('INSERT INTO members VALUES (?, ?, ?)', groupId, frontier.size, leaf);
      const text = JSON.stringify({ size: next.size, peaks: next.peaks.map(String) });
      await rows.run('UPDATE surveys SET frontier = ? WHERE group_id = ?', text, groupId);
      const all = await rows.all<[string]>('SELECT frontier FROM surveys');
      const block = all.reduce((sum, [one]) => sum + readFrontier(one).size, 0);
      return {
        block,
        added: { groupId: BigInt(groupId), index: BigInt(frontier.size), commitment, root: rootOf(next) },
      };
    });
    await this.#storage.notify('group', survey);
    return embeddedReceipt(survey, added, block);
  }
}

async function surveyRow(
  rows: Rows,
  survey: string,
): Promise<{ groupId: number; frontier: Frontier; closed: boolean }> {
  const row = await rows.one<[number, string, number]>(
    'SELECT group_id, frontier, closed FROM surveys WHERE address = ?',
    survey,
  );
  if (row === undefined) throw unknownSurvey();
  return { groupId: row[0], frontier: readFrontier(row[1]), closed: row[2] === 1 };
}

function unknownSurvey(): Refused {
  return new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not keep it');
}

/** In the words of the survey contract. */
function finished(): Refused {
  const reason = 'Survey is finished';
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}

function readFrontier(text: string): Frontier {
  const { size, peaks } = JSON.parse(text) as { size: number; peaks: string[] };
  return size === 0 ? noLeaves : { size, peaks: peaks.map(BigInt) };
}

/**
 * A receipt of the shape a chain gives, whose hashes are derived from the join itself.
 * @param block counts the joins of the file: the place of a block number
 */
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
    logsBloom: bloom([embeddedSemaphore, ...topics]),
    status: 1,
    to: survey,
  };
}

/** The 2048-bit filter of a log's address and topics (yellow paper, 4.3.1). */
function bloom(entries: readonly string[]): string {
  let bits = 0n;
  for (const entry of entries) {
    const hash = keccak256(entry);
    for (const at of [2, 6, 10]) bits |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) & 2047n);
  }
  return `0x${bits.toString(16).padStart(512, '0')}`;
}
