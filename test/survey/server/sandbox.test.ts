/** `survey serve --sandbox` from its first line to a join and a payment with what it wrote. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Wallet } from 'ethers/wallet';
import { expect, test } from 'vitest';
import { destatMessage } from '../../../src/survey/protocol/message.js';
import { during } from '../../peers/during.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { inner, listed, request } from './support.js';

const json = { 'content-type': 'application/json' };

test('signals are handled before the address is printed', async () => {
  const { host, abort, texts, line } = fakeHost(['survey', 'serve', '--sandbox', '--port', '0']);
  const heard: string[] = [];
  const late = Object.defineProperty({ ...host }, 'signal', {
    get() {
      heard.push(texts.out);
      return abort.signal;
    },
  });
  const printed = line(/--price 1\n/);
  const ended = main(late);
  await during(ended, printed);
  abort.abort();
  expect(await ended).toBe(0);
  expect(heard[0]).toBe('');
});

test('the sandbox serves its printed commands, then cleans up', async () => {
  const { host, abort, texts, line } = fakeHost(['survey', 'serve', '--sandbox', '--port', '0']);
  const printed = line(/survey pay[\s\S]*--price 1\n/);
  const ended = main(host);
  await during(ended, printed);
  const [url = ''] = texts.out.split('\n');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(texts.out).toContain('not for production');
  expect(texts.out.split('\n').filter((line) => line.length >= 80 && !line.includes(tmpdir()))).toEqual([]);
  const id = /survey join (0x\w+)/.exec(texts.out)?.[1] ?? '';
  const commitment = /--commitment \\\s+(\d+)/.exec(texts.out)?.[1] ?? '';
  const file = (option: string) => new RegExp(`--${option} (?:\\\\\\s+)?(\\S+)`).exec(texts.out)?.[1] ?? '';
  expect(statSync(file('key-file')).mode & 0o077).toBe(0);
  const wallet = new Wallet(readFileSync(file('key-file'), 'utf8').trim());
  const idToken = readFileSync(file('id-token-file'), 'utf8').trim();
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
  };
  const signature = wallet.signMessageSync(destatMessage(claims.sub, wallet.address));
  const join = { id, commitment, signature, idToken, account: wallet.address };

  expect(await listed(url, id)).toEqual([]);
  const joined = await request(`${url}/api/group/join`, 'POST', join);
  expect([joined.status, inner(joined, 'data').status]).toEqual([200, 1]);
  expect(await listed(url, id)).toEqual([commitment]);
  const order = {
    buyerAddress: wallet.address,
    itemIdentifier: 'sticker',
    name: 'Sticker',
    price: '1',
    testMode: true,
    imageUrl: 'https://example.com/s.png',
    pgType: 'CRYPTO',
    currencyCode: 'KAIA',
  };
  const paid = await request(`${url}/api/store`, 'POST', order);
  expect(JSON.parse(paid.body)).toEqual({ pId: 'sandbox-1' });
  expect((await request(`${url}/api/store`, 'POST', { ...order, testMode: false })).status).toBe(400);

  const operator = { authorization: 'Bearer sandbox-secret' };
  const settle = () => request(`${url}/api/store/finalize`, 'POST', { id: 'sandbox-1' }, operator);
  expect((await settle()).status).toBe(400);
  const portal = /stand-ins at (\S+)/.exec(texts.err)?.[1];
  expect((await request(`${portal}/pay`, 'POST', '{"id":"sandbox-1"}', json)).status).toBe(200);
  const state = await request(`${url}/api/store/status?id=sandbox-1`, 'GET');
  expect(JSON.parse(state.body)).toMatchObject({ status: 'CONFIRMED', verified: true });
  expect((await settle()).status).toBe(200);
  const fresh = await request(`${portal}/token`, 'POST', JSON.stringify({ user: 'someone' }), json);
  const second = { ...join, commitment: '2', idToken: JSON.parse(fresh.body).idToken };
  const theirs = wallet.signMessageSync(destatMessage('someone', wallet.address));
  const answer = await request(`${url}/api/group/join`, 'POST', { ...second, signature: theirs });
  expect(answer.status).toBe(200);

  abort.abort('SIGTERM');
  expect(await ended).toBe(0);
  expect(existsSync(file('key-file'))).toBe(false);
  expect(texts.err).not.toContain(idToken);
  expect(texts.err).not.toContain(signature);
});

test.each(['0.0.0.0', '127.example', 'localhost.example'])(
  'the sandbox refuses to listen on %s',
  async (name) => {
    const { host, texts } = fakeHost(['survey', 'serve', '--sandbox', '--host', name, '--port', '0']);
    expect(await main(host)).toBe(2);
    expect(texts.err).toContain('loopback only');
  },
);

test('a sandbox with a store is refused: it would not use it', async () => {
  const { host, texts } = fakeHost(['survey', 'serve', '--sandbox', '--store', '/nowhere/survey.db']);
  expect(await main(host)).toBe(2);
  expect(texts).toEqual({ out: '', err: expect.stringMatching(/--sandbox .* does not use --store/) });
});

test('on Windows the sandbox prints each command in one line', async () => {
  const { host, abort, texts, line } = fakeHost(['survey', 'serve', '--sandbox', '--port', '0']);
  const printed = line(/--price 1\n/);
  const ended = main({ ...host, platform: 'win32' });
  await during(ended, printed);
  abort.abort();
  expect(await ended).toBe(0);
  const commands = texts.out.split('\n').filter((one) => one.startsWith('  kaiactl '));
  expect(commands).toEqual([
    expect.stringMatching(/^ {2}kaiactl survey members \S+ --api-url \S+$/),
    expect.stringMatching(/ --key-file \S+wallet"? --id-token-file \S+token"? --commitment \d+$/),
    expect.stringMatching(/ --name Sticker --image-url \S+ --price 1$/),
  ]);
  expect(texts.out).not.toContain('\\\n');
});
