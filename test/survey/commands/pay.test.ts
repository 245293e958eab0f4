import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { priceProblem } from '../../../src/survey/protocol/price.js';
import type { PaymentGateway } from '../../../src/survey/protocol/wire.js';
import { kaiactl, type Setting } from '../command.js';
import { type Answer, type Served, serve } from '../fake.js';
import { order } from '../order.js';
import { started } from '../server/support.js';

const buyer = '0xB7b7Be0b3DfC6a7baE8cBCf072DeACB616242664';
const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function portal(answer: Answer = { body: '{"pId":"pay_123"}' }): Promise<Served> {
  const server = await serve(() => answer);
  open.push(server);
  return server;
}
const pay = (server: Served | null, words: string[] = [], setting: Setting = {}) => {
  const url = server?.url ?? 'http://127.0.0.1:1';
  const item = ['--item-identifier', 'it', '--name', 'n', '--image-url', 'http://x/y.png', '--price', '1'];
  return kaiactl(['survey', 'pay', '--api-url', url, '--buyer-address', buyer, ...item, ...words], setting);
};

describe('a payment', () => {
  test('is sent as the original client sends it, in test mode', async () => {
    const server = await portal();
    const ran = await pay(server);
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'pay_123\n',
      stderr: expect.stringContaining('a test payment'),
    });
    expect(server.asked).toMatchObject([{ method: 'POST', path: '/api/store' }]);
    expect(JSON.parse(server.asked[0]!.body)).toEqual({ ...order, buyerAddress: buyer });
  });

  test('prints JSON', async () => {
    const ran = await pay(await portal(), ['--format', 'json']);
    expect(JSON.parse(ran.stdout)).toEqual({
      pId: 'pay_123',
      testMode: true,
      price: '1',
      currencyCode: 'KAIA',
    });
  });

  test.each([
    ['refused', { status: 400, body: '{"message":"No such item"}' }, 1, /refused: No such item/],
    [
      'a portal that is down',
      { status: 400, body: '{"message":"Payment is failed"}' },
      3,
      /Payment is failed\n.*payment may have been created/,
    ],
    ['a success without content', { body: '{}' }, 3, /without a payment identifier\n {2}The original/],
    ...['{"pId":""}', '{"pId":7}', '{"pid":"pay_123"}', '<html>'].map(
      (body): [string, Answer, number, RegExp] => [
        `the answer ${body}`,
        { body, ...(body === '<html>' ? { type: 'text/html' } : {}) },
        3,
        /^(?!.*no payment exists).*\n {2}A payment may have been created.*Check the portal first/s,
      ],
    ),
    ['an empty 500', { status: 500, type: null }, 3, /failed inside/],
  ])('%s', async (_name, answer, code, why) => {
    const server = await portal(answer);
    expect(await pay(server)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(why) });
    expect(server.asked).toHaveLength(1);
  });

  test('a server without a portal says that nothing was sent', async () => {
    const { url } = await started();
    const { code, stderr } = await pay(null, ['--api-url', url]);
    expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
      3,
      [expect.stringContaining('no portal is configured: nothing was sent'), '  Nothing was sent.'],
    ]);
  });

  test('a refusal of the server itself is not told as one of the portal', async () => {
    const { url } = await started();
    const { stderr } = await pay(null, ['--api-url', url, '--live', '--yes']);
    expect(stderr).toContain('its own rules may refuse the payment, or its payment portal');
  });

  test('no answer: sent once, and the outcome is reported as unknown', async () => {
    const server = await serve(() => (response) => void response.socket?.destroy());
    open.push(server);
    const ran = await pay(server);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('A payment may have been created'),
    });
    expect(server.asked).toHaveLength(1);
    expect((await pay(null)).stderr).toContain('Nothing was sent');
  });
});

