/**
 * The fault table, what a server depends on: its node killed, hung, on another chain; no funds; the platform and the
 * portal down. Broken at random points while people join: no acknowledged join is lost or doubled, each user can
 * join in the end, and each error is reported as an outage.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ServeSettings, serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { Proxied } from '../../survey/chain/proxied.js';
import { order } from '../../survey/order.js';
import { chainDefaults, channel, listed, request, settings, stub } from '../../survey/server/support.js';
import { chance, faults, People, type Place, until, whileBroken } from './people.js';

const persons = Math.max(8, 3 * faults);
const timeout = 300_000 + faults * 60_000;

type Down = 'hang up' | 'silence' | { status: number; body: string } | null;

/** A platform where everybody's token is their own name, and which a test can put down. */
async function platform() {
  const state: { down: Down } = { down: null };
  const { url } = await stub(({ path, headers }) => {
    if (state.down !== null) return state.down;
    return path.startsWith('/verify')
      ? { body: `{"client_id":"${channel}","expires_in":60}` }
      : { body: `{"userId":"${headers.authorization?.slice(7)}"}` };
  });
  const addresses = { accessVerifyUrl: `${url}/verify`, profileUrl: `${url}/profile` };
  const tokens = (await settings()).tokens as NonNullable<ServeSettings['tokens']>;
  return { state, tokens: { ...tokens, ...addresses, timeoutMs: 2000 } };
}

