/** Payments with their callbacks, and what operators look at. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { priceProblem } from '../../../src/survey/protocol/price.js';
import type { Item, LiveRules } from '../../../src/survey/server/order.js';
import type { Limits } from '../../../src/survey/server/parts.js';
import { serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { readOnly } from '../../../src/survey/store/storage.js';
import { installed, metricProblems } from '../../node/report/tools.js';
import { freePort } from '../../peers/free-port.js';
import { order } from '../order.js';
import { inner, joinBody, listed, request, settings, started, stub, survey, usualLimits } from './support.js';

installed('promtool', 'the metrics of the survey server against promtool');

/** A portal that creates pay_1 and says of it what `status` is. */
async function portal(
  callbackField: 'confirmCallbackUrl' | 'paymentStatusChangeCallbackUrl' | 'both',
  limits: Partial<Limits> = {},
  live: LiveRules = { secret: null, items: null, testPayments: true },
  open = () => openStorage(':memory:', Buffer.alloc(32, 7)),
) {
  const says = { created: '{"payment_id":"pay_1"}', code: 200, status: 'CREATED', silent: false };
  const upstream = await stub(({ path }) => {
    if (says.silent) return 'silence';
    return path.includes('/status')
      ? { body: JSON.stringify({ status: says.status }) }
      : { status: says.code, body: says.created };
  });
  const { url } = await started({
    live,
    openStorage: open,
    limits: { ...usualLimits, ...limits },
    portal: (base) => ({
      url: upstream.url,
      clientId: 'the-id',
      clientSecret: 'the-secret',
      callbackField,
      timeoutMs: 800,
      confirmUrl: `${base}/c`,
      lockUrl: `${base}/l`,
      unlockUrl: null,
    }),
  });
  return { says, upstream, url };
}

const pay = (url: string, change: object = {}) =>
  request(`${url}/api/store`, 'POST', { ...order, ...change });

test('the portal gets credentials in headers and the order in its own words', async () => {
  const { upstream, url } = await portal('both');
  expect(JSON.parse((await pay(url)).body)).toEqual({ pId: 'pay_1' });
  const [heard] = upstream.heard;
  expect(heard?.path).toBe('/api/payment-v1/payment/create');
  expect(heard?.headers).toMatchObject({
    'x-client-id': 'the-id',
    'x-client-secret': 'the-secret',
    'content-type': 'application/json',
  });
  expect(JSON.parse(heard?.body ?? '')).toEqual({
    buyerDappPortalAddress: order.buyerAddress,
    pgType: 'CRYPTO',
    currencyCode: 'KAIA',
    price: '1',
    confirmCallbackUrl: `${url}/c`,
    paymentStatusChangeCallbackUrl: `${url}/c`,
    lockUrl: `${url}/l`,
    unlockUrl: null,
    testMode: true,
    items: [
      { itemIdentifier: 'it', name: 'n', imageUrl: 'http://x/y.png', price: '1', currencyCode: 'KAIA' },
    ],
  });
});

test.each(['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl'] as const)(
  'real payments are accepted only from %s',
  async (name) => {
    const { upstream, url } = await portal(name);
    await pay(url);
    const sent = JSON.parse(upstream.heard[0]?.body ?? '') as Record<string, unknown>;
    expect(Object.keys(sent).filter((key) => key.endsWith('CallbackUrl'))).toEqual([name]);
  },
);

test('every error of the portal is a failed payment', async () => {
  const { says, url } = await portal('both');
  const failed = [400, { message: 'Payment is failed' }];
  const tried = async () => {
    const answer = await pay(url);
    return [answer.status, JSON.parse(answer.body)];
  };
  for (const created of ['<html>', 'null', '{}', '{"id":7}', '{"id":""}', `{"id":"${'x'.repeat(300)}"}`]) {
    says.created = created;
    expect(await tried()).toEqual(failed);
  }
  says.created = '{"id":"pay_2"}';
  for (const code of [302, 400, 401, 500]) {
    says.code = code;
    expect(await tried()).toEqual(failed);
  }
  says.silent = true;
  expect(await tried()).toEqual(failed);
});

test('an order the portal would refuse never reaches it', async () => {
  const { upstream, url } = await portal('both');
  const wrong = [
    { buyerAddress: '0x12' },
    { itemIdentifier: '' },
    { name: 'n'.repeat(257) },
    { imageUrl: 'javascript:alert(1)' },
    { imageUrl: `http://x/${'y'.repeat(512)}` },
    { pgType: 'CASH' },
    { currencyCode: 'kaia coin' },
    ...['0', '-1', '1e3', '1.23456', '01', ' 1', '', 1, null].map((price) => ({ price })),
    { pgType: 'STRIPE', currencyCode: 'USD', price: '150.5' },
    { pgType: 'CRYPTO', currencyCode: 'USD', price: '1' },
    { testMode: 'true' },
    { testMode: undefined },
  ];
  for (const change of wrong) expect([change, (await pay(url, change)).status]).toEqual([change, 400]);
  expect(upstream.heard).toEqual([]);
});

