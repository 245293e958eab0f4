/** Groups in a file of our own, for a survey without a chain. */
import { keccak256 } from 'ethers/crypto';
import { append, type Frontier, noLeaves, rootOf } from '../group/group.js';
import { type Added, encodeAdded } from '../protocol/events.js';
import { Refused, refusedByContract } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Group, GroupStore } from './group-store.js';
import type { Sqlite } from './sqlite.js';

/** Stands in the log where a Semaphore contract's address would: no contract has it. */
export const embeddedSemaphore = '0x00000000000000000000000000000000000e3bed';

/**
 * Gives each survey the next group id, from 0, unless it has one already.
 * @param surveys checksummed addresses
 */
export function registerSurveys(file: Sqlite, surveys: readonly string[]): void {
  for (const survey of surveys) {
    file.run(
      `INSERT INTO surveys SELECT COUNT(*), ?, '{"size":0,"peaks":[]}' FROM surveys WHERE true
       ON CONFLICT (address) DO NOTHING`,
      survey,
    );
  }
}

/** The surveys a file serves, in the order of their group ids. */
export function registeredSurveys(file: Sqlite): string[] {
  return file.all<[string]>('SELECT address FROM surveys ORDER BY group_id').map(([address]) => address);
}

export class EmbeddedStore implements GroupStore {
  readonly kind = 'embedded';
  readonly chainId = null;
  readonly #file: Sqlite;
  readonly #groups = new Map<string, Group>();
  /** Joins go one after another: each needs the tree the one before left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: Sqlite) {
    this.#file = file;
  }

  async group(survey: string): Promise<Group> {
    const known = this.#groups.get(survey);
    if (known !== undefined) return known;
    const [groupId] = this.#survey(survey);
    const rows = this.#file.all<[string]>(
      'SELECT commitment FROM members WHERE group_id = ? ORDER BY position',
      groupId,
    );
    const group = { groupId: String(groupId), members: rows.map(([commitment]) => commitment) };
    this.#groups.set(survey, group);
    return group;
  }

  join(survey: string, commitment: bigint): Promise<Receipt> {
    const joined = this.#last.then(() => this.#add(survey, commitment));
    this.#last = joined.catch(() => undefined);
    return joined;
  }

  async clientError(): Promise<string | null> {
    return null;
  }

  async close(): Promise<void> {
    await this.#last;
  }

  async #add(survey: string, commitment: bigint): Promise<Receipt> {
    const [groupId, before] = this.#survey(survey);
    const leaf = String(commitment);
    const known = 'SELECT 1 FROM members WHERE group_id = ? AND commitment = ?';
    if (this.#file.one(known, groupId, leaf) !== undefined) throw refusedByContract('0x258a195a');
    const frontier = await append(before, [leaf]);
    const block = this.#file.atomically(() => {
      this.#file.run('INSERT INTO members VALUES (?, ?, ?)', groupId, before.size, leaf);
      const text = JSON.stringify({ size: frontier.size, peaks: frontier.peaks.map(String) });
      this.#file.run('UPDATE surveys SET frontier = ? WHERE group_id = ?', text, groupId);
      return this.#file.one<[number]>("SELECT SUM(frontier ->> '$.size') FROM surveys")?.[0] ?? 0;
    });
    this.#groups.delete(survey);
    const added = {
      groupId: BigInt(groupId),
      index: BigInt(before.size),
      commitment,
      root: rootOf(frontier),
    };
    return embeddedReceipt(survey, added, block);
  }

  #survey(survey: string): [groupId: number, frontier: Frontier] {
    const row = this.#file.one<[number, string]>(
      'SELECT group_id, frontier FROM surveys WHERE address = ?',
      survey,
    );
    if (row === undefined)
      throw new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not keep it');
    const { size, peaks } = JSON.parse(row[1]) as { size: number; peaks: string[] };
    return [row[0], size === 0 ? noLeaves : { size, peaks: peaks.map(BigInt) }];
  }
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
