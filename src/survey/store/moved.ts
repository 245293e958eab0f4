/** A survey as a document: moved to another store, it keeps its joins and its limits. */
import { append, type Frontier, noLeaves } from '../group/group.js';
import { Refused } from '../protocol/refused.js';
import { type AuditEntry, auditTrail, record } from './audit.js';
import { countsOf, type HourCount } from './join-counts.js';
import { type Policies, type Policy, storePolicy } from './policies.js';
import { insertAll, joinLock, type Rows, type Storage, settingOf, type Transaction } from './storage.js';
import { frontierText, surveyRows, unknownSurvey } from './survey-rows.js';

const schema = 'kaiactl/survey-1';

/** Persons are keyed hashes: they mean nothing without the participants' secret of the store. */
export interface SurveyDocument {
  readonly schema: typeof schema;
  readonly survey: string;
  /** Null: the group is in the store. */
  readonly chain: number | null;
  readonly groupId: string;
  /** Decimal, in leaf order. */
  readonly members: readonly string[];
  /** The last hash of each full subtree; null on a chain. */
  readonly peaks: readonly string[] | null;
  readonly closed: boolean;
  readonly policy: Policy;
  /** A value that shows whether another store has the same participants' secret. */
  readonly secretCheck: string;
  readonly participants: readonly (readonly [person: string, claim: string | null])[];
  readonly allowed: readonly string[];
  readonly forgotten: readonly string[];
  readonly budgets: readonly (readonly [purse: string, used: number])[];
  readonly counts: readonly HourCount[];
  readonly audit: readonly AuditEntry[];
}

/**
 * Reads the survey under the lock of joins. Rows are sorted by their hashes: the document does not show the order of joins
 * beyond that of the members.
 * @param onChain its group, if that is not in the store
 */
export function exportSurvey(
  storage: Storage,
  policies: Policies,
  survey: string,
  onChain: Pick<SurveyDocument, 'chain' | 'groupId' | 'members'> | null,
): Promise<SurveyDocument> {
  return storage.atomically(joinLock, async (rows) => {
    const persons = async (table: string) =>
      (await rows.all<[string]>(`SELECT person FROM ${table} WHERE survey = ? ORDER BY person`, survey)).map(
        ([person]) => person,
      );
    const closing = onChain === null ? 'surveys WHERE address' : 'chain_surveys WHERE survey';
    const [closed] = (await rows.one<[number]>(`SELECT closed FROM ${closing} = ?`, survey)) ?? [0];
    return {
      schema,
      survey,
      ...(onChain === null ? await groupOf(rows, survey) : { ...onChain, peaks: null }),
      closed: closed === 1,
      policy: (await policies.of(survey, rows)) ?? policies.defaults,
      secretCheck: await settingOf(rows, 'secret'),
      participants: await rows.all<[string, string | null]>(
        'SELECT person, claim FROM participants WHERE survey = ? ORDER BY person',
        survey,
      ),
      allowed: await persons('allowed'),
      forgotten: await persons('forgotten'),
      budgets: await rows.all<[string, number]>(
        "SELECT purse, used FROM budgets WHERE purse = ? OR purse NOT LIKE 'survey %' ORDER BY purse",
        `survey ${survey}`,
      ),
      counts: await countsOf(rows, survey),
      audit: await auditTrail(rows, survey),
    };
  });
}

async function groupOf(rows: Rows, survey: string) {
  const row = (await surveyRows(rows)).get(survey);
  if (row === undefined) throw unknownSurvey();
  const sql = 'SELECT commitment FROM members WHERE group_id = ? ORDER BY position';
  const members = (await rows.all<[string]>(sql, row.groupId)).map(([commitment]) => commitment);
  return { chain: null, groupId: String(row.groupId), members, peaks: row.frontier.peaks.map(String) };
}

