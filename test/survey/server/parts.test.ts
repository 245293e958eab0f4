/** Parts of the server, each by itself: answers, logs and stored data. */

import type { Socket } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { feeRetryAfter, Refused } from '../../../src/survey/protocol/refused.js';
import { ownKey } from '../../../src/survey/protocol/signature.js';
import type { StoreRequest } from '../../../src/survey/protocol/wire.js';
import { answerMalformed, refusedBy } from '../../../src/survey/server/failures.js';
import { joinRoutes } from '../../../src/survey/server/join.js';
import { addMetrics, type Metrics } from '../../../src/survey/server/metrics.js';
import { operationsRoutes } from '../../../src/survey/server/operations.js';
import { readOrder } from '../../../src/survey/server/order.js';
import type { Parts } from '../../../src/survey/server/parts.js';
import { Payments } from '../../../src/survey/server/payments.js';
import { Rendering } from '../../../src/survey/server/rendering.js';
import { sendJson } from '../../../src/survey/server/route.js';
import { sandboxUser, startSandbox } from '../../../src/survey/server/sandbox.js';
import { faultsOf, Outcomes } from '../../../src/survey/server/tallies.js';
import { tokenVerifier } from '../../../src/survey/server/tokens.js';
import type { Traces } from '../../../src/survey/store/group-store.js';
import type { Reservation } from '../../../src/survey/store/participants.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import {
  inner,
  joinBody,
  oncePolicies,
  platform,
  request,
  settings,
  started,
  stub,
  survey,
  userId,
} from './support.js';

describe('a join on its way', () => {
  /** Joins at a store that does so; what was done with budget and place, and what was asked of the group. */
  async function joining(join: () => Promise<unknown>, final = async () => true) {
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    const store = {
      kind: 'chain',
      join,
      final,
      underWay: async () => ['8'],
      group: async (_: string, fresh: boolean) => {
        done.push(`asked for ${fresh ? 'a fresh' : 'any'} group`);
        return { groupId: '0', members: ['7'] };
      },
    };
    const place = { held: async () => true, confirm: note('confirmed'), release: note('released') };
    const reserve = async (_: object, traces: Traces) => {
      done.push(`${await traces.members()} ${await traces.underWay()}`);
      return { ...place, leave: () => void done.push('left') } as unknown as Reservation;
    };
    const counted: string[] = [];
    const parts = {
      store,
      participants: { reserve },
      budgets: { spend: async () => note('given back') },
      verifyToken: async () => userId,
      limits: { perMinute: 0 },
      faults: faultsOf(() => undefined),
      outcomes: { add: (outcome: string) => void counted.push(outcome) },
      counts: { add: () => undefined },
      policies: oncePolicies,
      signatures: {
        chainId: null,
        now: Date.now,
        keyOf: async (account: string) => ownKey(account),
      },
    } as unknown as Parts;
    const app = Fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, end) => end(null, body));
    joinRoutes(app, parts, {} as Metrics);
    await app.inject({ method: 'POST', url: '/api/group/join', payload: joinBody('7') });
    await new Promise((resolve) => setImmediate(resolve));
    return { done: done.slice(2), settledBy: done.slice(0, 2), counted };
  }

  test('is settled by a fresh group and by pending joins', async () => {
    const { settledBy } = await joining(async () => ({}));
    expect(settledBy).toEqual(['asked for a fresh group', '7 8']);
  });

  test('counts as made once the chain cannot take it back; until then, and if it did, only the group tells', async () => {
    const made = async () => ({});
    expect(await joining(made)).toMatchObject({ done: ['left', 'confirmed'], counted: ['accepted'] });
    expect((await joining(made, async () => false)).done).toEqual(['left']);
    expect((await joining(made, () => Promise.reject(new Error('down')))).done).toEqual(['left']);
  });

  test('costs nothing where nothing was sent', async () => {
    const refused =
      (facts = {}) =>
      () =>
        Promise.reject(new Refused('CALL_EXCEPTION', 'no', 'x', facts));
    expect(await joining(refused())).toMatchObject({
      done: ['given back', 'released'],
      counted: ['CALL_EXCEPTION'],
    });
    expect((await joining(refused({ transactionHash: '0x1' }))).done).toEqual(['left']);
    const broken = await joining(() => Promise.reject(new Error('the disk is full')));
    expect(broken).toMatchObject({ done: ['left'], counted: ['INTERNAL'] });
  });
});

