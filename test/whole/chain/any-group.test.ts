/** `survey members --semaphore`: a group of the real Semaphore contract, from its events alone. */
import { Group } from '@semaphore-protocol/group';
import type { Contract } from 'ethers/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { act, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { kaiactl, type Setting } from '../../survey/command.js';

let chain: Chain;
beforeAll(async () => {
  if (noAnvil === null) chain = await startChain();
});
afterAll(() => chain?.stop());

const path = (leaves: readonly string[], index: number) =>
  new Group([...leaves]).generateMerkleProof(index).siblings.filter((one) => one !== undefined);
const idOf = async (survey: Contract) => String(await survey.getFunction('groupId')());
const members = (group: string, words: readonly string[] = [], setting: Setting = {}) =>
  kaiactl(
    ['survey', 'members', '--semaphore', chain.semaphore, '--group', group, '--rpc-url', chain.url, ...words],
    setting,
  );

describe.skipIf(noAnvil !== null)(`a real group${noAnvil === null ? '' : ` (skipped: ${noAnvil})`}`, () => {
  test('is listed and verified: empty, with many members, after updates and removals', async () => {
    const other = await chain.survey('OpenSurvey', 1);
    const survey = await chain.survey('OpenSurvey', 1);
    const id = await idOf(survey);
    expect(await members(id, ['--verify'])).toMatchObject({ code: 0, stdout: '' });
    await act(other, 'addMembers', ['999']);
    await act(
      survey,
      'addMembers',
      Array.from({ length: 120 }, (_, n) => String(n + 11)),
    );
    await act(survey, 'joinGroup', '7777');
    const before = [...Array.from({ length: 120 }, (_, n) => String(n + 11)), '7777'];
    await act(survey, 'updateMember', 12, 5000, path(before, 1));
    const updated = before.with(1, '5000');
    await act(survey, 'removeMember', 13, path(updated, 2));
    const removed = updated.with(2, '0');
    // An update and a removal of one leaf in one block: only the order of their logs tells which came last.
    await act(survey, 'updateThenRemove', 14, 6000, path(removed, 3));
    const last = removed.with(3, '0');
    const ran = await members(id, ['--verify', '--format', 'json']);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('root matches the contract') });
    expect(JSON.parse(ran.stdout)).toEqual({
      semaphore: chain.semaphore,
      groupId: id,
      count: 119,
      members: last,
      verified: true,
      root: String(new Group(last).root),
    });
    const text = await members(id, ['--from-block', '1']);
    expect(text.stdout).toBe(`${last.filter((leaf) => leaf !== '0').join('\n')}\n`);
    expect((await members(id, ['--contains', '5000', '--verify'])).code).toBe(0);
    expect((await members(id, ['--contains', '13', '--verify'])).code).toBe(1);
  });

  test('is followed: new, updated and removed members are printed', async () => {
    const survey = await chain.survey('OpenSurvey', 2);
    const id = await idOf(survey);
    await act(survey, 'addMembers', ['21', '22', '23']);
    const abort = new AbortController();
    let text = '';
    let step = 0;
    const steps = [
      { after: '2,23\n', does: () => act(survey, 'updateMember', 22, 32, path(['21', '22', '23'], 1)) },
      { after: '1,32\n', does: () => act(survey, 'removeMember', 21, path(['21', '32', '23'], 0)) },
      { after: 'not listed any more; the list has 3\n', does: () => act(survey, 'joinGroup', 24) },
      { after: '3,24\n', does: async () => abort.abort() },
    ];
    const heard = (_stream: string, part: string) => {
      text += part;
      const next = steps[step];
      if (next === undefined || !text.includes(next.after)) return;
      [text, step] = ['', step + 1];
      setImmediate(() => void next.does());
    };
    const words = ['--follow', '--verify', '--format', 'csv', '--poll-interval', '20ms'];
    const ran = await members(id, words, { abort, heard });
    expect(ran).toMatchObject({ code: 130, stdout: 'index,commitment\n0,21\n1,22\n2,23\n1,32\n3,24\n' });
  });

  test('a missing group or contract exits with 2', async () => {
    expect(await members('4711')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no group 4711 of'),
    });
    const none = ['survey', 'members', '--semaphore', `0x${'ab'.repeat(20)}`, '--group', '0'];
    const ran = await kaiactl([...none, '--rpc-url', chain.url]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('no Semaphore contract at') });
  });
});

test.each<[string, string[], RegExp]>([
  ['no survey and no contract', [], /neither a survey nor --semaphore/],
  ['both', ['0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', '--semaphore', 'x'], /without a survey/],
  ['no group', ['--semaphore', `0x${'5e'.repeat(20)}`, '--rpc-url', 'http://127.0.0.1:1'], /needs --group/],
  ['a group without a contract', ['--group', '1'], /need --semaphore/],
  ['no node', ['--semaphore', `0x${'5e'.repeat(20)}`, '--group', '1'], /no rpc URL given/],
  [
    'a group that is no number',
    ['--semaphore', `0x${'5e'.repeat(20)}`, '--group', '-1x', '--rpc-url', 'http://127.0.0.1:1'],
    /not the id of a group/,
  ],
])('%s exits with 2', async (_name, words, why) => {
  expect(await kaiactl(['survey', 'members', ...words])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(why),
  });
});
