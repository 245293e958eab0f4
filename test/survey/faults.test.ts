/**
 * The fault table: whatever fails while people join, no acknowledged join is lost, none is double, nobody is locked
 * out. KAIACTL_TEST_FAULTS=100 for a long run, KAIACTL_TEST_SEED for another one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { destatMessage } from '../../src/survey/protocol/message.js';
import { type ServeSettings, serve } from '../../src/survey/server/serve.js';
import { openStorage } from '../../src/survey/store/open.js';
import { participantSecret } from '../../src/survey/store/participant-secret.js';
import { seed } from '../seed.js';
import { account, type Chain, noAnvil, startChain } from './chain/anvil.js';
import { Proxied } from './chain/proxied.js';
import { notBuilt, type Spawned, spawnServer, token } from './server/process.js';
import {
  chainDefaults,
  inner,
  joinBody,
  listed,
  request,
  settings,
  stub,
  survey,
  wallet,
} from './server/support.js';
import { noPostgres, startPostgres } from './store/postgres.js';

const faults = Number(process.env.KAIACTL_TEST_FAULTS ?? 2);

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function chance(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** People who each try to join, under another commitment every time, until they are told that they have. */
class People {
  readonly acknowledged: string[] = [];
  readonly #count: number;
  readonly #id: string;
  /** Of refusals on the way. */
  readonly codes = new Set<unknown>();
  joined = 0;

  constructor(count: number, id = survey) {
    this.#count = count;
    this.#id = id;
  }