describe('errors', () => {
  test.each<[string, object, number, Partial<Refused>]>([
    ['inside', new Error('at 10.0.0.7'), 500, { code: 'INTERNAL', reason: 'the server’s log has details' }],
    ['inside, by status', { statusCode: 500, code: 'X' }, 500, { code: 'INTERNAL' }],
    ['outside', { statusCode: 415, code: 'X' }, 400, { code: 'INVALID_ARGUMENT', reason: 'X' }],
    ['outside, without a name', { statusCode: 499 }, 400, { reason: 'unreadable' }],
    ['too often', { statusCode: 429 }, 429, { code: 'RATE_LIMITED' }],
    ['too much', { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' }, 400, { code: 'BODY_TOO_LARGE' }],
    ['refused', new Refused('X', 'y', 'z'), 400, { code: 'X' }],
  ])('%s', (_, error, status, refused) => {
    const said = refusedBy(error);
    expect(said.status).toBe(status);
    expect(said.refused).toMatchObject(refused);
    expect(said.refused.body()).not.toContain('10.0.0.7');
  });

  /** The answer to a malformed request. */
  function heard(code: string | undefined, socket: Partial<Socket> = {}): string {
    let text = '';
    const fake = {
      destroyed: false,
      writable: true,
      destroy: () => {
        text += 'destroyed';
      },
      end: (bytes: string) => {
        text += bytes;
      },
      ...socket,
    };
    answerMalformed(code === undefined ? {} : { code }, fake as unknown as Socket);
    return text;
  }

  test('before a request is parsed: an answer in the API’s form, unless the connection is closed', () => {
    const statusOf = (code?: string) => /^HTTP\/1\.1 (\d+)/.exec(heard(code))?.[1];
    expect(
      ['ERR_HTTP_REQUEST_TIMEOUT', 'HPE_HEADER_OVERFLOW', 'HPE_INVALID_METHOD', undefined].map(statusOf),
    ).toEqual(['408', '431', '400', '400']);
    const [head = '', body = ''] = heard('HPE_HEADER_OVERFLOW').split('\r\n\r\n');
    expect(head).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(JSON.parse(body).error)).toMatchObject({ code: 'HEADERS_TOO_LARGE' });
    expect(heard('ECONNRESET')).toBe('destroyed');
    expect(heard('HPE_X', { destroyed: true })).toBe('destroyed');
    expect(heard('HPE_X', { writable: false })).toBe('destroyed');
  });
});

describe('the request', () => {
  test('in pieces has its length', async () => {
    const app = Fastify();
    app.get('/', (_, reply) => sendJson(reply, [Buffer.from('{"a":'), Buffer.from('"é"}')], 201));
    const { statusCode, headers, payload } = await app.inject('/');
    expect([statusCode, headers['content-length'], payload]).toEqual([201, '10', '{"a":"é"}']);
    expect(headers['content-type']).toBe('application/json');
  });

  test('a version of a list is made once, and another list’s is another', () => {
    const rendering = new Rendering();
    const group = { groupId: '7', members: ['1', '2'] };
    const first = rendering.version(group);
    expect(rendering.version(group)).toBe(first);
    expect(rendering.version({ ...group })).not.toBe(first);
    expect(String(rendering.version({ groupId: '7', members: ['9', '2', '3'] }).body)).toContain('9');
  });

  test('the first entries, or all of them as lines', async () => {
    const { url } = await started();
    for (const one of ['11', '12', '13'])
      expect((await request(`${url}/api/group/join`, 'POST', joinBody(one))).status).toBe(200);
    const address = `${url}/api/group/members?id=${survey}`;
    const part = inner(await request(`${address}&limit=2`, 'GET'), 'data');
    expect(part).toEqual({ members: ['11', '12'], groupId: '0', from: 0 });
    const lines = await request(address, 'GET', undefined, { accept: 'application/x-ndjson' });
    expect(
      lines.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).commitment),
    ).toEqual(['11', '12', '13']);
    for (const query of ['&limit=x', '&after=-1', '&limit=1&limit=2', '&after=1234567890'])
      expect(inner(await request(address + query, 'GET'), 'error').reason).toBe('it is not a whole number');
  });
});

test('monitoring has no rate limit', async () => {
  const limits = {
    perMinute: 1,
    joins: 1000,
    requests: 2000,
    connections: 4096,
    connectionsPerAddress: 0,
    sendMs: 10_000,
    bodyBytes: 65_536,
    requestMs: 15_000,
    trustProxy: false,
  } as const;
  const { url } = await started({ limits });
  const statuses = async (path: string) =>
    new Set(
      await Promise.all(Array.from({ length: 12 }, async () => (await request(url + path, 'GET')).status)),
    );
  for (const path of ['/healthz', '/metrics', '/openapi.json'])
    expect(await statuses(path)).toEqual(new Set([200]));
  expect(await statuses(`/api/group/members?id=${survey}`)).toEqual(new Set([200, 429]));
});

