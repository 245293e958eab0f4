/** A large group on a real chain, as its server gives it out: listed, verified and followed. */
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { kaiactl, type Setting } from '../../survey/command.js';
import { chainDefaults, joinBody, request, started } from '../../survey/server/support.js';

const count = Number(process.env.KAIACTL_TEST_CHAIN);
const leaves = Array.from({ length: count }, (_, n) =>
  BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 62)}`).toString(),
);

/** The survey's contract, made to sign what no survey offers: many members in one transaction. */
async function fill(chain: Chain, survey: string, groupId: bigint): Promise<void> {
  const { provider, semaphore } = chain;
  await provider.send('anvil_impersonateAccount', [survey]);
  await provider.send('anvil_setBalance', [survey, '0xffffffffffffffffffff']);
  const { interface: contract } = chain.groups();
  for (let at = 0; at < count; at += 500) {
    const data = contract.encodeFunctionData('addMembers', [groupId, leaves.slice(at, at + 500)]);
    await provider.send('eth_sendTransaction', [{ from: survey, to: semaphore, data, gas: '0x8f0d180' }]);
  }
}

test.skipIf(noAnvil !== null)(
  `${count} members are listed, verified and followed`,
  { timeout: 1_800_000 },
  async () => {
    const chain = await startChain();
    onTestFinished(() => chain.stop());
    const contract = await chain.survey('Survey', 1);
    const survey = String(contract.target);
    await fill(chain, survey, await contract.getFunction('groupId')());
    const managerKey = account(1).privateKey;
    const { url } = await started({
      chain: { ...chainDefaults, rpcUrls: [chain.url], managerKey },
      surveys: [survey],
    });
    const members = (words: readonly string[], setting: Setting = {}) =>
      kaiactl(['survey', 'members', survey, '--api-url', url, ...words], setting);
    const join = async (one: string) =>
      (await request(`${url}/api/group/join`, 'POST', joinBody(one, { id: survey }))).status;

    const listed = await members([]);
    expect(listed.code).toBe(0);
    expect(listed.stdout.trim().split('\n').join() === leaves.join()).toBe(true);

    const verify = ['--verify', '--rpc-url', chain.url, '--count'];
    const matching = { code: 0, stderr: expect.stringContaining('root matches the contract') };
    expect(await members(verify)).toMatchObject({ ...matching, stdout: `${count}\n` });
    expect(await join('77')).toBe(200);
    expect(await members(verify)).toMatchObject({ ...matching, stdout: `${count + 1}\n` });

    const abort = new AbortController();
    let joins: Promise<number[]> | null = null;
    const followed = await members(['--follow', '--format', 'ndjson', '--poll-interval', '200ms'], {
      abort,
      heard: (stream, text) => {
        if (stream === 'stderr' && text.includes('waiting for more'))
          joins = Promise.all(['101', '102', '103'].map(join));
        if (stream === 'stdout' && text.includes(`"index":${count + 3}`)) abort.abort();
      },
    });
    expect(await joins).toEqual([200, 200, 200]);
    const told = followed.stdout
      .trim()
      .split('\n')
      .slice(count + 1)
      .map((line) => JSON.parse(line));
    expect(told.map(({ index }) => index)).toEqual([count + 1, count + 2, count + 3]);
    expect(told.map(({ commitment }) => commitment).toSorted()).toEqual(['101', '102', '103']);
  },
);
