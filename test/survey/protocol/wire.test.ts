/** What the survey's wire takes: requests, reverts and receipts, bounded and believed only when whole. */
import { describe, expect, test } from 'vitest';
import { fieldSize } from '../../../src/survey/protocol/commitment.js';
import { encodeAdded, provesJoin } from '../../../src/survey/protocol/events.js';
import { readJoin } from '../../../src/survey/protocol/join-request.js';
import { decodeRevert } from '../../../src/survey/protocol/refused.js';
import type { ReceiptLog } from '../../../src/survey/protocol/wire.js';

describe('a join', () => {
  const good = {
    id: `0x${'ab'.repeat(20)}`,
    commitment: '7',
    account: `0x${'cd'.repeat(20)}`,
    signature: 's',
    idToken: 't',
  };
  const read = (over: object) => readJoin({ ...good, ...over });

  test('is read as it was spelled', () => {
    expect(read({})).toMatchObject({
      commitment: 7n,
      account: good.account,
      scheme: 'destat',
      expiresAt: null,
      chainId: null,
    });
    const whole = { scheme: 'eip712', nonce: '', expiresAt: 0, chainId: 1001 };
    expect(read(whole)).toMatchObject(whole);
    for (const commitment of [7, '7', ' 7 ', '0x7']) expect(read({ commitment }).commitment).toBe(7n);
  });

  test.each([
    ['account', undefined],
    ['account', '0x12'],
    ['account', `x${good.account}`],
    ['account', `${good.account}0`],
    ['scheme', 'other'],
    ['scheme', 1],
    ['nonce', 1],
    ['nonce', null],
    ['expiresAt', -1],
    ['expiresAt', 1.5],
    ['expiresAt', '5'],
    ['expiresAt', 2 ** 53],
    ['chainId', true],
    ['id', undefined],
    ['id', ''],
    ['id', `${good.id}00`],
    ['id', good.id.replace('ab', 'aB')],
    ['commitment', undefined],
    ['commitment', 1.5],
    ['commitment', 2 ** 53],
    ['commitment', 'abc'],
    ['commitment', String(1n << 256n)],
    ['commitment', '9'.repeat(91)],
  ])('with the %s %j is refused for it', (argument, value) => {
    expect(() => read({ [argument]: value })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', facts: { argument } }),
    );
  });

  test.each([
    ['0', 'LeafCannotBeZero'],
    [0, 'LeafCannotBeZero'],
    ['', 'LeafCannotBeZero'],
    [String(fieldSize), 'LeafGreaterThanSnarkScalarField'],
    [String((1n << 256n) - 1n), 'LeafGreaterThanSnarkScalarField'],
  ])('with the commitment %j is refused as the contract does', (commitment, reason) => {
    expect(() => read({ commitment })).toThrow(expect.objectContaining({ code: 'CALL_EXCEPTION', reason }));
  });
});

describe('the string of a revert', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const data = (length: number, hex: string) => `0x08c379a0${word(32)}${word(length)}${hex}`;
  test.each([
    ['whole', data(2, '6869'), 'hi'],
    ['padded', data(2, '6869'.padEnd(64, '0')), 'hi'],
    ['empty', data(0, ''), ''],
    ['longer than the data', data(3, '6869'), null],
    ['cut within a byte', data(1, '686'), null],
    ['of no hexadecimal', data(1, 'zz'), null],
    ['without its length', `0x08c379a0${word(32)}`, null],
  ])('%s', (_, revert, means) => {
    expect(decodeRevert(revert)?.means ?? null).toBe(means);
    expect(decodeRevert(revert.replace('08c379a0', '08C379A0'))?.means ?? null).toBe(means);
  });
});

test('a receipt proves a join by the contract’s own word about that commitment in that group', () => {
  const semaphore = `0x${'Ab'.repeat(20)}`;
  const log = (over: object, address = semaphore): ReceiptLog =>
    ({
      ...encodeAdded({ groupId: 3n, index: 0n, commitment: 7n, root: 1n, ...over }),
      address,
    }) as unknown as ReceiptLog;
  const proves = (...logs: ReceiptLog[]) => provesJoin({ logs }, semaphore, 3n, 7n);
  const other = [log({ groupId: 4n }), log({ commitment: 8n }), log({}, `0x${'00'.repeat(20)}`)];
  expect(proves(log({}))).toBe(true);
  expect(proves(log({}, semaphore.toLowerCase()))).toBe(true);
  expect(proves(...other, log({}))).toBe(true);
  expect(proves(...other)).toBe(false);
  expect(proves()).toBe(false);
});