test('an unhealthy server answers /healthz with 503, and metrics may have their own port', async () => {
  const app = Fastify();
  const parts = {
    limits: { perMinute: 0 },
    operations: { host: '127.0.0.1', port: 0, health: false },
    store: { kind: 'chain' },
    health: async () => ({ problem: 'the disk of the store is full', facts: { diskFreeBytes: 7 } }),
  } as unknown as Parts;
  operationsRoutes(app, parts, {} as Metrics);
  const { statusCode, payload } = await app.inject('/healthz');
  expect([statusCode, JSON.parse(payload)]).toEqual([
    503,
    { status: 'unavailable', store: 'chain', problem: 'the disk of the store is full', diskFreeBytes: 7 },
  ]);
  expect((await app.inject('/metrics')).statusCode).toBe(404);
});

test('an order whose texts hold control characters is refused', () => {
  for (const [name, value] of [
    ['name', 'a\u0007b'],
    ['itemIdentifier', 'x\ny'],
    ['name', 'a\u202eb'],
  ] as const) {
    const order = {
      buyerAddress: `0x${'ab'.repeat(20)}`,
      itemIdentifier: 'i',
      name: 'n',
      imageUrl: 'https://a/b',
      pgType: 'CRYPTO',
      currencyCode: 'KAIA',
      price: '1',
      testMode: true,
    };
    expect(readOrder({ ...order, [name]: value })).toEqual({ wrong: `${name} holds control characters` });
  }
});

test('a chain that is too expensive is 503, and says when to try again', () => {
  const { status, refused } = refusedBy(new Refused('FEE_TOO_HIGH', 'the chain is too expensive now', 'x'));
  expect([status, refused.code, feeRetryAfter]).toEqual([503, 'FEE_TOO_HIGH', 60]);
});

test('an error that no answer shows is counted by event and code, and logged', async () => {
  const health = async () => ({ problem: null, facts: {} });
  const logged: unknown[] = [];
  const faults = faultsOf((entry) => void logged.push(entry));
  faults.report('writer error', 'UNREACHABLE');
  const payments = { counts: async () => ({ disputed: 2 }) };
  const { registry } = addMetrics(Fastify(), { health, faults, outcomes: new Outcomes(), payments });
  const count = async () => {
    const text = await registry.getSingleMetricAsString('kaiactl_survey_errors_total');
    return text.split('\n').filter((line) => !line.startsWith('#') && line !== '');
  };
  expect(await registry.getSingleMetricAsString('kaiactl_survey_payment_states')).toMatch(
    /state="paid"} 0\n.*state="disputed"} 2/s,
  );
  const writer = 'kaiactl_survey_errors_total{event="writer error",code="UNREACHABLE"}';
  expect(await count()).toEqual([`${writer} 1`]);
  faults.report('writer error', 'UNREACHABLE');
  faults.ofJoin('budget error')(new Refused('STORE_READ_ONLY', 'no', 'the disk is full'));
  const budget = 'kaiactl_survey_errors_total{event="budget error",code="STORE_READ_ONLY"}';
  expect(await count()).toEqual([`${writer} 2`, `${budget} 1`]);
  // The time of an error of a join could identify the join: it is logged with the counts of the hour.
  expect(logged).toEqual(Array(2).fill({ event: 'writer error', code: 'UNREACHABLE' }));
  expect(faults.takeHourly()).toEqual([['budget error STORE_READ_ONLY', 1]]);
  expect(faults.takeHourly()).toEqual([]);
});

