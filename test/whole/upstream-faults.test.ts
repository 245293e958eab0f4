/** The server's upstreams fail in every way: callers get an answer of the API, and nothing is done twice. */
import { expect, test } from 'vitest';
import { during } from '../peers/during.js';
import { type Fault, faultProxy, faults } from '../survey/fault-proxy.js';
import {
  inner,
  joinBody,
  listed,
  platform,
  request,
  settings,
  started,
  stub,
} from '../survey/server/support.js';

const each = faults.flatMap((fault) => [true, false].map((delivered) => ({ fault, delivered })));
/** The portal's and the platform's answers are waited for no longer than this, in milliseconds. */
const timeoutMs = 1500;

test.each(each)(
  'a platform that fails ($fault, delivered: $delivered) is no verdict on a token',
  async (chosen) => {
    const proxy = await faultProxy((await platform()).url);
    const { tokens } = await settings();
    if (tokens === null) throw new Error('no tokens');
    const { url } = await started({
      tokens: {
        ...tokens,
        timeoutMs,
        accessVerifyUrl: `${proxy.url}/verify`,
        profileUrl: `${proxy.url}/profile`,
      },
    });
    proxy.choose = ({ path }) => (path.startsWith('/verify') ? chosen : null);
    const refused = await request(`${url}/api/group/join`, 'POST', joinBody(1));
    expect(refused.status).toBe(503);
    expect(inner(refused, 'error')).toMatchObject({ code: 'UNAVAILABLE' });
    proxy.choose = () => null;
    expect((await request(`${url}/api/group/join`, 'POST', joinBody(1))).status).toBe(200);
    expect(await listed(url)).toEqual(['1']);
  },
);

test.each(each)(
  'a portal that fails ($fault, delivered: $delivered) creates one payment at most',
  async (chosen) => {
    const portal = await stub(() => ({ body: '{"id":"p1"}' }));
    const proxy = await faultProxy(portal.url);
    const { url } = await started({ portal: () => portalAt(proxy.url) });
    proxy.choose = () => chosen;
    const failed = await request(`${url}/api/store`, 'POST', order);
    expect([failed.status, failed.body]).toEqual([400, '{"message":"Payment is failed"}']);
    expect(proxy.exchanges).toHaveLength(1);
    expect(portal.heard).toHaveLength(chosen.delivered ? 1 : 0);
  },
);

test('the proxy forwards undamaged requests, and releases held ones', async () => {
  const portal = await stub(({ body }) => ({ status: 201, body: `{"heard":${body}}` }));
  const proxy = await faultProxy(portal.url);
  expect(await request(proxy.url, 'POST', { a: 1 })).toMatchObject({
    status: 201,
    body: '{"heard":{"a":1}}',
  });
  proxy.choose = () => ({ fault: 'slow' satisfies Fault, delivered: true });
  const late = request(proxy.url, 'POST', { a: 2 });
  await during(late, proxy.held());
  proxy.release();
  expect(await late).toMatchObject({ status: 201, body: '{"heard":{"a":2}}' });
});

function portalAt(url: string) {
  return {
    url,
    clientId: 'id',
    clientSecret: 'secret',
    callbackField: 'both' as const,
    timeoutMs,
    confirmUrl: 'https://api.example/confirm',
    lockUrl: null,
    unlockUrl: null,
  };
}

const order = {
  buyerAddress: `0x${'ab'.repeat(20)}`,
  itemIdentifier: 'i',
  name: 'n',
  imageUrl: 'https://i.example/i',
  pgType: 'CRYPTO',
  currencyCode: 'KAIA',
  price: '1',
  testMode: true,
};
