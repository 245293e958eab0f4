/** Secrets in settings, variables and command lines are masked. */
import { expect, test } from 'vitest';
import { commandLine, flagValue, mask, variableValue } from '../../../src/node/commands/settings-text.js';

const key = 'a'.repeat(64);

test.each<[string, string | number | boolean | null, string | number | boolean | null]>([
  ['nodekeyhex', key, mask],
  ['nodekeyhex', null, null],
  ['password', '/etc/pw', '/etc/pw'],
  ['rpc', true, true],
  ['rpcport', 8551, 8551],
  ['rpcapi', 'eth', 'eth'],
  ['bootnodes', 'https://a:secret@b', `https://${mask}@b`],
  ['ethstats', 'en-1:secret12@stats.example', `en-1:${mask}@stats.example`],
])('--%s with the value %s is shown as %s', (flag, value, shown) => {
  expect(flagValue(flag, value)).toEqual(shown);
});

test.each([
  ['DB_PASSWORD', 'x', mask],
  ['DB_PASSWORD', '', ''],
  ['DB_PASSWORD', null, null],
  ['RPC_API', 'eth', 'eth'],
  ['URL', 'https://a:secret@b', `https://${mask}@b`],
])('%s=%s is shown as %s', (name, value, shown) => {
  expect(variableValue(name, value)).toEqual(shown);
});

test('the words of a command line keep their number', () => {
  expect(
    commandLine([
      '--nodekeyhex',
      key,
      `--nodekeyhex=${key}`,
      '-nodekeyhex',
      null,
      '--rpcapi=eth',
      'x',
      '--rpc',
      '--ethstats',
      'en-1:secret12@stats.example',
    ]),
  ).toEqual([
    '--nodekeyhex',
    mask,
    `--nodekeyhex=${mask}`,
    '-nodekeyhex',
    null,
    '--rpcapi=eth',
    'x',
    '--rpc',
    '--ethstats',
    `en-1:${mask}@stats.example`,
  ]);
});
