/** `survey members --verify` against the real Semaphore contracts. */
import { Group } from '@semaphore-protocol/group';
import type { Contract } from 'ethers/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { act, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { kaiactl } from '../../survey/command.js';
import { data, type Served, serve } from '../../survey/fake.js';

let chain: Chain;
let api: Served;
let list = { members: [] as string[], groupId: '0' };
beforeAll(async () => {
  api = await serve(() => data(list));
  if (noAnvil === null) chain = await startChain();
});
afterAll(async () => {
  await api.close();
  chain?.stop();
});

const verify = (survey: Contract, ...words: string[]) =>
  kaiactl(
    [
      'survey',
      'members',
      String(survey.target),
      '--api-url',
      api.url,
      '--verify',
      '--rpc-url',
      chain.url,
    ].concat(words),
  );
const path = (leaves: readonly string[], index: number) =>
  new Group([...leaves]).generateMerkleProof(index).siblings.filter((one) => one !== undefined);

describe.skipIf(noAnvil !== null)(`a real group${noAnvil === null ? '' : ` (skipped: ${noAnvil})`}`, () => {
  test('agrees with its list: empty, with many members, and after an update and a removal', async () => {
    const survey = await chain.survey('OpenSurvey', 1);
    const groupId = String(await survey.getFunction('groupId')());
    list = { members: [], groupId };
    expect(await verify(survey)).toMatchObject({ code: 0, stderr: expect.stringContaining('root matches') });
    const members = Array.from({ length: 130 }, (_, n) => String(n + 11));
    await act(survey, 'addMembers', members);
    list = { members, groupId };
    expect(await verify(survey)).toMatchObject({ code: 0, stderr: expect.stringContaining('130 members') });
    await act(survey, 'updateMember', 12, 5000, path(members, 1));
    const updated = members.with(1, '5000');
    await act(survey, 'removeMember', 13, path(updated, 2));
    list = { members: updated.with(2, '0'), groupId };
    const ran = await verify(survey, '--format', 'json');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ count: 129, verified: true });
    expect((await verify(survey, '--contains', '5000')).code).toBe(0);
    expect((await verify(survey, '--contains', '13')).code).toBe(1);
  });

  test('contradicts a list that was cut, that lost a removed place, that is old, or of another group', async () => {
    const survey = await chain.survey('OpenSurvey', 2);
    const groupId = String(await survey.getFunction('groupId')());
    const members = Array.from({ length: 120 }, (_, n) => String(n + 11));
    await act(survey, 'addMembers', members);
    list = { members: members.slice(0, 100), groupId };
    expect(await verify(survey)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('only its first 100'),
    });
    await act(survey, 'removeMember', 11, path(members, 0));
    list = { members: members.slice(1), groupId };
    expect(await verify(survey)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the contract 120'),
    });
    list = { members, groupId };
    expect(await verify(survey)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the list’s root is'),
    });
    list = { members: members.with(0, '0'), groupId: '99' };
    expect(await verify(survey)).toMatchObject({ code: 3, stderr: expect.stringContaining('of group 99') });
  });

  test('an address without a contract there', async () => {
    const none = { target: `0x${'ab'.repeat(20)}` } as unknown as Contract;
    expect(await verify(none)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no survey contract'),
    });
  });
});
