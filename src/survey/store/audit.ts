/** The trail of what admins and servers changed: entries are only added. */
import type { Rows, Transaction } from './storage.js';

export interface AuditEntry {
  readonly entry: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: string;
  /** Null: the action is about the whole store. */
  readonly survey: string | null;
  /** The system's user that ran the command, as it said; null for a server. */
  readonly actor: string | null;
  /** What changed. Never a user's id. */
  readonly detail: object;
}

/** Keyed hashes of an erased user: of the record, of the mark that keeps the user away, and on the allowlist. */
export type Persons = readonly [record: string, mark: string, allowed: string];

export const auditLock = 'audit';

const columns = 'entry, at, action, survey, actor, detail, persons';

export type Recorded = Omit<AuditEntry, 'entry'> & { readonly persons?: Persons | null };

/** Adds an entry, within a transaction under `auditLock`. @param after entries elsewhere that it follows */
export async function record(rows: Transaction, recorded: Recorded, after = 0): Promise<void> {
  const { at, action, survey, actor, detail, persons = null } = recorded;
  const [last] = (await rows.one<[number | null]>('SELECT MAX(entry) FROM audit')) ?? [];
  const hashes = persons === null ? null : JSON.stringify(persons);
  const row = [Math.max(last ?? 0, after) + 1, at, action, survey, actor, JSON.stringify(detail), hashes];
  await rows.run(`INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...row);
  await rows.notify('decision', action);
}

/** The entries that meet a condition, with the hashes of erased users. */
export async function entriesWhere(rows: Rows, condition: string, ...values: readonly unknown[]) {
  type Text = string | null;
  const found = await rows.all<[number, number, string, Text, Text, string, Text]>(
    `SELECT ${columns} FROM audit WHERE ${condition} ORDER BY entry`,
    ...values,
  );
  return found.map(([entry, at, action, survey, actor, text, hashes]) => {
    const persons = hashes === null ? null : (JSON.parse(hashes) as Persons);
    return { entry, at, action, survey, actor, detail: JSON.parse(text) as object, persons };
  });
}

/** Without hashes. @param survey null: of all */
export async function auditTrail(rows: Rows, survey: string | null): Promise<AuditEntry[]> {
  const found = await (survey === null
    ? entriesWhere(rows, 'true')
    : entriesWhere(rows, 'survey = ?', survey));
  return found.map(({ persons: _, ...entry }) => entry);
}