describe('payments', () => {
  const order: StoreRequest = {
    buyerAddress: '0xB7b7Be0b3DfC6a7baE8cBCf072DeACB616242664',
    itemIdentifier: 'it',
    name: 'n',
    imageUrl: 'http://x/y.png',
    currencyCode: 'KAIA',
    price: '1',
    testMode: true,
    pgType: 'CRYPTO',
  };

  test('are counted, and their errors are only logged', async () => {
    const upstream = await stub(({ path }) => ({
      body: path.includes('/status') ? '{"status":"STARTED"}' : '{"id":"pay_1"}',
    }));
    const notes: unknown[] = [];
    const { url } = await started({
      log: (entry) => void ('path' in entry && notes.push(entry.note)),
      portal: () => ({
        url: upstream.url,
        clientId: 'i',
        clientSecret: 's',
        callbackField: 'both',
        timeoutMs: 5000,
        confirmUrl: 'http://x/c',
        lockUrl: 'http://x/l',
        unlockUrl: null,
      }),
    });
    const pay = (change = {}) => request(`${url}/api/store`, 'POST', { ...order, ...change });
    expect([(await pay()).status, (await pay({ price: '0' })).status]).toEqual([200, 400]);
    const call = (paymentId: string) =>
      request(`${url}/api/store/callback`, 'POST', { paymentId, status: 'CONFIRMED' });
    expect((await pay()).status).toBe(200);
    await call('pay_1');
    await call('stranger');
    expect(notes.slice(0, 5)).toEqual([
      undefined,
      expect.stringContaining('0.01 KAIA'),
      undefined,
      undefined,
      'not a payment of this server',
    ]);
    const { body } = await request(`${url}/metrics`, 'GET');
    expect(body).toMatch(/payments_total\{outcome="created"\} 2/);
    expect(body).toMatch(/payments_total\{outcome="failed"\} 1/);
  });

  test('without a portal fail, and say why', async () => {
    const storage = await openSqlite(':memory:', Buffer.alloc(32));
    const payments = new Payments({ storage, portal: () => null, secret: Buffer.alloc(32), now: Date.now });
    expect(await payments.create(order)).toEqual({
      isSent: false,
      failure: 'no portal is configured: nothing was sent',
    });
    expect(await payments.finalize('pay_1', null)).toBe('not a payment of this server');
    await storage.close();
  });

  test('the portal is asked while a status can still change, and not about a settled payment', async () => {
    let status = 'CONFIRMED';
    const upstream = await stub(({ path }) => ({
      body: path.includes('/status') ? `{"status":"${status}"}` : JSON.stringify(record),
    }));
    const record = { id: 'pay_1', ...order, items: [order] };
    const storage = await openSqlite(':memory:', Buffer.alloc(32));
    const portal = {
      url: upstream.url,
      clientId: 'i',
      clientSecret: 's',
      timeoutMs: 5000,
      confirmUrl: 'http://x/c',
      lockUrl: 'http://x/l',
      unlockUrl: null,
      callbackField: 'both',
    } as const;
    const payments = new Payments({ storage, portal: () => portal, secret: Buffer.alloc(32), now: () => 5 });
    await payments.create(order);
    // Its callback was lost.
    expect(await payments.status('pay_1')).toEqual({
      id: 'pay_1',
      status: 'CONFIRMED',
      state: 'paid',
      verified: true,
      problem: null,
      claimed: null,
      itemIdentifier: 'it',
      pgType: 'CRYPTO',
      currencyCode: 'KAIA',
      price: '1',
      testMode: true,
      updatedAt: 5,
      history: [{ status: 'CONFIRMED', source: 'portal', at: 5 }],
    });
    status = 'FINALIZED';
    for (let n = 0; n < 3; n++) expect(await payments.status('pay_1')).toMatchObject({ status });
    // Creation, and two requests for each read: a settled payment may still be refunded.
    expect(upstream.heard).toHaveLength(9);
    expect(await payments.status('pay_2')).toBeUndefined();
    await storage.close();
  });
});

describe('a token', () => {
  test.each([
    ['two parts, the second JSON', `x.${Buffer.from('{"sub":"x"}').toString('base64url')}`],
    ['three parts, the second a number', `x.${Buffer.from('7').toString('base64url')}.y`],
    ['three parts, the second null', `x.${Buffer.from('null').toString('base64url')}.y`],
    ['one part', 'good'],
  ])('of %s is an access token: the platform is asked whose', async (_, token) => {
    const { heard, url } = await platform();
    const { tokens } = await settings();
    if (tokens === null) throw new Error('the settings hold tokens');
    const verify = tokenVerifier({
      ...tokens,
      accessVerifyUrl: `${url}/verify`,
      profileUrl: `${url}/profile`,
    });
    await verify(token).catch(() => undefined);
    expect(heard[0]?.path).toMatch(/^\/verify/);
  });

  test('of the sandbox is for whom it is asked, or for its own user', async () => {
    const { url, close } = await startSandbox('https://sandbox.invalid');
    const userOf = async (body: unknown) => {
      const answer = JSON.parse(
        (await request(`${url}/token`, 'POST', body, { 'content-type': 'application/json' })).body,
      );
      return JSON.parse(Buffer.from(answer.idToken.split('.')[1], 'base64url').toString()).sub;
    };
    try {
      expect(await userOf({ user: 'Ux' })).toBe('Ux');
      for (const user of ['', 7, undefined]) expect(await userOf({ user })).toBe(sandboxUser);
    } finally {
      await close();
    }
  });
});
