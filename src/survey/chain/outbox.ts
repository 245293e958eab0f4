/** Transactions in the store, from queued until they are final or withdrawn: a crash loses none. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type RefusalFacts, Refused } from '../protocol/refused.js';
import { type Backlog, type Held, joining } from '../store/group-store.js';
import { joinLock, type Rows, type Storage } from '../store/storage.js';
import type { GasRange } from './fees.js';

export interface ChainCall {
  readonly to: string;
  readonly data: string;
  readonly gas: GasRange;
  readonly commitment: string;
  readonly held?: Held | undefined;
}

/** Digits of the time at the start of an id, in base 36. */
const timeDigits = 9;

/** Commitments of a survey that may still become members, of any manager. */
export async function queuedCommitments(rows: Rows, survey: string): Promise<string[]> {
  const sql = "SELECT commitment FROM transactions WHERE survey = ? AND state IN ('queued', 'sent')";
  return (await rows.all<[string]>(sql, survey)).map(([commitment]) => commitment);
}

export class Outbox {
  readonly #storage: Storage;
  readonly #manager: string;
  #count = 0;

  constructor(storage: Storage, manager: string) {
    this.#storage = storage;
    this.#manager = manager;
  }

  /** Queues a call; resolves with its id. Ids sort by time. @throws {Refused} when the reservation was lost */
  async add({ to, data, gas, commitment, held }: ChainCall): Promise<string> {
    this.#count += 1;
    const order = `${Date.now().toString(36).padStart(timeDigits, '0')}${this.#count.toString(36).padStart(6, '0')}`;
    const id = `${order} ${randomUUID()}`;
    const call = JSON.stringify({ data, wanted: String(gas.wanted), needed: String(gas.needed) });
    const row = [id, this.#manager, to, commitment, call];
    const sql = `INSERT INTO transactions (id, manager, survey, commitment, call, state) VALUES (?, ?, ?, ?, ?, 'queued')`;
    const insert = (rows: Rows) => rows.run(sql, ...row);
    if (held === undefined) await insert(this.#storage);
    else {
      await this.#storage.atomically(joinLock, async (rows) => {
        if (!(await held(rows))) throw joining();
        await insert(rows);
      });
    }
    await this.notify(id);
    return id;
  }

  async find(id: string): Promise<Entry | null> {
    const row = await this.#storage.one<Columns>(`SELECT ${columns} FROM transactions WHERE id = ?`, id);
    return row === undefined ? null : entry(row);
  }

