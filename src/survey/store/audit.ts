/** The trail of what admins and servers changed: entries are only added. */
import type { Rows } from './storage.js';

export interface AuditEntry {
  readonly entry: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: string;
  /** Null: the action is about the whole store. */
  readonly survey: string | null;
  /** The system's user that ran the command, as it said; null: a server. */
  readonly actor: string | null;
  /** What changed. Never a user's id. */
  readonly detail: object;
}

export const auditLock = 'audit';

/** Adds an entry, within a transaction under `auditLock`. */
export async function record(rows: Rows, entry: Omit<AuditEntry, 'entry'>): Promise<void> {
  const { at, action, survey, actor, detail } = entry;
  const [last] = (await rows.one<[number | null]>('SELECT MAX(entry) FROM audit')) ?? [];
  await rows.run(
    'INSERT INTO audit (entry, at, action, survey, actor, detail) VALUES (?, ?, ?, ?, ?, ?)',
    ...[(last ?? 0) + 1, at, action, survey, actor, JSON.stringify(detail)],
  );
}

export async function auditTrail(rows: Rows, survey: string | null): Promise<AuditEntry[]> {
  type Columns = [number, number, string, string | null, string | null, string];
  const where = survey === null ? '' : 'WHERE survey = ? ';
  const found = await rows.all<Columns>(
    `SELECT entry, at, action, survey, actor, detail FROM audit ${where}ORDER BY entry`,
    ...(survey === null ? [] : [survey]),
  );
  return found.map(([entry, at, action, of, actor, detail]) => ({
    ...{ entry, at, action, survey: of, actor, detail: JSON.parse(detail) as object },
  }));
}