test('an in-app purchase is priced as its store prices it, at both ends', async () => {
  const { url } = await portal('both');
  const order = { pgType: 'LINE_IAP', currencyCode: 'USD', price: '1.5' } as const;
  expect(priceProblem(order.pgType, order.currencyCode, order.price)).toBeNull();
  expect((await pay(url, order)).status).toBe(200);
});

test('real money only for the operator, or at the price of the list', async () => {
  const live = async (rules: LiveRules, change: object, headers: Record<string, string> = {}) => {
    const { url } = await portal('both', {}, rules);
    return (await request(`${url}/api/store`, 'POST', { ...order, testMode: false, ...change }, headers))
      .status;
  };
  const nobody = { secret: null, items: null, testPayments: true };
  const list = {
    secret: null,
    items: new Map<string, Item>([['it', { pgType: 'CRYPTO', currencyCode: 'KAIA', price: '1' }]]),
    testPayments: false,
  };
  const operator = { secret: 'the operator’s secret', items: null, testPayments: true };
  expect(await live(nobody, { testMode: true })).toBe(200);
  expect(await live(nobody, {})).toBe(400);
  expect(await live(nobody, {}, { authorization: 'Bearer null' })).toBe(400);
  expect(await live(list, {})).toBe(200);
  expect(await live(list, { testMode: true })).toBe(400);
  expect(await live(list, { price: '0.01' })).toBe(400);
  expect(await live(list, { currencyCode: 'USDT' })).toBe(400);
  expect(await live(list, { itemIdentifier: 'constructor' })).toBe(400);
  const ascii = { ...operator, secret: 'sesame-sesame' };
  expect(await live(ascii, {}, { authorization: 'Bearer sesame-sesame' })).toBe(200);
  expect(await live(ascii, {}, { authorization: 'Bearer sesame' })).toBe(400);
  expect(await live(ascii, {})).toBe(400);
});

test('an item is its price, its currency and its gateway: nothing else reaches the portal', async () => {
  // 500 cents by STRIPE are 5 USD; 500 by LINE_IAP are 500 USD.
  const items = new Map<string, Item>([
    ['five', { pgType: 'STRIPE', currencyCode: 'USD', price: '500' }],
    ['five hundred', { pgType: 'LINE_IAP', currencyCode: 'USD', price: '500' }],
    ['coin', { pgType: 'CRYPTO', currencyCode: 'KAIA', price: '1' }],
  ]);
  const { upstream, url } = await portal('both', {}, { secret: null, items, testPayments: true });
  const sold: string[] = [];
  for (const itemIdentifier of items.keys())
    for (const pgType of ['STRIPE', 'LINE_IAP', 'CRYPTO'])
      for (const currencyCode of ['USD', 'KAIA', 'USDT'])
        for (const price of ['1', '500']) {
          const answer = await pay(url, { itemIdentifier, pgType, currencyCode, price, testMode: false });
          if (answer.status === 200) sold.push(`${itemIdentifier}: ${price} ${currencyCode} ${pgType}`);
          else expect([answer.status, answer.body]).toEqual([400, '{"message":"Payment is failed"}']);
        }
  expect(sold).toEqual(['five: 500 USD STRIPE', 'five hundred: 500 USD LINE_IAP', 'coin: 1 KAIA CRYPTO']);
  expect(upstream.heard).toHaveLength(sold.length);
});

test('nothing is asked of the portal that the store cannot remember', async () => {
  const storage = await openStorage(':memory:', Buffer.alloc(32, 7));
  const { upstream, url } = await portal('both', {}, undefined, async () => storage);
  const { run } = storage;
  Object.assign(storage, { run: () => Promise.reject(readOnly('the store cannot be written')) });
  expect(await pay(url)).toMatchObject({ status: 503, body: '{"message":"Payment is failed"}' });
  expect(upstream.heard).toEqual([]);
  Object.assign(storage, { run });
  expect((await pay(url)).status).toBe(200);
});

