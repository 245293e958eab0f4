/** The original web client in a browser, on a page of another origin than the API's. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installed, quietChromium } from '../../node/report/tools.js';
import { joinBody, listed, started, survey, userId, wallet } from './support.js';

/** Serves an empty page; resolves with its origin. */
async function origin(): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the original client asks, and what its page then shows. */
const client = (api: string, body: object) => `(async () => {
  const members = async () => {
    const answer = await fetch(${JSON.stringify(`${api}/api/group/members?id=${survey}`)}, { method: 'GET' });
    return JSON.parse((await answer.json()).data).members;
  };
  const join = async () => {
    const answer = await fetch(${JSON.stringify(`${api}/api/group/join`)}, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(body))},
    });
    const text = await answer.json();
    if (answer.status === 200) return JSON.parse(text.data).logs.length;
    const error = JSON.parse(text.error);
    return error.shortMessage + ': ' + error.reason;
  };
  try {
    return [await members(), await join(), await members(), await join()];
  } catch (error) {
    return String(error);
  }
})()`;

describe.skipIf(!installed('chromium', 'the survey API asked by a browser'))('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: quietChromium });
  });
  afterAll(() => browser?.close());

  test('the client of a listed origin works, another origin’s is stopped by the browser', async () => {
    const [ours, strangers] = [await origin(), await origin()];
    const { url } = await started({ origins: [ours] });
    const shown = async (at: string, commitment: string) => {
      const page = await browser.newPage();
      await page.goto(at);
      return page.evaluate(client(url, joinBody(commitment)));
    };
    const refused = 'this commitment is already in the group: LeafAlreadyExists';
    expect(await shown(strangers, '7')).toBe('TypeError: Failed to fetch');
    expect(await listed(url)).toEqual([]);
    expect(await shown(ours, '7')).toEqual([[], 1, ['7'], refused]);
    expect(await listed(url)).toEqual(['7']);
  });

  test('the function of docs/survey-web-app.md signs, joins and polls', async () => {
    const ours = await origin();
    const { url } = await started({ origins: [ours] });
    const page = await browser.newPage();
    await page.goto(ours);
    const asked: string[] = [];
    await page.exposeFunction('ask', async (method: string, [message = '']: string[] = []) => {
      asked.push(method);
      if (method === 'eth_requestAccounts') return [wallet.address];
      return wallet.signMessage(Buffer.from(message.slice(2), 'hex'));
    });
    const text = readFileSync(new URL('../../../docs/survey-web-app.md', import.meta.url), 'utf8');
    const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const { idToken } = joinBody('1');
    const call = (commitment: string) => `(async () => {
      ${code}
      const provider = { request: ({ method, params }) => ask(method, params) };
      const values = ${JSON.stringify({ api: url, survey, commitment, idToken, userId })};
      return joinSurvey({ ...values, provider }).catch((error) => error.message);
    })()`;
    expect(await page.evaluate(call('11'))).toBe(0);
    expect(await page.evaluate(call('12'))).toBe(1);
    expect(await page.evaluate(call('12'))).toBe('this commitment is already in the group');
    expect(await listed(url)).toEqual(['11', '12']);
    expect(new Set(asked)).toEqual(new Set(['eth_requestAccounts', 'personal_sign']));
  });
});