/** @throws {Refused} when the document is damaged, the store has another secret, or it keeps the survey already */
export async function importSurvey(storage: Storage, document: SurveyDocument): Promise<{ groupId: string }> {
  const { survey, chain, participants, policy, closed } = readable(document);
  if ((await settingOf(storage, 'secret')) !== document.secretCheck)
    throw refuse('the participants’ secret of this store is another: start it with that of the first store');
  // Takes longest, and runs outside of the transaction.
  const frontier = chain === null ? frontierOf(document.members) : noLeaves;
  if (chain === null && frontier.peaks.map(String).join() !== document.peaks?.join())
    throw refuse('its members do not have its root: it is damaged');
  return storage.atomically(joinLock, async (rows) => {
    await refuseKept(rows, survey);
    const groupId = chain === null ? await addGroup(rows, document, frontier) : document.groupId;
    if (chain !== null) {
      const sql = 'INSERT INTO chain_surveys VALUES (?, ?, ?) ON CONFLICT (chain, survey) DO NOTHING';
      await rows.run(sql, chain, survey, closed ? 1 : 0);
    }
    const records = participants.map(([person, claim]) => [survey, person, claim]);
    await insertAll(rows, 'participants (survey, person, claim)', records);
    await storePolicy(rows, survey, policy);
    for (const table of ['allowed', 'forgotten'] as const) {
      await rows.run(`DELETE FROM ${table} WHERE survey = ?`, survey);
      const persons = document[table].map((one) => [survey, one]);
      await insertAll(rows, `${table} (survey, person)`, persons);
    }
    await addUsage(rows, document);
    await rows.notify('group', survey);
    return { groupId };
  });
}

/** @throws {Refused} when it is no document of this version */
function readable(document: SurveyDocument): SurveyDocument {
  const lists = ['members', 'participants', 'allowed', 'forgotten', 'budgets', 'counts', 'audit'] as const;
  if (document?.schema !== schema)
    throw refuse('it is not a survey that “survey admin export” wrote as JSON');
  if (lists.every((name) => Array.isArray(document[name]))) return document;
  throw refuse('it is incomplete');
}

async function refuseKept(rows: Rows, survey: string): Promise<void> {
  const kept = await rows.one(
    `SELECT 1 FROM members JOIN surveys ON surveys.group_id = members.group_id WHERE address = ?
     UNION SELECT 1 FROM participants WHERE survey = ?`,
    survey,
    survey,
  );
  if (kept !== undefined) throw refuse('this store keeps joins of it already');
}

/** Adds the group, with its own id if that is free. */
async function addGroup(rows: Transaction, document: SurveyDocument, frontier: Frontier): Promise<string> {
  const { survey, members, closed } = document;
  await rows.run('DELETE FROM surveys WHERE address = ?', survey);
  const wanted = Number(document.groupId);
  const isTaken = (await rows.one('SELECT 1 FROM surveys WHERE group_id = ?', wanted)) !== undefined;
  const [next] = (await rows.one<[number]>('SELECT COALESCE(MAX(group_id) + 1, 0) FROM surveys')) ?? [0];
  const groupId = isTaken ? next : wanted;
  const sql = 'INSERT INTO surveys (group_id, address, frontier, closed) VALUES (?, ?, ?, ?)';
  await rows.run(sql, groupId, survey, frontierText(frontier), closed ? 1 : 0);
  const leaves = members.map((commitment, at) => [groupId, at, commitment]);
  await insertAll(rows, 'members (group_id, position, commitment)', leaves);
  return String(groupId);
}

/** Budgets, counts and trail. A budget is never larger than in one of the two stores. */
async function addUsage(
  rows: Transaction,
  { survey, budgets, counts, audit }: SurveyDocument,
): Promise<void> {
  for (const [purse, used] of budgets) {
    await rows.run('INSERT INTO budgets VALUES (?, 0) ON CONFLICT (purse) DO NOTHING', purse);
    await rows.run('UPDATE budgets SET used = ? WHERE purse = ? AND used < ?', used, purse, used);
  }
  await rows.run('DELETE FROM join_counts WHERE survey = ?', survey);
  const hours = counts.map(({ hour, outcome, count }) => [survey, hour, outcome, count]);
  await insertAll(rows, 'join_counts (survey, hour, outcome, count)', hours);
  for (const { at, action, actor, detail } of audit)
    await record(rows, { at, action, survey, actor, detail });
}

function frontierOf(members: readonly string[]): Frontier {
  try {
    return members.reduce((frontier, member) => append(frontier, BigInt(member)), noLeaves);
  } catch {
    throw refuse('a member is no commitment');
  }
}

function refuse(reason: string): Refused {
  return new Refused('INVALID_ARGUMENT', 'the survey cannot be imported', reason);
}