test('a callback is a hint: the portal is asked, and strangers change nothing', async () => {
  const { says, url } = await portal('both');
  await pay(url);
  const status = async () => JSON.parse((await request(`${url}/api/store/status?id=pay_1`, 'GET')).body);
  const call = (body: object) => request(`${url}/api/store/callback`, 'POST', body);
  expect(await status()).toMatchObject({ id: 'pay_1', status: 'CREATED', verified: true });
  says.status = 'STARTED';
  expect((await call({ paymentId: 'pay_1', status: 'CONFIRMED' })).status).toBe(200);
  expect(await status()).toMatchObject({ status: 'STARTED', verified: true, claimed: null });
  says.silent = true;
  for (const claim of ['CONFIRMED', '<script>', undefined]) await call({ paymentId: 'pay_1', status: claim });
  expect(await status()).toMatchObject({ status: 'STARTED', verified: true, claimed: 'CONFIRMED' });
  says.silent = false;
  says.status = 'CANCELED';
  expect(await status()).toMatchObject({ status: 'CANCELED', verified: true, claimed: null });
  expect((await call({ paymentId: 'stranger', status: 'CONFIRMED' })).status).toBe(200);
  expect((await request(`${url}/api/store/callback`, 'POST', 'no JSON')).status).toBe(200);
  expect((await request(`${url}/api/store/status?id=stranger`, 'GET')).status).toBe(404);
  expect((await request(`${url}/api/store/lock`, 'POST', { paymentId: 'pay_1' })).status).toBe(200);
});

test('callbacks are answered at any rate, and while the portal is silent', async () => {
  const { says, url } = await portal('both', { perMinute: 1 });
  await pay(url);
  expect((await pay(url)).status).toBe(429);
  says.silent = true;
  const call = () =>
    request(`${url}/api/store/callback`, 'POST', { paymentId: 'pay_1', status: 'CONFIRMED' });
  const answers = await Promise.all(Array.from({ length: 30 }, call));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('the OpenAPI description has every route and the fields of a join', async () => {
  const { url } = await started();
  const description = JSON.parse((await request(`${url}/openapi.json`, 'GET')).body);
  expect(description).toMatchObject({ openapi: '3.1.0', info: { title: 'Survey API' } });
  const routes = Object.entries<object>(description.paths).map(([path, item]) => {
    return `${Object.keys(item)} ${path}`;
  });
  expect(routes.sort()).toEqual([
    'get /api/group/members',
    'get /api/store/status',
    'get /healthz',
    'get /metrics',
    'get /openapi.json',
    'get /readyz',
    'post /api/group/join',
    'post /api/invite/encode',
    'post /api/invite/friends',
    'post /api/store',
    ...['callback', 'finalize', 'lock', 'unlock'].map((name) => `post /api/store/${name}`),
  ]);
  const { post } = description.paths['/api/group/join'];
  expect(post.requestBody.content['application/json'].schema.required).toEqual([
    'id',
    'commitment',
    'signature',
    'idToken',
    'account',
  ]);
  expect(Object.keys(post.responses)).toEqual(['200', '400', '429', '503']);
  const { parameters } = description.paths['/api/group/members'].get;
  expect(parameters).toMatchObject([
    { in: 'query', name: 'id', required: true },
    { in: 'query', name: 'after', required: false },
    { in: 'query', name: 'limit', required: false },
  ]);
});

test.each([
  ['cannot be written', '/nowhere', 0],
  ['is written', mkdtempSync(join(tmpdir(), 'kaiactl-decisions-')), 1],
])('health and metrics tell that the file of decisions %s; joins go on', async (_, folder, written) => {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { url } = await started({ decisions: join(folder, 'secret.decisions') });
  const health = async () => JSON.parse((await request(`${url}/healthz`, 'GET')).body);
  await expect.poll(health).toMatchObject({ status: 'ok', problem: null, decisionsWritten: written });
  const metrics = (await request(`${url}/metrics`, 'GET')).body;
  expect(metrics).toContain(`kaiactl_survey_decisions_written ${written}`);
  expect((await request(`${url}/api/group/join`, 'POST', joinBody('1'))).status).toBe(200);
});

test('health, metrics and the description of the API are served', async () => {
  const { url } = await started();
  const health = await request(`${url}/healthz`, 'GET');
  expect(JSON.parse(health.body)).toEqual({
    platformUp: null,
    platformKeysAgeSeconds: null,
    treeCheckAgeSeconds: 0,
    status: 'ok',
    store: 'embedded',
    problem: null,
    diskFreeBytes: null,
  });
  await request(`${url}/api/group/join`, 'POST', joinBody('1'));
  await request(`${url}/api/group/join`, 'POST', joinBody('1'));
  const metrics = (await request(`${url}/metrics`, 'GET')).body;
  expect(metricProblems(metrics)).toBe('');
  expect(metrics).toContain('kaiactl_survey_joins_total{outcome="accepted"} 1');
  expect(metrics).toContain('kaiactl_survey_joins_total{outcome="CALL_EXCEPTION"} 1');
  expect(metrics).toMatch(
    /kaiactl_survey_request_seconds_count\{method="POST",route="\/api\/group\/join",status="200"\} 1/,
  );
  const description = JSON.parse((await request(`${url}/openapi.json`, 'GET')).body);
  for (const [path, item] of Object.entries<object>(description.paths)) {
    for (const method of Object.keys(item)) {
      const { status } = await request(
        url + path,
        method.toUpperCase(),
        method === 'post' ? '{}' : undefined,
      );
      const unknownPayment = path.endsWith('/status') && status === 404;
      expect([path, method, unknownPayment || (status !== 404 && status !== 405)]).toEqual([
        path,
        method,
        true,
      ]);
    }
  }
});

test('an unchanged list is not sent twice', async () => {
  const { url } = await started();
  const address = `${url}/api/group/members?id=${survey}`;
  const first = await fetch(address);
  const etag = first.headers.get('etag') ?? '';
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await request(`${url}/api/group/join`, 'POST', joinBody('1'))).status).toBe(200);
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(200);
  expect(await listed(url)).toEqual(['1']);
  expect(inner(await request(address, 'GET'), 'data').groupId).toBe('0');
});

