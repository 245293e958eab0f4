/** `survey serve --sandbox` from its first line to a join and a payment with what it wrote. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { Wallet } from 'ethers/wallet';
import { expect, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import { main } from '../../../src/main.js';
import { destatMessage } from '../../../src/survey/message.js';
import { inner, listed, request } from './support.js';

/** A host whose output is collected; `line` resolves once stdout holds what is asked for. */
function fakeHost(argv: readonly string[]) {
  const abort = new AbortController();
  const texts = { out: '', err: '' };
  const waiting: { pattern: RegExp; resolve(match: RegExpExecArray): void }[] = [];
  const stdout = new Writable({
    write(chunk, _, done) {
      texts.out += String(chunk);
      for (const { pattern, resolve } of waiting) {
        const match = pattern.exec(texts.out);
        if (match !== null) resolve(match);
      }
      done();
    },
  });
  const stderr = new Writable({
    write(chunk, _, done) {
      texts.err += String(chunk);
      done();
    },
  });
  const host: Host = {
    ...{ argv, env: {}, cwd: '/', platform: 'linux', stdin: Readable.from([]), stdout, stderr },
    ...{ now: Date.now, signal: abort.signal },
  };
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => waiting.push({ pattern, resolve }));
  return { host, abort, texts, line };
}

test('the sandbox serves what its printed commands need, then cleans up', async () => {
  const { host, abort, texts, line } = fakeHost(['survey', 'serve', '--sandbox', '--port', '0']);
  const printed = line(/survey pay[\s\S]*--price 1\n/);
  const ended = main(host);
  await printed;
  const [url = ''] = texts.out.split('\n');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(texts.out).toContain('not for production');
  const id = /survey join (0x\w+)/.exec(texts.out)?.[1] ?? '';
  const commitment = /--commitment \\\s+(\d+)/.exec(texts.out)?.[1] ?? '';
  const file = (option: string) => new RegExp(`--${option} (\\S+)`).exec(texts.out)?.[1] ?? '';
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
    ...{
      buyerAddress: wallet.address,
      itemIdentifier: 'sticker',
      name: 'Sticker',
      price: '1',
      testMode: true,
    },
    ...{ imageUrl: 'https://example.com/s.png', pgType: 'CRYPTO', currencyCode: 'KAIA' },
  };
  const paid = await request(`${url}/api/store`, 'POST', order);
  expect(JSON.parse(paid.body)).toEqual({ pId: 'sandbox-1' });
  expect((await request(`${url}/api/store`, 'POST', { ...order, testMode: false })).status).toBe(400);

  abort.abort('SIGTERM');
  expect(await ended).toBe(0);
  expect(existsSync(file('key-file'))).toBe(false);
  expect(texts.err).not.toContain(idToken);
  expect(texts.err).not.toContain(signature);
}, 15_000);

test('the sandbox refuses to be reached from outside', async () => {
  const { host, texts } = fakeHost(['survey', 'serve', '--sandbox', '--host', '0.0.0.0', '--port', '0']);
  expect(await main(host)).toBe(2);
  expect(texts.err).toContain('loopback only');
});

test('without a place for its groups the server does not start', async () => {
  const { host, texts } = fakeHost(['survey', 'serve']);
  expect(await main(host)).toBe(2);
  expect(texts.err).toContain('--store FILE');
});
