/** Joins at once on a chain that mines in intervals and estimates on its last block, as a Kaia endpoint node does. */
import { Group } from '@semaphore-protocol/group';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { Proxied } from '../../survey/chain/proxied.js';
import { chainDefaults, inner, joinBody, listed, request, started } from '../../survey/server/support.js';

const long = Number(process.env.KAIACTL_TEST_CHAIN) > 1000;
const bursts = long ? [127, 100, 28, 100, 200] : [1, 24, 12];
const timeout = long ? 600_000 : 300_000;

describe.skipIf(noAnvil !== null)('bursts on interval mining', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain('--block-time', '0.3');
  });
  afterAll(() => chain?.stop());

  async function serving(
    survey: string,
    manager: number,
    change: Partial<Pick<Proxied, 'answers' | 'delays'>> = {},
  ) {
    const node = Object.assign(new Proxied(chain.url), change);
    const rpcUrl = await node.listen();
    const managerKey = account(manager).privateKey;
    const { url } = await started({
      chain: { ...chainDefaults, rpcUrls: [rpcUrl], managerKey },
      surveys: [survey],
    });
    return {
      node,
      list: () => listed(url, survey),
      join: (commitment: number) =>
        request(`${url}/api/group/join`, 'POST', joinBody(String(commitment), { id: survey })),
    };
  }

  test(
    `${bursts.join(', ')} joins at once, each after a listing, and every estimate slow: all joined`,
    async () => {
      const survey = await chain.survey('Survey', 1);
      const { node, list, join } = await serving(String(survey.target), 1, {
        delays: { eth_estimateGas: 2500 },
      });
      let joined = 0;
      for (const count of bursts) {
        expect(await list()).toHaveLength(joined);
        const answers = await Promise.all(Array.from({ length: count }, (_, n) => join(joined + n + 1)));
        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
        joined += count;
      }
      const members = await list();
      expect(new Set(members).size).toBe(joined);
      const root = await chain.groups().getFunction('getMerkleTreeRoot')(
        await survey.getFunction('groupId')(),
      );
      expect(new Group(members).root).toBe(root);
      expect(await chain.provider.getTransactionCount(account(1).address)).toBe(1 + joined);
      // One at first, and one each time the group may have doubled.
      const estimates = node.methods.filter((method) => method === 'eth_estimateGas').length;
      expect(estimates).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(joined)));
    },
    timeout,
  );

  test('a join that ran out of gas is sent again, once, under a new nonce', async () => {
    const survey = await chain.survey('DearSurvey', 2);
    const { list, join } = await serving(String(survey.target), 2);
    const answers = await Promise.all([join(1), join(2)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await list()).toSorted()).toEqual(['1', '2']);
    expect(await chain.provider.getTransactionCount(account(2).address)).toBe(1 + 3);
  });

  test('a join that runs out of gas twice is reported as such, and not sent a third time', async () => {
    const survey = await chain.survey('DearSurvey', 3);
    const { join } = await serving(String(survey.target), 3, { answers: { eth_estimateGas: '0x1' } });
    expect((await join(1)).status).toBe(200);
    const refused = inner(await join(2), 'error');
    expect([refused.code, refused.reason]).toEqual(['OUT_OF_GAS', expect.stringContaining('ran out of gas')]);
    expect(await chain.provider.getTransactionCount(account(3).address)).toBe(1 + 3);
  });
});
