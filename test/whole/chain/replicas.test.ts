/** Two servers, one manager's key: one signs at a time, and no nonce, hence no join, is lost between them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../src/survey/server/serve.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { Proxied } from '../../survey/chain/proxied.js';
import { chainDefaults, joinBody, listed, request, settings } from '../../survey/server/support.js';
import { secret } from '../../survey/store/backends.js';
import { type Cluster, noPostgres, startPostgres } from '../../survey/store/postgres.js';

/** Joins at both, and at the second while the first one stops. */
const [before, after] = Number(process.env.KAIACTL_TEST_CHAIN) > 1000 ? [100, 40] : [30, 12];

describe.skipIf(noAnvil !== null || noPostgres !== null)('two servers, one key', () => {
  let chain: Chain;
  let cluster: Cluster;
  beforeAll(async () => {
    [chain, cluster] = await Promise.all([startChain('--block-time', '0.5'), startPostgres()]);
  });
  afterAll(async () => {
    chain?.stop();
    await cluster?.stop();
  });

  test('no join at either is lost though estimates are slow, also when the one that signs stops in the middle', async () => {
    const survey = await chain.survey('Survey', 1);
    const id = String(survey.target);
    const url = cluster.database();
    const node = new Proxied(chain.url);
    node.delays.eth_estimateGas = 2500;
    const rpcUrl = await node.listen();
    const replica = async () =>
      serve(
        await settings({
          openStorage: () => openPostgres(url, secret),
          // On a busy machine the node's check may take longer than the usual 2 s.
          chain: {
            ...chainDefaults,
            rpcUrls: [rpcUrl],
            rpcTimeoutMs: 200_000,
            managerKey: account(1).privateKey,
          },
          surveys: [id],
        }),
      );
    const [one, two] = [await replica(), await replica()];
    const join = (at: string, n: number) =>
      request(`${at}/api/group/join`, 'POST', joinBody(String(n), { id })).catch(() => null);
    const first = await Promise.all(
      Array.from({ length: before }, (_, n) => join((n % 2 === 0 ? one : two).url, n + 1)),
    );
    expect(first.filter((answer) => answer?.status !== 200)).toEqual([]);
    expect(await chain.provider.getTransactionCount(account(1).address)).toBe(before + 1);

    const second = Array.from({ length: after }, (_, n) => join(two.url, before + 1 + n));
    await one.close();
    expect((await Promise.all(second)).filter((answer) => answer?.status !== 200)).toEqual([]);
    const members = await listed(two.url, id);
    expect(new Set(members).size).toBe(before + after);
    expect(members).toHaveLength(before + after);
    await two.close();
  });
});
