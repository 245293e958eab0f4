/**
 * The fault table, what a server compares and whom it believes: a damaged group, the platform's keys out of reach, and a
 * flood of tokens that only a silent platform could check. The other groups and the genuine tokens are served.
 */
import { expect, onTestFinished, test } from 'vitest';
import { tokenIssuer } from '../../../src/survey/server/sandbox.js';
import { type ServeSettings, serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import {
  channel,
  inner,
  joinBody,
  listed,
  request,
  settings,
  stub,
  survey,
} from '../../survey/server/support.js';
import { chance, faults, People, whileBroken } from './people.js';

const persons = Math.max(8, 3 * faults);
const timeout = 300_000 + faults * 60_000;
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const issuer = 'https://access.line.me';

async function tokensAt(url: string): Promise<NonNullable<ServeSettings['tokens']>> {
  const { tokens } = await settings();
  if (tokens === null) throw new Error('the settings of tests accept tokens');
  const addresses = { jwksUrl: `${url}/certs`, accessVerifyUrl: `${url}/verify`, profileUrl: `${url}/me` };
  return { ...tokens, ...addresses, timeoutMs: 2000 };
}

/** A platform whose keys a test can change and withhold; it never answers about an access token. */
async function platform() {
  const issuers = [await tokenIssuer(issuer, channel, 'key 0')];
  const state = { isDown: false };
  const { url } = await stub(({ path }) => {
    if (!path.startsWith('/certs')) return 'silence';
    if (state.isDown) return { status: 503, body: '<html>' };
    return { body: JSON.stringify({ keys: issuers.flatMap(({ jwks }) => jwks.keys) }) };
  });
  return {
    state,
    tokens: await tokensAt(url),
    rotate: async () => void issuers.push(await tokenIssuer(issuer, channel, `key ${issuers.length}`)),
    token: (userId: string) => issuers.at(-1)?.issue(userId) ?? '',
  };
}

test(
  'a group is damaged: it takes no join until it is repaired, and the other one is served',
  async () => {
    const { tokens, token } = await platform();
    const base = await settings();
    const storage = await openStorage(':memory:', base.secret);
    const running = await serve({
      ...base,
      tokens,
      surveys: [survey, other],
      openStorage: async () => storage,
      policy: { onePerUser: true, scheme: 'any' },
    });
    onTestFinished(() => running.close());
    const who = new People({ server: () => running.url, token, together: 4, codes: ['STORE_DAMAGED'] });
    const damage = (from: string, to: string) => async () => {
      const sql = `UPDATE members SET commitment = ${to} WHERE position = 0 AND group_id = 0 AND commitment LIKE ?`;
      await storage.run(sql, from);
      await running.check();
      expect(await listed(running.url, other)).toEqual([]);
    };
    await who.join(1);
    await whileBroken(persons, who, [
      damage('%', "'9' || commitment"),
      damage('9%', 'SUBSTR(commitment, 2)'),
    ]);
    who.check(await listed(running.url));
  },
  timeout,
);

test(
  'the platform has a new key, and its keys cannot be read',
  async () => {
    const { state, tokens, token, rotate } = await platform();
    const running = await serve({
      ...(await settings()),
      tokens,
      policy: { onePerUser: true, scheme: 'any' as const },
    });
    onTestFinished(() => running.close());
    const who = new People({ server: () => running.url, token, together: 6, codes: [] });
    await whileBroken(persons, who, [
      async () => {
        state.isDown = true;
        await rotate();
        const health = JSON.parse((await request(`${running.url}/healthz`, 'GET')).body);
        expect(health).toHaveProperty('platformUp');
      },
      () => Object.assign(state, { isDown: false }),
    ]);
    who.check(await listed(running.url));
  },
  timeout,
);

test(
  'thousands of tokens that only a silent platform could check do not keep one genuine join out',
  async () => {
    const { tokens, token } = await platform();
    const running = await serve({
      ...(await settings()),
      tokens: { ...tokens, timeoutMs: 300 },
      policy: { onePerUser: true, scheme: 'any' as const },
    });
    onTestFinished(() => running.close());
    const random = chance();
    const people = () => new People({ server: () => running.url, token, together: 20, codes: [] });
    // The platform's keys are known before: reading them has a deadline, which a busy machine may miss.
    await people().join(1);
    for (let fault = 0; fault < faults; fault++) {
      const flood = Array.from({ length: 1300 }, (_, n) => {
        const body = joinBody(String(n + 1), { idToken: `garbage${random()}` });
        return request(`${running.url}/api/group/join`, 'POST', body);
      });
      const who = people();
      who.came = fault * 20;
      await who.join(20);
      expect(who.refused).toBe(0);
      const codes = (await Promise.all(flood)).map((answer) => inner(answer, 'error').code);
      // A slow machine takes the tokens one after another: then none waits for a slot.
      expect(codes.filter((code) => code !== 'BUSY' && code !== 'UNAVAILABLE')).toEqual([]);
    }
    expect(await listed(running.url)).toHaveLength(faults * 20);
  },
  timeout,
);