test('If-None-Match is a list of tags, compared weakly; JSON and lines have tags of their own', async () => {
  const { url } = await started();
  const address = `${url}/api/group/members?id=${survey}`;
  const lines = { accept: 'application/x-ndjson' };
  const etag = (await fetch(address)).headers.get('etag') ?? '';
  const ofLines = (await fetch(address, { headers: lines })).headers.get('etag') ?? '';
  expect(ofLines).not.toBe(etag);
  const statuses = async (headers: Record<string, string>) => {
    const found: [string, number][] = [];
    for (const list of ['*', etag, etag.slice(2), `"x", ${etag}`, `${etag},W/"y"`, '"x"', etag.slice(0, -2)])
      found.push([list, (await fetch(address, { headers: { ...headers, 'if-none-match': list } })).status]);
    return found.map(([, status]) => status);
  };
  expect(await statuses({})).toEqual([304, 304, 304, 304, 304, 200, 200]);
  expect(await statuses(lines)).toEqual([304, 200, 200, 200, 200, 200, 200]);
  const unchanged = await fetch(address, { headers: { 'if-none-match': `"x", ${etag}` } });
  expect([unchanged.headers.get('etag'), unchanged.headers.get('vary')]).toEqual([
    etag,
    'accept, accept-encoding',
  ]);
});

test('with --cors-origin, a list varies by origin too, whoever asks', async () => {
  const { url } = await started({ origins: ['https://app.example'] });
  const vary = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/api/group/members?id=${survey}`, { headers });
    return (answer.headers.get('vary') ?? '').toLowerCase().split(', ').toSorted();
  };
  const all = ['accept', 'accept-encoding', 'origin'];
  expect(await vary({})).toEqual(all);
  expect(await vary({ origin: 'https://app.example' })).toEqual(all);
});

test('health and metrics on an address of their own are not on that of the API', async () => {
  const port = await freePort();
  const { url } = await started({ operations: { host: '127.0.0.1', port, health: true } });
  const own = `http://127.0.0.1:${port}`;
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect([path, (await request(own + path, 'GET')).status]).toEqual([path, 200]);
    expect([path, (await request(url + path, 'GET')).status]).toEqual([path, 404]);
  }
  expect((await request(`${own}/healthz`, 'POST', '{}')).status).toBe(405);
  expect((await request(`${own}/api/group/members?id=${survey}`, 'GET')).status).toBe(404);
});

test('limits, the price list and the credentials of a running server are replaced', async () => {
  const portals = await Promise.all(
    ['one', 'two'].map((id) => stub(() => ({ body: JSON.stringify({ id }) }))),
  );
  const portal = (at: number) => () => ({
    url: portals[at]?.url ?? '',
    clientId: 'id',
    clientSecret: `secret ${at}`,
    timeoutMs: 800,
    callbackField: 'both' as const,
    confirmUrl: 'https://s.example/c',
    lockUrl: null,
    unlockUrl: null,
  });
  const items = (price: string) =>
    new Map<string, Item>([['it', { pgType: 'CRYPTO', currencyCode: 'KAIA', price }]]);
  const first = await settings({
    portal: portal(0),
    live: { secret: null, testPayments: true, items: items('1') },
    limits: { ...usualLimits, perMinute: 100 },
  });
  const running = await serve(first);
  onTestFinished(() => running.close());
  const { url } = running;
  const live = (price: string) => pay(url, { testMode: false, price });
  expect([(await live('1')).body, (await live('2')).status]).toEqual(['{"pId":"one"}', 400]);
  running.reload({
    ...first,
    portal: portal(1),
    live: { secret: null, testPayments: true, items: items('2') },
    limits: { ...first.limits, perMinute: 6 },
  });
  expect([(await live('1')).status, (await live('2')).body]).toEqual([400, '{"pId":"two"}']);
  expect(portals[1]?.heard[0]?.headers['x-client-secret']).toBe('secret 1');
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await live('2')).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
});
