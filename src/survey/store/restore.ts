/** A restored store and the decisions that it lacks: they are repeated in it, or discarded. */
import { field } from '../../util/json.js';
import { type AuditEntry, auditLock, type Persons, record } from './audit.js';
import { type Decision, placeOf } from './decisions.js';
import { erasePerson } from './participants.js';
import { type Policy, policySchemes, storePolicy } from './policies.js';
import { refuseInUse } from './rotate.js';
import { keysOf, personOf, type Secret } from './schema.js';
import type { Rows, Storage, Transaction } from './storage.js';
import { register } from './survey-rows.js';

/** What became of a decision; `problem`: why it could not be repeated. */
export interface Settled {
  readonly decision: Decision;
  readonly problem: string | null;
}

/** Repeats the decision; returns why it cannot. */
type Repeat = (rows: Rows, survey: string, decision: Decision) => Promise<string | null>;

/** Repeats the decisions in one transaction, or discards all. @throws {Refused} when a server uses the store */
export function settleDecisions(
  storage: Storage,
  lost: readonly Decision[],
  { secret, repeats, ...by }: Pick<AuditEntry, 'at' | 'actor'> & { secret: Secret; repeats: boolean },
): Promise<Settled[]> {
  return storage.atomically(auditLock, async (rows) => {
    if (storage.kind === 'postgres') await refuseInUse(rows, 'the store cannot be restored');
    const settled: Settled[] = [];
    for (const decision of lost) {
      const rotated = { ...decision, persons: rotatedPersons(decision, secret) };
      const problem = repeats ? await repeat(rows, rotated) : null;
      if (repeats && problem === null) await record(rows, rotated, decision.entry - 1);
      settled.push({ decision, problem });
    }
    const isRepeated = ({ problem }: Settled) => repeats && problem === null;
    const places = (of: readonly Settled[]) => of.map(({ decision }) => placeOf(decision));
    const repeated = places(settled.filter(isRepeated));
    const discarded = places(settled.filter((one) => !isRepeated(one)));
    const detail = { repeated, discarded };
    const newest = Math.max(...lost.map(({ entry }) => entry));
    await record(rows, { ...by, action: 'restore', survey: null, detail }, newest);
    return settled;
  });
}

/** The hashes under all keys of the secret; null if there are none, or they need later keys. */
function rotatedPersons({ persons, keys }: Decision, secret: Secret): Persons | null {
  const all = keysOf(secret);
  if (persons === null || keys > all.length) return null;
  const [record, mark, allowed] = persons;
  const again = (hash: string) => personOf(all.slice(keys), hash);
  return [again(record), again(mark), again(allowed)];
}

async function repeat(rows: Transaction, decision: Decision): Promise<string | null> {
  const { action, survey } = decision;
  if (action === 'restore') return null;
  const act = repeats[action];
  if (act === undefined || survey === null) return 'this version does not know the action';
  const problem = await act(rows, survey, decision);
  await rows.notify('group', survey);
  return problem;
}

const repeats: Readonly<Record<string, Repeat>> = {
  close: closing(1),
  open: closing(0),
  /** Of a closed survey: another store may have it. */
  export: closing(1),
  import: async () => 'the survey was imported: import its file again',
  async add(rows, survey, decision) {
    await keep(rows, survey, decision);
    const hasPolicy = field(decision.detail, 'onePerUser') !== undefined;
    return hasPolicy ? decide(rows, survey, decision, decision.detail) : null;
  },
  policy: (rows, survey, decision) => decide(rows, survey, decision, decision.detail),
  set: (rows, survey, decision) => decide(rows, survey, decision, field(decision.detail, 'after')),
  async forget(rows, survey, { detail, persons }) {
    if (persons === null)
      return 'the hashes of the user are missing here: import the survey again, or use the secret from then';
    const [record, mark, allowed] = persons;
    const [mayRejoin, wasRecorded] = ['mayRejoin', 'wasRecorded'].map((name) => field(detail, name) === true);
    await erasePerson(rows, survey, [record, mark], { mayRejoin, wasRecorded });
    const sql = 'DELETE FROM allowed WHERE survey = ? AND person = ?';
    if (mayRejoin !== true) await rows.run(sql, survey, allowed);
    return null;
  },
};

function closing(closed: 0 | 1): Repeat {
  return async (rows, survey, decision) => {
    const { table, column } = await keep(rows, survey, decision);
    await rows.run(`UPDATE ${table} SET closed = ? WHERE ${column} = ?`, closed, survey);
    return null;
  };
}

/** Adds the survey if the store does not have it. */
async function keep(rows: Rows, survey: string, { detail }: Decision) {
  const chain = field(detail, 'chain');
  if (typeof chain !== 'number') {
    await register(rows, survey);
    return { table: 'surveys', column: 'address' };
  }
  const sql = 'INSERT INTO chain_surveys VALUES (?, ?, 0) ON CONFLICT (chain, survey) DO NOTHING';
  await rows.run(sql, chain, survey);
  return { table: 'chain_surveys', column: 'survey' };
}

/** Repeats a change of policy. No file has the names of an allowlist, so the list is empty until an admin gives them again. */
async function decide(rows: Rows, survey: string, { action, detail }: Decision, policy: unknown) {
  if (!isPolicy(policy)) return 'its policy cannot be read';
  await storePolicy(rows, survey, policy, action !== 'policy');
  if (field(detail, 'listed') !== undefined) await rows.run('DELETE FROM allowed WHERE survey = ?', survey);
  return null;
}

function isPolicy(of: unknown): of is Policy {
  const isLimit = (name: string) => field(of, name) === null || Number.isSafeInteger(field(of, name));
  return (
    policySchemes.some((one) => one === field(of, 'scheme')) &&
    ['closesAt', 'maxMembers'].every(isLimit) &&
    ['onePerUser', 'allowlist'].every((name) => typeof field(of, name) === 'boolean')
  );
}