  /** All of them, each at a server of the choice at hand; resolves when everybody has joined. */
  async join(server: () => string): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, (_, n) => this.#one(n, server)));
  }

  /** The commitments person n may have joined with. */
  static of(n: number): RegExp {
    return new RegExp(`^${n + 1}0\\d{4}$`);
  }

  async #one(n: number, server: () => string): Promise<void> {
    const userId = `U${String(n).padStart(32, '0')}`;
    const idToken = await token(userId);
    const signature = wallet.signMessageSync(destatMessage(userId, wallet.address));
    for (let attempt = 0; ; attempt++) {
      const commitment = `${n + 1}0${String(attempt).padStart(4, '0')}`;
      const body = joinBody(commitment, { id: this.#id, idToken, signature });
      const answer = await request(`${server()}/api/group/join`, 'POST', body).catch(() => null);
      if (answer?.status === 200) {
        this.acknowledged.push(commitment);
        this.joined += 1;
        return;
      }
      const code = answer === null ? null : inner(answer, 'error').code;
      if (code === 'ALREADY_JOINED') {
        this.joined += 1;
        return;
      }
      this.codes.add(code);
      expect([null, 'UNAVAILABLE', 'ALREADY_JOINING', 'TIMEOUT']).toContain(code);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** None lost, none double, nobody locked out. */
  check(members: readonly string[]): void {
    expect(this.acknowledged.filter((one) => !members.includes(one))).toEqual([]);
    const memberships = Array.from({ length: this.#count }, (_, n) => {
      return members.filter((one) => People.of(n).test(one)).length;
    });
    expect(memberships).toEqual(memberships.map(() => 1));
  }
}

/** Servers as processes, ended with -9 and started anew while people join. */
async function killed(count: number, words: readonly string[], others: () => Promise<void>): Promise<void> {
  const random = chance(seed);
  const servers: Spawned[] = await Promise.all(Array.from({ length: count }, () => spawnServer(words)));
  onTestFinished(() => {
    for (const { child } of servers) child.kill('SIGKILL');
  });
  const people = new People(20 * faults);
  const done = people.join(() => servers[Math.floor(Math.random() * count)]?.url ?? '');
  for (let fault = 1; fault <= faults; fault++) {
    const wanted = (fault - random()) * 20;
    await expect.poll(() => people.joined >= wanted, { timeout: 60_000, interval: 5 }).toBe(true);
    const victim = Math.floor(random() * (count + (count > 1 ? 1 : 0)));
    if (victim === count) await others();
    else {
      servers[victim]?.child.kill('SIGKILL');
      await servers[victim]?.ended;
      servers[victim] = await spawnServer(words);
    }
  }
  await done;
  await expect
    .poll(async () => (await listed(servers[0]?.url ?? '')).length, { timeout: 5000 })
    .toBe(20 * faults);
  people.check(await listed(servers[0]?.url ?? ''));
}

describe.skipIf(notBuilt !== null)('killed with -9 at random points', () => {
  const timeout = 60_000 + faults * 20_000;
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'kaiactl-faults-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const common = ['--survey', survey, '--rate-limit', '0', '--one-per-user'];

  test(
    'one server and its file',
    () => killed(1, ['--store', join(folder(), 'survey.db'), ...common], async () => undefined),
    timeout,
  );

  test('the disk is full', async () => {
    const words = ['--store', join(folder(), 'survey.db'), ...common];
    let server = await spawnServer(words, 400);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const people = new People(60);
    const done = people.join(() => server.url);
    await expect.poll(() => people.codes.has('UNAVAILABLE'), { timeout: 20_000 }).toBe(true);
    expect(server.child.exitCode).toBeNull();
    server.child.kill('SIGKILL');
    await server.ended;
    server = await spawnServer(words);
    await done;
    people.check(await listed(server.url));
  }, 60_000);

  test.skipIf(noPostgres !== null)(
    'three servers and their database',
    async () => {
      const cluster = await startPostgres();
      onTestFinished(() => cluster.stop());
      const words = ['--store', cluster.database(), '--participant-secret-file', join(folder(), 'secret')];
      await killed(3, [...words, ...common], async () => {
        await cluster.kill();
        await cluster.start();
      });
    },
    timeout,
  );
});

describe.skipIf(noAnvil !== null)('what a server depends on fails', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain('--block-time', '0.3');
  }, 60_000);
  afterAll(() => chain?.stop());

  /** A server with one join per user, whose node and platform a test can break. */
  async function serving(manager: number, change: Partial<ServeSettings> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-faults-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const id = String((await chain.survey('Survey', manager)).target);
    const node = new Proxied(chain.url);
    const secret = participantSecret(join(folder, 'secret'));
    const running = await serve({
      ...(await settings()),
      ...{ secret, onePerUser: true, surveys: [id] },
      openStorage: () => openStorage(join(folder, 'survey.db'), secret),
      chain: {
        ...{ ...chainDefaults, callMs: 500, patienceMs: 500, minedMs: 4000 },
        ...{ rpcUrl: await node.listen(), managerKey: account(manager).privateKey },
      },
      ...change,
    });
    onTestFinished(() => running.close());
    const join_ = (commitment: number) =>
      request(`${running.url}/api/group/join`, 'POST', joinBody(String(commitment), { id }));
    const code = async (commitment: number) => {
      const answer = await join_(commitment);
      return answer.status === 200 ? 200 : String(inner(answer, 'error').code);
    };
    return { ...running, id, node, code, members: () => listed(running.url, id) };
  }

  /** While broken a join is refused as that code; repaired, the same person joins, once. */
  async function outage(
    { code, members }: Awaited<ReturnType<typeof serving>>,
    expected: string | RegExp,
    [breaks, repairs]: readonly [() => unknown, () => unknown],
  ): Promise<void> {
    await breaks();
    await expect.poll(() => code(1), { timeout: 5000 }).toMatch(expected);
    await repairs();
    await expect
      .poll(() => code(2), { timeout: 15_000 })
      .toSatisfy((is) => is === 200 || is === 'ALREADY_JOINED');
    expect(await code(3)).toBe('ALREADY_JOINED');
    expect(await members()).toHaveLength(1);
  }

  test('the node hangs', async () => {
    const one = await serving(1);
    const set = (hangs: boolean) => () => {
      one.node.hangs = hangs;
    };
    await outage(one, /UNAVAILABLE/, [set(true), set(false)]);
  }, 40_000);

  test('the node hangs after it has taken the transaction', async () => {
    const one = await serving(2);
    const { answers } = one.node;
    await outage(one, /TIMEOUT|ALREADY_JOINING/, [
      () => {
        answers.eth_getTransactionReceipt = null;
      },
      () => {
        delete answers.eth_getTransactionReceipt;
      },
    ]);
  }, 40_000);

  test('the node is on another chain', async () => {
    const one = await serving(3);
    await outage(one, /WRONG_CHAIN/, [
      () => {
        one.node.answers.eth_chainId = '0x2019';
      },
      () => {
        delete one.node.answers.eth_chainId;
      },
    ]);
  }, 40_000);

  test('the manager has no funds', async () => {
    const one = await serving(4);
    const set = (balance: string) => () =>
      chain.provider.send('anvil_setBalance', [account(4).address, balance]);
    await outage(one, /INSUFFICIENT_FUNDS/, [set('0x0'), set('0x56bc75e2d63100000')]);
  }, 40_000);

  test('the platform is down, or answers 503', async () => {
    let down: 'hang up' | { status: number; body: string } | null = null;
    const good = await settings();
    const profile = (path: string) =>
      path.startsWith('/verify')
        ? { body: `{"client_id":"${good.tokens?.channelId}","expires_in":60}` }
        : { body: '{"userId":"someone"}' };
    const platform = await stub(({ path }) => down ?? profile(path));
    const tokens = { accessVerifyUrl: `${platform.url}/verify`, profileUrl: `${platform.url}/profile` };
    const signature = wallet.signMessageSync(destatMessage('someone', wallet.address));
    const { url, id } = await serving(6, {
      tokens: { ...(good.tokens as NonNullable<typeof good.tokens>), ...tokens },
    });
    const code = async () => {
      const answer = await request(`${url}/api/group/join`, 'POST', joinBody('1', { id, signature }));
      return answer.status === 200 ? 200 : inner(answer, 'error').code;
    };
    for (const outage of ['hang up', { status: 503, body: '<html>' }] as const) {
      down = outage;
      expect(await code()).toBe('UNAVAILABLE');
    }
    down = null;
    expect(await code()).toBe(200);
  }, 40_000);
});
