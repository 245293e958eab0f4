/** What each survey allows. It is part of the store, so that it holds on every server that shares the store. */
import { Refused } from '../protocol/refused.js';
import { auditLock, record } from './audit.js';
import { digestOf, personOf, type Secret } from './schema.js';
import { insertAll, type Rows, type Storage } from './storage.js';

export const policySchemes = ['any', 'eip712'] as const;

export interface Policy {
  readonly onePerUser: boolean;
  /** eip712: only signatures that bind survey, commitment and expiry. */
  readonly scheme: (typeof policySchemes)[number];
  /** Milliseconds since 1970; null if it is open until an admin closes it. */
  readonly closesAt: number | null;
  /** Null: no limit. */
  readonly maxMembers: number | null;
  /** Whether only the users and accounts of the survey's list may join. */
  readonly allowlist: boolean;
}

/** What a server's options decide for a survey without a policy. */
export type PolicyDefaults = Pick<Policy, 'onePerUser' | 'scheme'>;

type Columns = [survey: string, one: number, scheme: string, closes: number | null, ...rest: Rest];
type Rest = [max: number | null, allowlist: number, chosen: number];
const columns = 'survey, one_per_user, scheme, closes, max_members, allowlist, chosen';
const insertion = `INSERT INTO policies (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`;

export class Policies {
  readonly #storage: Storage;
  readonly #secret: Secret;
  readonly defaults: Policy;

  /** @param secret key of the hashes of the allowlist */
  constructor(storage: Storage, secret: Secret, { onePerUser, scheme }: PolicyDefaults) {
    this.#storage = storage;
    this.#secret = secret;
    this.defaults = { onePerUser, scheme, closesAt: null, maxMembers: null, allowlist: false };
  }

  /** Null: the store has none yet, and the defaults hold. */
  async of(survey: string, rows: Rows = this.#storage): Promise<Policy | null> {
    const row = await rows.one<Columns>(`SELECT ${columns} FROM policies WHERE survey = ?`, survey);
    return row === undefined ? null : policy(row);
  }

  /** Stores the defaults for surveys without a policy. Where users are recorded already, they may join once only. */
  async adopt(surveys: readonly string[], at: number): Promise<void> {
    await this.#storage.atomically(auditLock, async (rows) => {
      for (const survey of surveys) {
        const recorded = await rows.one('SELECT 1 FROM participants WHERE survey = ?', survey);
        const adopted = { ...this.defaults, onePerUser: this.defaults.onePerUser || recorded !== undefined };
        const sql = `${insertion} ON CONFLICT (survey) DO NOTHING`;
        const added = await rows.run(sql, ...values(survey, adopted, false));
        if (added > 0) await record(rows, { at, action: 'policy', survey, actor: null, detail: adopted });
      }
    });
  }

  /** Stores the defaults for all surveys of the store that have no policy. */
  async adoptAll(at: number, named: readonly string[] = []): Promise<void> {
    const sources = ['address FROM surveys', 'survey FROM chain_surveys', 'survey FROM participants'];
    const kept = await this.#storage.all<[string]>(sources.map((one) => `SELECT ${one}`).join(' UNION '));
    const missing: string[] = [];
    for (const survey of new Set([...named, ...kept.map(([survey]) => survey)]))
      if ((await this.of(survey)) === null) missing.push(survey);
    if (missing.length > 0) await this.adopt(missing, at);
  }

  /** Changes a policy, which from then on does not follow a server's options. */
  async set(survey: string, change: Partial<Policy>): Promise<{ before: Policy; after: Policy }> {
    return this.#storage.atomically(auditLock, async (rows) => {
      const before = (await this.of(survey, rows)) ?? this.defaults;
      const after = { ...before, ...change };
      await storePolicy(rows, survey, after);
      return { before, after };
    });
  }

  /** Surveys that these options would weaken, among those whose policy follows from options. */
  weakened() {
    return this.#differing('WHERE chosen = 0', (stored) => differences(stored, this.defaults));
  }

  /** Surveys that allow what these options would not. */
  laxer() {
    return this.#differing('', (stored) => differences(this.defaults, stored));
  }

  async #differing(where: string, differ: (stored: Policy) => string[]) {
    const rows = await this.#storage.all<Columns>(`SELECT ${columns} FROM policies ${where} ORDER BY survey`);
    return rows
      .map((row) => ({ survey: row[0], differences: differ(policy(row)) }))
      .filter((one) => one.differences.length > 0);
  }

  /** Replaces the survey's list of users and accounts, of which the store keeps keyed hashes. */
  async allow(survey: string, names: readonly string[]): Promise<void> {
    const persons = names.map((name) => this.allowed(survey, name));
    await this.#storage.atomically(auditLock, async (rows) => {
      await rows.run('DELETE FROM allowed WHERE survey = ?', survey);
      const sorted = [...new Set(persons)].sort().map((one) => [survey, one]);
      await insertAll(rows, 'allowed (survey, person)', sorted);
    });
  }

  /** Whether one of the names, a user's id or an account, is on the survey's list. */
  async isAllowed(survey: string, names: readonly string[]): Promise<boolean> {
    const sql = 'SELECT 1 FROM allowed WHERE survey = ? AND person = ?';
    for (const name of names)
      if ((await this.#storage.one(sql, survey, this.allowed(survey, name))) !== undefined) return true;
    return false;
  }

  /** Takes a name off the list; false if it was not on it. */
  async disallow(survey: string, name: string): Promise<boolean> {
    const sql = 'DELETE FROM allowed WHERE survey = ? AND person = ?';
    return (await this.#storage.run(sql, survey, this.allowed(survey, name))) > 0;
  }

  /** The keyed hash of a name on a list. */
  allowed(survey: string, name: string): string {
    const same = /^0x/i.test(name) ? name.toLowerCase() : name;
    return personOf(this.#secret, digestOf(`allowed\n${survey}\n${same}`));
  }
}

/** @param chosen whether an admin decided it, and not a server's options */
export async function storePolicy(rows: Rows, survey: string, of: Policy, chosen = true): Promise<void> {
  await rows.run('DELETE FROM policies WHERE survey = ?', survey);
  await rows.run(insertion, ...values(survey, of, chosen));
}

/** What the first policy demands and the second does not, in the words of the options. */
function differences(strict: PolicyDefaults, lax: PolicyDefaults): string[] {
  const typed = strict.scheme === 'eip712' && lax.scheme !== 'eip712';
  return [
    strict.onePerUser && !lax.onePerUser ? ['one join per user (--one-per-user)'] : [],
    typed ? ['typed-data signatures (--scheme eip712)'] : [],
  ].flat();
}

function values(survey: string, of: Policy, chosen: boolean): unknown[] {
  const { onePerUser, scheme, closesAt, maxMembers, allowlist } = of;
  return [survey, Number(onePerUser), scheme, closesAt, maxMembers, Number(allowlist), Number(chosen)];
}

function policy([, one, scheme, closesAt, maxMembers, allowlist]: Columns): Policy {
  const flags = { onePerUser: one === 1, allowlist: allowlist === 1 };
  return { ...flags, scheme: scheme === 'eip712' ? 'eip712' : 'any', closesAt, maxMembers };
}

/** The refusal of a survey that has its last member. */
export function full(maxMembers: number): Refused {
  return new Refused('SURVEY_FULL', 'the survey is full', `it takes ${maxMembers} members`);
}