  async queued(): Promise<(ChainCall & { id: string })[]> {
    const rows = await this.#storage.all<[string, string, string, string]>(
      `SELECT id, survey, commitment, call FROM transactions WHERE manager = ? AND state = 'queued' ORDER BY id`,
      this.#manager,
    );
    return rows.map(([id, to, commitment, text]) => {
      const call = JSON.parse(text) as { data: string; wanted: string; needed: string };
      const gas = { wanted: BigInt(call.wanted), needed: BigInt(call.needed) };
      return { id, to, commitment, data: call.data, gas };
    });
  }

  /** Sent transactions that are not final, by nonce. */
  async sent(): Promise<Kept[]> {
    const rows = await this.#storage.all<Columns>(
      `SELECT ${columns} FROM transactions WHERE manager = ? AND state = 'sent' ORDER BY nonce`,
      this.#manager,
    );
    return rows.map(entry).filter((one) => one.state === 'sent');
  }

  readonly commitments = (survey: string) => queuedCommitments(this.#storage, survey);

  async count(): Promise<number> {
    const { queued, sent } = await this.backlog();
    return queued + sent;
  }

  async backlog(): Promise<Backlog> {
    const rows = await this.#storage.all<[string, number, string, number | null]>(
      `SELECT state, COUNT(*), MIN(id), MIN(CASE WHEN mined IS NULL THEN sent END) FROM transactions
       WHERE manager = ? GROUP BY state`,
      this.#manager,
    );
    const [queued, sent] = ['queued', 'sent'].map((name) => rows.find(([state]) => state === name));
    const since = queued === undefined ? null : Number.parseInt(queued[2].slice(0, timeDigits), 36);
    return {
      queued: Number(queued?.[1] ?? 0),
      sent: Number(sent?.[1] ?? 0),
      oldestSeconds: secondsSince(since),
      unminedSeconds: secondsSince(sent?.[3] ?? null),
    };
  }

  async has(hash: string): Promise<boolean> {
    const sql =
      "SELECT 1 FROM transactions WHERE manager = ? AND state = 'sent' AND (hash = ? OR earlier LIKE ?)";
    return (await this.#storage.one(sql, this.#manager, hash, `%${hash}%`)) !== undefined;
  }

  /** queued → sent; false when it was withdrawn. */
  async markSent(id: string, { nonce, raw, hash, gas }: NewlySigned): Promise<boolean> {
    const sql = `UPDATE transactions SET state = 'sent', nonce = ?, raw = ?, hash = ?, reason = ?, sent = ?, mined = NULL
                 WHERE id = ?`;
    return (await this.#storage.run(sql, nonce, raw, hash, String(gas), Date.now(), id)) > 0;
  }

  /** A transaction that replaces another with its nonce: either may be mined. */
  async replace(before: Kept, { raw, hash, gas }: NewlySigned): Promise<void> {
    const earlier = [...before.earlier, before.hash].join();
    const sql =
      'UPDATE transactions SET raw = ?, hash = ?, reason = ?, earlier = ? WHERE id = ? AND hash = ?';
    await this.#storage.run(sql, raw, hash, String(gas), earlier, before.id, before.hash);
  }

  /** @param block of its receipt; null if it has none, or no longer */
  async markMined(id: string, block: number | null): Promise<void> {
    await this.#storage.run('UPDATE transactions SET mined = ? WHERE id = ?', block, id);
    await this.notify(id);
  }

  /** sent → final: kept for a while, since a deep reorganisation may still remove it. */
  async settle(id: string): Promise<void> {
    await this.#storage.run("UPDATE transactions SET state = 'final' WHERE id = ?", id);
    await this.notify(id);
  }

  /** The highest nonce of the final transactions; null if there are none. Drops those mined before the block. */
  async lastFinal(before: number): Promise<number | null> {
    const ours = "FROM transactions WHERE manager = ? AND state = 'final'";
    await this.#storage.run(`DELETE ${ours} AND mined < ?`, this.#manager, before);
    return (
      (await this.#storage.one<[number | null]>(`SELECT MAX(nonce) ${ours}`, this.#manager))?.[0] ?? null
    );
  }

  /** final → sent, from the nonce on: the chain no longer has them. */
  async revive(nonce: number): Promise<void> {
    const sql = `UPDATE transactions SET state = 'sent', mined = NULL WHERE manager = ? AND state = 'final' AND nonce >= ?`;
    await this.#storage.run(sql, this.#manager, nonce);
  }

  /** sent → queued, after its nonce was taken, unless it was signed anew since. */
  async requeue(id: string, hash: string): Promise<void> {
    const sql =
      "UPDATE transactions SET state = 'queued', hash = NULL, earlier = NULL WHERE id = ? AND hash = ?";
    await this.#storage.run(sql, id, hash);
    await this.notify(id);
  }

  /** queued → refused, until the sender reads the refusal. */
  async refuse(id: string, refused: Refused): Promise<void> {
    const { code, message, reason, facts } = refused;
    const sql = "UPDATE transactions SET state = 'refused', reason = ? WHERE id = ?";
    await this.#storage.run(sql, JSON.stringify({ code, message, reason, facts }), id);
    await this.notify(id);
  }

  /** Removes a call that was never sent; false when it was sent. */
  async withdraw(id: string): Promise<boolean> {
    const sql = "DELETE FROM transactions WHERE id = ? AND state <> 'sent'";
    return (await this.#storage.run(sql, id)) > 0;
  }

  async remove(id: string): Promise<void> {
    await this.#storage.run('DELETE FROM transactions WHERE id = ?', id);
    await this.notify(id);
  }

  /** Best effort: listeners also poll. A transaction that was sent must not fail for want of a notification. */
  async notify(id: string): Promise<void> {
    await this.#storage.notify('transaction', `${this.#manager} ${id}`).catch(() => undefined);
  }

  /** Resolves on a change of any of these transactions, or of the one with the id, or after `ms` milliseconds. */
  change(ms: number, { id, signal }: { id?: string; signal?: AbortSignal } = {}): Promise<void> {
    const about = id === undefined ? this.#manager : `${this.#manager} ${id}`;
    if (signal !== undefined) setMaxListeners(0, signal);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        unlisten();
        resolve();
      };
      const timer = setTimeout(done, ms);
      const unlisten = this.#storage.listen('transaction', (text) => {
        if (text === '' || text.startsWith(about)) done();
      });
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}

/** A signed transaction; recorded before it is sent to a node. */
export interface NewlySigned {
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly gas: bigint;
}

export interface Signed extends NewlySigned {
  readonly earlier: readonly string[];
  /** When the first of them was sent, milliseconds since 1970. */
  readonly sentAt: number;
  /** The block with it, when it was last checked; null if there is none. */
  readonly minedIn: number | null;
}

export type Kept = Signed & { readonly id: string };

export type Entry = { readonly id: string } & (
  | { readonly state: 'queued' }
  | ({ readonly state: 'sent' } & Signed)
  | { readonly state: 'refused'; readonly refused: Refused }
);

type Text = string | null;
type Count = number | null;
/** The values of `columns`, in their order. */
type Columns = [string, string, Count, Text, Text, Text, Text, Count, Count];
const columns = 'id, state, nonce, raw, hash, reason, earlier, sent, mined';

function secondsSince(at: number | null): number | null {
  return at === null ? null : Math.max(0, Math.round((Date.now() - at) / 1000));
}

function entry([id, state, nonce, raw, hash, text, replaced, sentAt, minedIn]: Columns): Entry {
  if (state === 'sent' || state === 'final') {
    const signed = { nonce: nonce ?? 0, raw: raw ?? '', hash: hash ?? '', gas: BigInt(text ?? '0') };
    const earlier = replaced?.split(',') ?? [];
    return { id, state: 'sent', ...signed, earlier, sentAt: sentAt ?? 0, minedIn };
  }
  if (state === 'queued') return { id, state };
  const { code, message, reason, facts } = JSON.parse(text ?? '{}') as Record<string, string> & {
    facts: RefusalFacts;
  };
  return { id, state: 'refused', refused: new Refused(code ?? '', message ?? '', reason ?? '', facts) };
}
