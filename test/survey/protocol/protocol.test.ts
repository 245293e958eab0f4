/** What client and server agree on: commitments, errors of the contract, prices. */
import { id, Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { fieldSize, isLeaf, parseCommitment } from '../../../src/survey/protocol/commitment.js';
import { addedIn, encodeAdded, memberAdded } from '../../../src/survey/protocol/events.js';
import { destatMessage, joinTypedData } from '../../../src/survey/protocol/message.js';
import { decodeRevert, revertErrors } from '../../../src/survey/protocol/refused.js';
import { ownKey, verifySignature } from '../../../src/survey/protocol/signature.js';
import type { Receipt, ReceiptLog } from '../../../src/survey/protocol/wire.js';
import { visible } from '../../../src/util/visible.js';
import { recorded } from '../recorded.js';

describe('commitments', () => {
  test.each([
    ['1', 1n],
    [' 78 ', 78n],
    ['0x1f', 31n],
    [String(fieldSize - 1n), fieldSize - 1n],
    [`0x${(fieldSize - 1n).toString(16)}`, fieldSize - 1n],
  ])('%s is a commitment', (text, value) => expect(parseCommitment(text)).toEqual({ ok: true, value }));

  test.each([
    ['', /not a decimal/],
    ['abc', /not a decimal/],
    ['1.5', /not a decimal/],
    ['-1', /not a decimal/],
    ['1e3', /not a decimal/],
    ['0', /it is 0/],
    ['0x0', /it is 0/],
    [String(fieldSize), /not below/],
    [String(1n << 256n), /256 bits/],
    ['9'.repeat(1000), /far larger/],
  ])('%.20s is no commitment', (text, why) => {
    expect(parseCommitment(text)).toMatchObject({ ok: false, why: expect.stringMatching(why) });
  });

  test('a leaf has one spelling', () => {
    for (const leaf of ['0', '1', String(fieldSize - 1n)]) expect(isLeaf(leaf), leaf).toBe(true);
    const wrong = ['', '01', '-1', '0x1', ' 1', String(fieldSize), '9'.repeat(77), '9'.repeat(78), 1, null];
    for (const leaf of wrong) expect(isLeaf(leaf), String(leaf)).toBe(false);
  });
});

describe('contract errors', () => {
  test.each(Object.entries(revertErrors))('%s is the selector of its name', (selector, [name]) => {
    expect(id(`${name}()`).slice(0, 10)).toBe(selector);
  });

  test('a string error yields its text, and garbage yields nothing', () => {
    const text = Buffer.from('closed').toString('hex').padEnd(64, '0');
    const data = `0x08c379a0${'20'.padStart(64, '0')}${'6'.padStart(64, '0')}${text}`;
    expect(decodeRevert(data)).toEqual({ name: null, means: 'closed' });
    for (const bad of [
      '',
      '0x',
      '0x12345678',
      '0x08c379a0',
      `0x08c379a0${'f'.repeat(128)}`,
      '0x08c379a0zz',
    ]) {
      expect(decodeRevert(bad), bad).toBeNull();
    }
    expect(decodeRevert(`0x4e487b71${'11'.padStart(64, '0')}`)?.means).toContain('0x11');
  });
});

describe('MemberAdded', () => {
  const added = { groupId: 0n, index: 3n, commitment: 77n, root: fieldSize - 1n };
  const log = (part: Partial<ReceiptLog>) => ({ logs: [part as ReceiptLog] });

  test('its topic is the hash of its signature', () => {
    expect(id('MemberAdded(uint256,uint256,uint256,uint256)')).toBe(memberAdded);
  });

  test('reads its own output back, and leaves out malformed parts', () => {
    const event = encodeAdded(added);
    expect(addedIn(log(event))).toEqual([added]);
    expect(addedIn(log({ ...event, data: event.data.slice(0, -2) }))).toEqual([]);
    expect(addedIn(log({ ...event, topics: [memberAdded] }))).toEqual([]);
    expect(addedIn(log({ ...event, topics: [id('Other()'), event.topics[1]] }))).toEqual([]);
  });

  test.skipIf(recorded === null)('is in the recorded receipt', () => {
    const { body } = recorded!.find(({ name }) => name === 'join OK')!;
    const receipt = JSON.parse((JSON.parse(body) as { data: string }).data) as Receipt;
    expect(addedIn(receipt)).toMatchObject([
      {
        groupId: 0n,
        index: 1n,
        commitment: 5252365372057417743217244006422410371454144349890330140992480743773693621147n,
      },
    ]);
  });
});

test('a signature is good until it expires, and for a day at most', async () => {
  const wallet = new Wallet(`0x${'11'.repeat(32)}`);
  const now = 1_700_000_000;
  const rules = {
    chainId: 1001,
    requireTypedData: true,
    contractSigns: null,
    keyOf: async () => ownKey(wallet.address),
    now: () => now * 1000,
  };
  const verified = async (expiresAt: number) => {
    const survey = `0x${'ab'.repeat(20)}`;
    const statement = { survey, commitment: 7n, userId: 'u', account: wallet.address.toLowerCase() };
    const { domain, types, value } = joinTypedData({ ...statement, expiresAt, chainId: 1001 });
    const signature = await wallet.signTypedData(domain, types, value);
    const join = {
      ...statement,
      account: wallet.address,
      signature,
      scheme: 'eip712',
      idToken: 't',
    } as const;
    await verifySignature({ ...join, expiresAt, chainId: 1001, nonce: undefined }, 'u', rules);
  };
  await verified(now);
  await verified(now + 86_400);
  await expect(verified(now - 1)).rejects.toMatchObject({
    reason: 'it has expired 1 s ago by this server’s clock',
  });
  await expect(verified(now + 86_401)).rejects.toMatchObject({
    reason: 'it is valid for longer than a day, 86401 s by this server’s clock',
  });
});

test('the signed text has no separators', () => {
  const text = destatMessage(`U${'a'.repeat(32)}`, '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
  expect(text).toBe(
    'hello destatUaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  );
  expect(text).toHaveLength(87);
});

test('control characters are escaped', () => {
  expect(visible('a\u001b[31mb\r\n\u202ec\u200b')).toBe('a\\u{1b}[31mb\\u{d}\\u{a}\\u{202e}c\\u{200b}');
  expect(visible('\ud800é😀')).toBe('\\u{d800}é😀');
  expect(visible('x'.repeat(400))).toHaveLength(301);
});
