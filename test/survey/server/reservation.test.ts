/** What becomes of a person's place when the group answers late, not at all, or with a refusal. */
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { ownKey } from '../../../src/survey/protocol/signature.js';
import { joinRoutes } from '../../../src/survey/server/join.js';
import type { Metrics } from '../../../src/survey/server/metrics.js';
import type { Parts } from '../../../src/survey/server/parts.js';
import { faultsOf, Outcomes } from '../../../src/survey/server/tallies.js';
import { joinBody, oncePolicies, userId } from './support.js';

/** Joins at a group that fails so; what was done with the person's place. */
async function placeAfter(failure: Error): Promise<string[]> {
  return (await joining('chain', () => Promise.reject(failure))).done;
}

/** Joins at such a group; the status, and what was done with the person's place, which the store cannot confirm. */
async function joining(kind: 'chain' | 'embedded', join: () => Promise<unknown>) {
  const done: string[] = [];
  const place = (what: string) => async () => void done.push(what);
  const faults = faultsOf(() => undefined);
  const parts = {
    store: { kind, join, final: async () => true },
    verifyToken: async () => userId,
    signatures: {
      chainId: null,
      now: Date.now,
      keyOf: async (account: string) => ownKey(account),
    },
    participants: {
      reserve: async () => ({
        confirm: () => Promise.reject(new Refused('UNAVAILABLE', 'no', 'the store is away')),
        release: place('released'),
        leave: () => void done.push('left'),
      }),
    },
    budgets: null,
    faults,
    outcomes: new Outcomes(),
    counts: { add: () => undefined },
    policies: oncePolicies,
    limits: { perMinute: 0 },
  } as unknown as Parts;
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  joinRoutes(app, parts, {} as Metrics);
  const { statusCode } = await app.inject({ method: 'POST', url: '/api/group/join', payload: joinBody('7') });
  return { statusCode, done, errors: faults.counts() };
}

test.each([
  [
    'a transaction that was not seen mined in time',
    new Refused('TIMEOUT', 'late', 'not mined yet'),
    ['left'],
  ],
  ['a refusal', new Refused('CALL_EXCEPTION', 'no', 'already a member'), ['released']],
  [
    'a refusal by a transaction, which may not have been the only one',
    new Refused('CALL_EXCEPTION', 'nothing was joined', 'reverted', { transactionHash: '0x1' }),
    ['left'],
  ],
  ['a failure of the store itself', new Error('the disk is full'), ['left']],
])('after %s', async (_name, failure, done) => {
  expect(await placeAfter(failure)).toEqual(done);
});

test('a join that was made counts, though its place cannot be confirmed, and is never given up', async () => {
  const ended = await joining('embedded', async () => ({}));
  expect(ended).toMatchObject({ statusCode: 200, done: [] });
  expect(ended.errors).toEqual([{ event: 'reservation error', code: 'UNAVAILABLE', count: 1 }]);
});