describe.skipIf(noAnvil !== null)('what joins depend on fails', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain('--block-time', '0.3');
  });
  afterAll(() => chain?.stop());

  /** A server with one join per user, whose node and platform a test can break. */
  async function serving(manager: number, minedMs = 6000) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-faults-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const survey = String((await chain.survey('Survey', manager)).target);
    const node = new Proxied(chain.url);
    const secret = participantSecret(join(folder, 'secret'));
    const { state, tokens } = await platform();
    const running = await serve({
      ...(await settings()),
      secret,
      tokens,
      policy: { onePerUser: true, scheme: 'any' as const },
      surveys: [survey],
      openStorage: () => openStorage(join(folder, 'survey.db'), secret),
      chain: {
        ...chainDefaults,
        rpcTimeoutMs: 2000,
        minedMs,
        rpcUrls: [await node.listen()],
        managerKey: account(manager).privateKey,
      },
    });
    onTestFinished(() => running.close());
    const people = (...codes: Place['codes']) =>
      new People({
        server: () => running.url,
        token: (userId) => userId,
        survey,
        together: 6,
        codes,
      });
    return { node, platform: state, people, members: () => listed(running.url, survey) };
  }

  test(
    'the node is killed',
    async () => {
      const { node, people, members } = await serving(1);
      const who = people();
      await whileBroken(persons, who, [() => node.kill(), () => node.listen()]);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the node hangs',
    async () => {
      const { node, people, members } = await serving(2);
      const hang = (hangs: boolean) => () => Object.assign(node, { hangs });
      const who = people();
      await whileBroken(persons, who, [hang(true), hang(false)]);
      await expect.poll(members).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the node takes transactions and says no more of them',
    async () => {
      const { node, people, members } = await serving(3, 2000);
      const { answers } = node;
      const who = people();
      await whileBroken(persons, who, [
        () => Object.assign(answers, { eth_getTransactionReceipt: null }),
        () => delete answers.eth_getTransactionReceipt,
      ]);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the node swallows transactions',
    async () => {
      const { node, people, members } = await serving(7, 2000);
      const { answers } = node;
      const who = people();
      await whileBroken(persons, who, [
        () => Object.assign(answers, { eth_sendRawTransaction: `0x${'0'.repeat(64)}` }),
        () => delete answers.eth_sendRawTransaction,
      ]);
      await expect.poll(members).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the node limits the rate of requests for longer than a join may take',
    async () => {
      const { node, people, members } = await serving(8, 1000);
      const limit = (limits: boolean) => () => Object.assign(node, { limits });
      const who = people();
      await whileBroken(persons, who, [limit(true), limit(false)]);
      await expect.poll(members).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the fee of the chain is above the limit',
    async () => {
      const { people, members } = await serving(9);
      const set = (fee: string) => () => chain.provider.send('anvil_setNextBlockBaseFeePerGas', [fee]);
      const who = people('FEE_TOO_HIGH');
      await whileBroken(persons, who, [set('0x38d7ea4c68000'), set('0x3b9aca00')]);
      await expect.poll(members).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the chain drops acknowledged joins: they are sent again without another transaction',
    async () => {
      const { people, members } = await serving(6);
      const who = people();
      const random = chance();
      const done = who.join(persons);
      for (let fault = 0; fault < faults; fault++) {
        await until(() => who.joined >= ((fault + random()) * persons) / faults || who.all, who, done);
        const snapshot = await chain.provider.send('evm_snapshot', []);
        const before = who.joined;
        await until(() => who.joined > before || who.all, who, done);
        await chain.provider.send('evm_revert', [snapshot]);
      }
      await done;
      await expect.poll(members, { timeout: 60_000 }).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the node is on another chain',
    async () => {
      const { node, people, members } = await serving(4);
      const { answers } = node;
      const who = people('WRONG_CHAIN');
      await whileBroken(persons, who, [
        () => Object.assign(answers, { eth_chainId: '0x2019' }),
        () => delete answers.eth_chainId,
      ]);
      await expect.poll(members).toHaveLength(persons);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the manager has no funds',
    async () => {
      const { people, members } = await serving(5);
      const set = (balance: string) => () =>
        chain.provider.send('anvil_setBalance', [account(5).address, balance]);
      const who = people('INSUFFICIENT_FUNDS');
      await whileBroken(persons, who, [set('0x0'), set('0x56bc75e2d63100000')]);
      who.check(await members());
    },
    timeout,
  );

  test(
    'the platform is down, hangs, or answers 503',
    async () => {
      const { platform, people, members } = await serving(6);
      const random = chance();
      const outages: readonly Down[] = ['hang up', 'silence', { status: 503, body: '<html>' }];
      const who = people();
      await whileBroken(persons, who, [
        () => Object.assign(platform, { down: outages[Math.floor(random() * outages.length)] }),
        () => Object.assign(platform, { down: null }),
      ]);
      who.check(await members());
    },
    timeout,
  );
});

/** The order as the portal records it. */
const { itemIdentifier, buyerAddress: buyerDappPortalAddress, pgType, currencyCode, price, testMode } = order;
const recorded = {
  pgType,
  currencyCode,
  price,
  testMode,
  buyerDappPortalAddress,
  items: [{ itemIdentifier }],
};
const idOf = (path: string) => new URL(path, 'http://portal').searchParams.get('id');

test(
  'the portal is down, hangs, or answers 503: nothing is paid unseen, no callback is lost',
  async () => {
    const random = chance();
    let down: Down = null;
    let created = 0;
    const portal = await stub(({ path }) => {
      if (down !== null) return down;
      if (path.includes('/create')) return { body: `{"id":"pay_${++created}"}` };
      return {
        body: path.includes('/status')
          ? '{"status":"CONFIRMED"}'
          : JSON.stringify({ ...recorded, id: idOf(path) }),
      };
    });
    const { url, close } = await serve({
      ...(await settings()),
      portal: (base) => ({
        url: portal.url,
        clientId: 'i',
        clientSecret: 's',
        callbackField: 'both',
        timeoutMs: 1500,
        confirmUrl: `${base}/c`,
        lockUrl: null,
        unlockUrl: null,
      }),
    });
    onTestFinished(close);
    const pay = () => request(`${url}/api/store`, 'POST', order);
    const status = async (id: string) =>
      JSON.parse((await request(`${url}/api/store/status?id=${id}`, 'GET')).body);
    for (let fault = 1; fault <= faults; fault++) {
      const id = `pay_${fault}`;
      expect(JSON.parse((await pay()).body)).toEqual({ pId: id });
      down =
        (['hang up', 'silence', { status: 503, body: '<html>' }] as const)[Math.floor(random() * 3)] ?? null;
      const [refused, callback] = await Promise.all([
        pay(),
        request(`${url}/api/store/callback`, 'POST', { paymentId: id, status: 'CONFIRMED' }),
      ]);
      expect([refused.status, callback.status]).toEqual([400, 200]);
      expect(JSON.parse(refused.body)).toEqual({ message: 'Payment is failed' });
      expect(await status(id)).toMatchObject({ status: 'CREATED', claimed: 'CONFIRMED' });
      down = null;
      expect(await status(id)).toMatchObject({ status: 'CONFIRMED', verified: true, claimed: null });
    }
  },
  timeout,
);
