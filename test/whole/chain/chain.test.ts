/** The server over a real chain, with the real Semaphore contracts. */
import { Group } from '@semaphore-protocol/group';
import type { Contract } from 'ethers/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServeSettings, serve } from '../../../src/survey/server/serve.js';
import { account, act, type Chain, mined, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { Proxied } from '../../survey/chain/proxied.js';
import {
  chainDefaults,
  inner,
  joinBody,
  listed,
  request,
  rpcAnswer,
  settings,
  started,
  stub,
  typedBody,
} from '../../survey/server/support.js';

let chain: Chain;

/** Hashing thousands of members on chain takes a while. */
const long = Number(process.env.KAIACTL_TEST_CHAIN) > 1000;

/** A server of these surveys whose manager is the numbered account. */
async function serving(
  manager: number,
  surveys: readonly unknown[],
  change: Partial<NonNullable<ServeSettings['chain']>> = {},
) {
  const chained = { ...chainDefaults, rpcUrls: [chain.url], managerKey: account(manager).privateKey };
  return started({ chain: { ...chained, ...change }, surveys: surveys.map(String) });
}

const join = (url: string, id: string, commitment: unknown, change: Record<string, unknown> = {}) =>
  request(`${url}/api/group/join`, 'POST', joinBody(String(commitment), { id, ...change }));

/** The root the contract holds for a survey's group. */
async function rootOnChain(survey: Contract): Promise<bigint> {
  const groups = chain.groups();
  return groups.getFunction('getMerkleTreeRoot')(await survey.getFunction('groupId')());
}

function siblings(leaves: readonly string[], index: number): bigint[] {
  return new Group([...leaves]).generateMerkleProof(index).siblings.filter((one) => one !== undefined);
}

describe.skipIf(noAnvil !== null)(
  `on a real chain${noAnvil === null ? '' : ` (skipped: ${noAnvil})`}`,
  () => {
    beforeAll(async () => {
      chain = await startChain();
    });
    afterAll(() => chain?.stop());

    test('a join gives the same result as ethers, and is listed at once', async () => {
      const survey = await chain.survey('Survey', 1);
      const { url } = await serving(1, [survey.target]);
      const id = String(survey.target);
      expect(await listed(url, id)).toEqual([]);
      const answer = await join(url, id, 4711);
      expect(answer.status).toBe(200);
      const receipt = inner(answer, 'data');
      const theirs = await chain.provider.getTransactionReceipt(String(receipt.hash));
      expect(JSON.stringify(receipt)).toBe(JSON.stringify(theirs));
      expect(await listed(url, id)).toEqual(['4711']);
    });

    const atOnce = long ? 100 : 15;
    test(`${atOnce} joins at once all succeed, and after twice as many the roots agree`, async () => {
      const survey = await chain.survey('Survey', 2);
      const { url } = await serving(2, [survey.target]);
      const id = String(survey.target);
      for (const first of [1000, 2000]) {
        const numbers = Array.from({ length: atOnce }, (_, n) => first + n);
        const answers = await Promise.all(numbers.map((commitment) => join(url, id, commitment)));
        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      }
      const members = await listed(url, id);
      expect(new Set(members).size).toBe(2 * atOnce);
      expect(new Group(members).root).toBe(await rootOnChain(survey));
    });

    test('updates and removals, also both in one block, leave the roots equal', async () => {
      const survey = await chain.survey('OpenSurvey', 3);
      const { url } = await serving(3, [survey.target]);
      const id = String(survey.target);
      await act(survey, 'addMembers', [11, 12, 13, 14, 15]);
      expect(await listed(url, id)).toEqual(['11', '12', '13', '14', '15']);
      await act(survey, 'updateMember', 12, 22, siblings(['11', '12', '13', '14', '15'], 1));
      await act(survey, 'removeMember', 15, siblings(['11', '22', '13', '14', '15'], 4));
      await act(survey, 'updateThenRemove', 13, 33, siblings(['11', '22', '13', '14', '0'], 2));
      expect((await join(url, id, 13)).status).toBe(200);
      const members = await listed(url, id);
      expect(members).toEqual(['11', '22', '0', '14', '0', '13']);
      expect(new Group(members).root).toBe(await rootOnChain(survey));
    });

    test.each([
      ['LoudSurvey', long ? 5000 : 450],
      ['OpenSurvey', long ? 5000 : 150],
    ] as const)('%s: %i members are listed whole', async (kind, count) => {
      const survey = await chain.survey(kind, 4);
      const { url } = await serving(4, [survey.target]);
      const all = Array.from({ length: count }, (_, n) => String(n + 1));
      for (let at = 0; at < count; at += 300) await act(survey, 'addMembers', all.slice(at, at + 300));
      expect(await listed(url, String(survey.target))).toEqual(all);
    });

    test('joins that a reorganisation removes are sent again: no acknowledged join is lost', async () => {
      const survey = await chain.survey('Survey', 5);
      const { url } = await serving(5, [survey.target]);
      const id = String(survey.target);
      expect((await join(url, id, 1)).status).toBe(200);
      const before = await chain.provider.send('evm_snapshot', []);
      for (const commitment of [2, 3]) expect((await join(url, id, commitment)).status).toBe(200);
      expect(await listed(url, id)).toEqual(['1', '2', '3']);
      await chain.provider.send('evm_revert', [before]);
      await chain.provider.send('evm_mine', []);
      expect((await join(url, id, 4)).status).toBe(200);
      await expect.poll(async () => (await listed(url, id)).toSorted()).toEqual(['1', '2', '3', '4']);
    });

    test('joins below a deep reorganisation come back, without any other transaction', async () => {
      const survey = await chain.survey('Survey', 9);
      const { url } = await serving(9, [survey.target]);
      const id = String(survey.target);
      const before = await chain.provider.send('evm_snapshot', []);
      const all = Array.from({ length: 12 }, (_, n) => String(n + 1));
      for (const commitment of all) expect((await join(url, id, commitment)).status).toBe(200);
      // The first of them are final.
      await chain.provider.send('anvil_mine', ['0x5']);
      await expect
        .poll(async () => JSON.parse((await request(`${url}/healthz`, 'GET')).body).transactions)
        .toBeLessThan(9);
      await chain.provider.send('evm_revert', [before]);
      await expect
        .poll(async () => (await listed(url, id)).map(Number).toSorted((a, b) => a - b))
        .toEqual(all.map(Number));
    });

    test('a contract wallet signs a join where the server can ask the contract', async () => {
      const survey = await chain.survey('Survey', 8);
      const { url } = await serving(8, [survey.target]);
      const id = String(survey.target);
      // Its isValidSignature accepts 32 bytes of ones.
      const wallet = `0x${'c0'.repeat(20)}`;
      const code = '0x60643519156010576000600052601c565b631626ba7e60e01b6000525b60206000f3';
      await chain.provider.send('anvil_setCode', [wallet, code]);
      const signed = { account: wallet, signature: `0x${'ff'.repeat(32)}` };
      expect(
        inner(await join(url, id, 5, { ...signed, signature: `0x${'fe'.repeat(32)}` }), 'error'),
      ).toMatchObject({
        argument: 'signature',
      });
      expect((await join(url, id, 5, signed)).status).toBe(200);
      expect(await listed(url, id)).toEqual(['5']);
    });

    test('joins survive the use of the manager by another program', async () => {
      const survey = await chain.survey('Survey', 6);
      const { url } = await serving(6, [survey.target]);
      const id = String(survey.target);
      expect((await join(url, id, 1)).status).toBe(200);
      await mined(
        await account(6)
          .connect(chain.provider)
          .sendTransaction({ to: account(7).address, value: 1 }),
      );
      expect((await join(url, id, 2)).status).toBe(200);
    });

    test('joins that the chain would refuse are refused before they cost anything', async () => {
      const [mine, theirs, mute] = [
        await chain.survey('Survey', 7),
        await chain.survey('Survey', 8),
        await chain.survey('MuteSurvey', 7),
      ];
      const { url } = await serving(7, [
        mine.target,
        theirs.target,
        mute.target,
        account(9).address,
        chain.semaphore,
      ]);
      expect((await join(url, String(mine.target), 9)).status).toBe(200);
      const spent = async () => chain.provider.getTransactionCount(account(7).address);
      const before = await spent();
      const table: [id: unknown, commitment: unknown, shortMessage: RegExp, reason: RegExp][] = [
        [account(9).address, 5, /no contract/, /no survey on this chain/],
        [chain.semaphore, 5, /not a survey/, /no group/],
        [
          theirs.target,
          5,
          /^execution reverted: "Access denied: Not the manager"$/,
          /^Access denied: Not the manager$/,
        ],
        [mine.target, 9, /already in the group/, /^LeafAlreadyExists$/],
        [mine.target, 0, /0 cannot join/, /^LeafCannotBeZero$/],
        [mine.target, 2n ** 256n, /invalid commitment/, /256 bits/],
      ];
      for (const [id, commitment, shortMessage, reason] of table) {
        const answer = await join(url, String(id), commitment);
        expect(answer.status).toBe(400);
        const error = inner(answer, 'error');
        expect(error.shortMessage).toMatch(shortMessage);
        expect(error.reason).toMatch(reason);
        expect(answer.body).not.toMatch(/127\.0\.0\.1|payload|0x02f8/);
      }
      await act(mine, 'finish');
      const finished = inner(await join(url, String(mine.target), 10), 'error');
      expect(finished.reason).toBe('Survey is finished');
      expect(await spent()).toBe(before + 1);
      const silent = inner(await join(url, String(mute.target), 10), 'error');
      expect(silent.reason).toMatch(/added no member/);
    });

    test('two joins of one commitment at once: one goes through, the other costs nothing', async () => {
      const survey = await chain.survey('Survey', 8);
      const { url } = await serving(8, [survey.target]);
      const answers = await Promise.all([1, 2].map(() => join(url, String(survey.target), 5)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect(await listed(url, String(survey.target))).toEqual(['5']);
    });

    test('the stronger scheme binds the chain', async () => {
      const survey = await chain.survey('Survey', 9);
      const { url } = await serving(9, [survey.target]);
      const id = String(survey.target);
      const typed = (chainId: number | null) => typedBody(5n, { survey: id, chainId });
      const foreign = await request(`${url}/api/group/join`, 'POST', { ...(await typed(8217)), id });
      expect(inner(foreign, 'error').reason).toBe('it is for another chain');
      const unbound = await request(`${url}/api/group/join`, 'POST', {
        ...(await typed(null)),
        id,
        chainId: 1001,
      });
      expect(inner(unbound, 'error').reason).toBe('it is not by this account over this message');
      const fitting = await request(`${url}/api/group/join`, 'POST', { ...(await typed(1001)), id });
      expect(fitting.status).toBe(200);
    });

    test('anybody’s contract does not make the manager pay: surveys are named, or made by a named factory', async () => {
      const [named, made, foreign] = [
        await chain.survey('Survey', 1),
        await chain.survey('Survey', 2),
        await chain.survey('Survey', 3),
      ];
      await expect(serving(1, [])).rejects.toThrow('needs --survey or --factory');
      const { url } = await serving(1, [named.target], { factories: [account(2).address] });
      const code = async (survey: Contract) => {
        const answer = await join(url, String(survey.target), 77);
        return answer.status === 200 ? 200 : inner(answer, 'error').reason;
      };
      expect(await code(named)).toBe(200);
      expect(await code(made)).toBe('Access denied: Not the manager');
      expect(await code(foreign)).toBe('this server does not serve it');
    });

    test('members of an address that is not a survey are refused', async () => {
      const { url } = await serving(1, [account(9).address, chain.semaphore]);
      const refused = async (id: string) => {
        const answer = await request(`${url}/api/group/members?id=${id}`, 'GET');
        return [answer.status, inner(answer, 'error').code, inner(answer, 'error').shortMessage];
      };
      expect(await refused(account(9).address)).toEqual([400, 'BAD_DATA', 'no contract at this address']);
      expect(await refused(chain.semaphore)).toEqual([400, 'CALL_EXCEPTION', 'not a survey']);
    });

    test('an unreachable node yields refusals without its address and no empty list', async () => {
      const survey = await chain.survey('Survey', 1);
      let gone = false;
      const node = await stub((heard) => (gone ? 'hang up' : rpcAnswer(heard, '"result":"0x3e9"')));
      const { url } = await serving(1, [survey.target], { rpcUrls: [node.url] });
      gone = true;
      const id = String(survey.target);
      for (const answer of [
        await join(url, id, 1),
        await request(`${url}/api/group/members?id=${id}`, 'GET'),
      ]) {
        expect([answer.status, inner(answer, 'error').code]).toEqual([503, 'UNAVAILABLE']);
        expect(answer.body).not.toContain('127.0.0.1');
      }
      expect((await request(`${url}/healthz`, 'GET')).status).toBe(503);
    });

    test('a node URL that starts to serve another chain: WRONG_CHAIN, not an empty list', async () => {
      const survey = await chain.survey('Survey', 1);
      const id = String(survey.target);
      const node = new Proxied(chain.url);
      const { url } = await serving(1, [id], { rpcUrls: [await node.listen()] });
      expect(await listed(url, id)).toEqual([]);
      node.answers.eth_chainId = '0x2019';
      await expect
        .poll(async () => (await request(`${url}/api/group/members?id=${id}`, 'GET')).status)
        .toBe(503);
      const refused = await request(`${url}/api/group/members?id=${id}`, 'GET');
      expect([refused.status, inner(refused, 'error').code]).toEqual([503, 'WRONG_CHAIN']);
      expect(inner(await join(url, id, 1), 'error').code).toBe('WRONG_CHAIN');
      const health = await request(`${url}/healthz`, 'GET');
      expect([health.status, JSON.parse(health.body).problem]).toEqual([
        503,
        'the node is on another chain now',
      ]);
    });

    test('concurrent requests to a node that hangs share one check', async () => {
      const survey = await chain.survey('Survey', 1);
      const id = String(survey.target);
      const node = new Proxied(chain.url);
      const { url } = await serving(1, [id], { rpcUrls: [await node.listen()], rpcTimeoutMs: 1500 });
      expect(await listed(url, id)).toEqual([]);
      node.hangs = true;
      const members = () => request(`${url}/api/group/members?id=${id}`, 'GET');
      await expect.poll(async () => (await members()).status).toBe(503);
      const asked = node.asked;
      const answers = await Promise.all([
        ...Array.from({ length: 40 }, members),
        ...Array.from({ length: 40 }, (_, n) => join(url, id, n + 1)),
      ]);
      expect(new Set(answers.map((one) => `${one.status} ${inner(one, 'error').code}`))).toEqual(
        new Set(['503 UNAVAILABLE']),
      );
      // Sixteen at a time are read; the others are refused.
      expect(node.asked - asked).toBeLessThanOrEqual(48);
      node.hangs = false;
      await expect.poll(async () => (await join(url, id, 77)).status).toBe(200);
    });

    test('health reports the chain, the age of the last block and the number of joins that the balance pays for', async () => {
      const survey = await chain.survey('Survey', 1);
      const { url } = await serving(1, [survey.target]);
      await chain.provider.send('evm_mine', []);
      const health = JSON.parse((await request(`${url}/healthz`, 'GET')).body);
      expect(health).toMatchObject({ status: 'ok', store: 'chain', chainId: 1001, problem: null });
      const { timestamp } = (await chain.provider.getBlock('latest'))!;
      expect(health.blockAgeSeconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000 - timestamp));
      expect(health.joinsLeft).toBeGreaterThan(1000);
    });

    test('a server that stops answers a join that is never mined, at its deadline', async () => {
      const survey = await chain.survey('Survey', 1);
      const node = new Proxied(chain.url);
      const id = String(survey.target);
      const options = await settings({
        chain: {
          ...chainDefaults,
          minedMs: 2000,
          rpcUrls: [await node.listen()],
          managerKey: account(1).privateKey,
        },
        surveys: [id],
      });
      const running = await serve(options);
      await listed(running.url, id);
      node.answers.eth_getTransactionReceipt = null;
      const pending = join(running.url, id, 1);
      await expect.poll(() => node.methods.includes('eth_getTransactionReceipt')).toBe(true);
      await running.close();
      const answer = await pending;
      expect(answer.status).toBe(400);
      expect(inner(answer, 'error')).toMatchObject({ code: 'TIMEOUT' });
      expect(inner(answer, 'error').reason).toMatch(
        /check the member list later; transaction 0x[0-9a-f]{64}$/,
      );
    });

    test('a manager without funds signs no transaction', async () => {
      const survey = await chain.survey('Survey', 1);
      const { url } = await serving(1, [survey.target]);
      const id = String(survey.target);
      expect((await join(url, id, 1)).status).toBe(200);
      const balance = await chain.provider.getBalance(account(1).address);
      await chain.provider.send('anvil_setBalance', [account(1).address, '0x0']);
      const poor = await join(url, id, 2);
      expect(inner(poor, 'error').code).toBe('INSUFFICIENT_FUNDS');
      expect(poor.body).not.toMatch(/0x02f8|127\.0\.0\.1/);
      await chain.provider.send('anvil_setBalance', [account(1).address, `0x${balance.toString(16)}`]);
      expect((await join(url, id, 2)).status).toBe(200);
    });
  },
);
