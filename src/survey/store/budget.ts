/** Limits on the joins that a manager pays for, by survey and by user. */
import { Refused } from '../protocol/refused.js';
import { digestOf, personOf, type Secret } from './schema.js';
import type { Storage } from './storage.js';

/** Transactions over the life of the store; 0 for no limit. */
export interface Budget {
  readonly perSurvey: number;
  readonly perUser: number;
}

export type Budgets = ReturnType<typeof joinBudgets>;

export function joinBudgets(storage: Storage, secret: Secret, { perSurvey, perUser }: Budget) {
  return {
    /** Counts one join; returns how to undo it, if it was never sent. @throws {Refused} when no joins are left */
    async spend(survey: string, userId: string): Promise<() => Promise<void>> {
      const hash = digestOf(`budget\n${userId}`);
      const purses = [
        { purse: `survey ${survey}`, max: perSurvey, reason: 'this survey has used its budget' },
        { purse: personOf(secret, hash), max: perUser, reason: 'this user has used their budget' },
      ].filter(({ max }) => max > 0);
      await storage.atomically('budgets', async (rows) => {
        for (const { purse, max, reason } of purses) {
          await rows.run('INSERT INTO budgets VALUES (?, 0) ON CONFLICT (purse) DO NOTHING', purse);
          const sql = 'UPDATE budgets SET used = used + 1 WHERE purse = ? AND used < ?';
          const taken = await rows.run(sql, purse, max);
          if (taken === 0) throw new Refused('BUDGET_SPENT', 'the operator pays for no more joins', reason);
        }
      });
      return async () => {
        for (const { purse } of purses)
          await storage.run('UPDATE budgets SET used = used - 1 WHERE purse = ?', purse);
      };
    },
  };
}
