/** Fixes of geth that add or remove a flag: every release that the node may be takes the flags that they leave. */
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../offline.js';

async function fixes(command: string, ...options: string[]) {
  const { out } = await run(['node', 'lint', '--command-line', command, '--format', 'json', ...options]);
  const findings = (JSON.parse(out) as Report).targets[0]?.findings ?? [];
  return Object.fromEntries(
    findings.map(({ rule, fix, edits = [] }) => [rule, [fix, edits.map(({ text }) => text).join('')]]),
  );
}

test.each([
  ['geth --rpc', [], '--rpcapi'],
  ['geth --rpc', ['--node-version', 'v1.10.8'], '--http.api'],
  ['geth --rpc', ['--node-version', 'v1.9.13'], '--rpcapi'],
  ['geth --http', [], '--http.api'],
])('%s %j: the list is added under a name that each release has', async (command, options, flag) => {
  expect((await fixes(command, ...options))['implicit-modules']).toEqual([
    `List only eth, net and web3 in ${flag}.`,
    ` ${flag}=eth,net,web3`,
  ]);
});

const guarded = 'geth --http --http.api eth --unlock 0 --password /pw';

test('an account that is no longer unlocked needs no password', async () => {
  const { 'conflicting-flags': fix } = await fixes(guarded, '--node-version', 'v1.10.8');
  expect(fix?.[0]).toBe('Remove --unlock and --password.');
});

test.each([
  [`${guarded} --mine`, 'conflicting-flags', 'Remove --unlock; --mine cannot work without it.'],
  ['geth --dev --mine --http --http.api eth', 'dev-account', 'Remove --dev; --mine cannot work without it.'],
])('%s: no edit removes a flag that another one needs', async (command, rule, sentence) => {
  expect((await fixes(command, '--node-version', 'v1.10.8'))[rule]).toEqual([sentence, '']);
});