describe('--live', () => {
  test('without a terminal is refused, with --yes is not', async () => {
    const server = await portal();
    const refused = await pay(server, ['--live']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(server.asked).toHaveLength(0);
    expect((await pay(server, ['--live', '--yes'])).code).toBe(0);
    expect(JSON.parse(server.asked[0]!.body).testMode).toBe(false);
  });

  test('Ctrl-C at the question ends with 130 and sends nothing', async () => {
    const server = await portal();
    const abort = new AbortController();
    const heard = (_stream: string, text: string) => text.includes('Continue?') && abort.abort();
    const ran = await pay(server, ['--live'], {
      tty: true,
      stdin: new Readable({ read() {} }),
      abort,
      heard,
    });
    expect(ran).toMatchObject({ code: 130, stderr: expect.stringContaining('Nothing was sent') });
    expect(server.asked).toHaveLength(0);
  });

  test.each([
    ['y\n', 0],
    ['yes\n', 0],
    ['\n', 2],
    ['no\n', 2],
    ['', 2],
  ])('asked on a terminal, %j ends with %i', async (stdin, code) => {
    const server = await portal();
    const ran = await pay(server, ['--live'], { tty: true, stdin });
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(`a real payment of 1 KAIA by ${buyer}. Continue? [y/N]`);
    expect(server.asked).toHaveLength(code === 0 ? 1 : 0);
  });
});

describe('amounts as people read them', () => {
  const dollars = ['--pg-type', 'STRIPE', '--currency-code', 'USD'];
  const unpriced = (server: Served, words: string[], setting: Setting = {}) => {
    const item = [
      '--item-identifier',
      'it',
      '--name',
      'n',
      '--image-url',
      'http://x/y.png',
      '--buyer-address',
      buyer,
    ];
    return kaiactl(['survey', 'pay', '--api-url', server.url, ...item, ...words], setting);
  };

  test('cents are printed as cents, an amount is sent in cents', async () => {
    const server = await portal();
    const ran = await pay(server, [...dollars, '--price', '499']);
    expect(ran.stderr).toContain('of 4.99 USD (499 cents)');
    expect((await unpriced(server, [...dollars, '--amount', '4.9'])).stderr).toContain(
      'of 4.90 USD (490 cents)',
    );
    expect((await unpriced(server, ['--amount', '0.5'])).stderr).toContain('of 0.5 KAIA (--live');
    expect(server.asked.map(({ body }) => JSON.parse(body).price)).toEqual(['499', '490', '0.5']);
  });

  test('a real payment is confirmed in words', async () => {
    const server = await portal();
    const ran = await unpriced(server, [...dollars, '--amount', '500', '--live'], {
      tty: true,
      stdin: 'n\n',
    });
    expect(ran.stderr).toContain('a real payment of 500.00 USD (50000 cents) by 0xB7b7');
  });

  test.each([
    [['--amount', '4.999'], /--amount cannot be charged: USD has two decimals/],
    [
      ['--price', '4.99'],
      /--price cannot be charged: .*whole number of cents\n.*--amount 4\.99 accepts decimals/,
    ],
    [['--amount', '0.49'], /minimum charge is 50 USD cents/],
    [['--amount', '1', '--price', '100'], /both --price and --amount/],
    [[], /--price is missing/],
  ])('%j: exit 2', async (words, why) => {
    const server = await portal();
    expect(await unpriced(server, [...dollars, ...words])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(why),
    });
    expect(server.asked).toEqual([]);
  });
});

describe('wrong input ends with 2 and is not sent', () => {
  test.each([
    [
      'a wrong checksum',
      ['--buyer-address', buyer.toUpperCase().replace('0X', '0x').replace('B7B7', 'b7B7')],
      /wrong checksum/,
    ],
    ['no address', ['--buyer-address', 'me'], /not an address/],
    ['five decimals', ['--price', '0.12345'], /at most 4 decimals/],
    ['too little', ['--price', '0.001'], /minimum charge .* 0\.01 KAIA/],
    ['too much', ['--price', '1000000'], /maximum charge .* 999999/],
    ['no number', ['--price', '1e3'], /plain decimal/],
    ['a currency of another gateway', ['--currency-code', 'USD'], /CRYPTO does not take the currency USD/],
    ['an unknown gateway', ['--pg-type', 'CASH'], /Allowed choices/],
    ['an in-app purchase as a test', ['--pg-type', 'LINE_IAP', '--currency-code', 'JPY'], /no test mode/],
    ['a picture without a URL', ['--image-url', 'javascript:alert(1)'], /not an http/],
    ['a picture with a blank', ['--image-url', 'http://x/a b'], /not an http/],
    ['a long name', ['--name', 'n'.repeat(257)], /longer than 256/],
    ['a long picture', ['--image-url', `http://x/${'y'.repeat(512)}`], /longer than 512/],
    ['a name that turns around', ['--name', 'a\u202eb'], /control characters/],
    ['an empty item', ['--item-identifier', ' '], /is missing/],
  ])('%s', async (_name, words, why) => {
    const server = await portal();
    expect(await pay(server, words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
    expect(server.asked).toEqual([]);
  });
});

test.each<[PaymentGateway, string, string, RegExp | null]>([
  ['CRYPTO', 'KAIA', '0.01', null],
  ['CRYPTO', 'KAIA', '999999.0000', null],
  ['CRYPTO', 'KAIA', '999999.0001', /maximum/],
  ['CRYPTO', 'KAIA', '01', /plain/],
  ['CRYPTO', 'KAIA', '-1', /plain/],
  ['CRYPTO', 'KAIA', '1.', /plain/],
  ['CRYPTO', 'USDT', '0.01', null],
  ['CRYPTO', 'USDT', '0.001', /2 decimals/],
  ['STRIPE', 'USD', '50', null],
  ['STRIPE', 'USD', '49', /minimum charge .* 50 USD cents/],
  ['STRIPE', 'USD', '0.5', /whole number of cents/],
  ['STRIPE', 'USD', '99999900', null],
  ['STRIPE', 'KRW', '749', /750/],
  ['STRIPE', 'JPY', '80', null],
  ['STRIPE', 'THB', '1800', null],
  ['STRIPE', 'TWD', '1699', /1700/],
  ['STRIPE', 'KAIA', '1', /does not take/],
  ['LINE_IAP', 'JPY', '120', null],
  // Priced by its store: both ends take what the store may charge.
  ['LINE_IAP', 'USD', '1.5', null],
  ['LINE_IAP', 'jpy', '120', /capital/],
])('%s %s %s', (gateway, code, price, why) => {
  const problem = priceProblem(gateway, code, price);
  if (why === null) expect(problem).toBeNull();
  else expect(problem).toMatch(why);
});
