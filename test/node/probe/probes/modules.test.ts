/** What counts as a table of modules: bounded, and of names and versions a node may have. */
import { expect, test } from 'vitest';
import { modules } from '../../../../src/node/probe/probes/modules.js';

type Session = Parameters<typeof modules.ask>[0];
const ask = (value: unknown) => modules.ask({ result: async () => value } as unknown as Session);
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, '1.0']));

test('a module table is sorted by name', async () => {
  expect(Object.keys(await ask({ net: '1.0', eth: '1.0', web3: '', admin: '1' }))).toEqual([
    'admin',
    'eth',
    'net',
    'web3',
  ]);
  expect(Object.keys(await ask(many(256)))).toHaveLength(256);
  expect(await ask({ ['a'.repeat(64)]: 'v'.repeat(32) })).toBeTruthy();
});

test.each([
  ['nothing', null],
  ['a text', 'eth'],
  ['a list', ['eth']],
  ['too many', many(257)],
  ['a name with a blank', { 'e th': '1.0' }],
  ['a name behind a control character', { 'eth\u0007': '1.0' }],
  ['a name in front of one', { '\neth': '1.0' }],
  ['a name that is too long', { ['a'.repeat(65)]: '1.0' }],
  ['no name', { '': '1.0' }],
  ['a number for a version', { eth: 1 }],
  ['a version that is too long', { eth: '1'.repeat(33) }],
  ['a version with markup', { eth: '<1>' }],
])('%s is no module table', async (_, value) => {
  await expect(ask(value)).rejects.toMatchObject({ code: 'unreadable' });
});

test('a long name is shortened in messages', async () => {
  await expect(ask({ ['!'.repeat(99)]: '1' })).rejects.toThrow(/!{40}…$/);
  await expect(ask({ ['!'.repeat(40)]: '1' })).rejects.toThrow(/!{40}$/);
});
