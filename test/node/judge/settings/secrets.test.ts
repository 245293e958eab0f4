/** Secrets of the node, and those of other programs beside it. */
import { expect, test } from 'vitest';
import { secretSeverity, secretsIn } from '../../../../src/node/judge/settings/secrets.js';

const severities = (line: string, isUnused = true) =>
  secretsIn([line]).map((secret) => secretSeverity(secret, isUnused, true));

test.each([
  'WS_SECRET=hunter2xyz',
  'GRAFANA_PASSWORD=hunter2xyz',
  '# GETH_PASSWORD=hunter2xyz',
  'DATABASE_URL=postgres://user:hunter2xyz@db/x',
])('%s is a secret of another program', (line) => {
  expect(severities(line)).toContain('low');
});

test.each([
  'GETH_PASSWORD=hunter2xyz',
  'PASSWORD=hunter2xyz',
  'WALLET_PASSWORD=hunter2xyz',
  'JWT_SECRET=hunter2xyz',
])('%s may be a secret of the node', (line) => {
  expect(severities(line)).toEqual(['high']);
});

test('a secret that the start of the node holds is one of the node, whatever its name', () => {
  expect(severities('WS_SECRET=hunter2xyz', false)).toEqual(['high']);
  expect(severities('- --slashing-protection-db-password=hunter2xyz', false)).toEqual(['low']);
});

test('a password without its key, and the secret of ethstats, open little', () => {
  const line = `personal.unlockAccount(a, 'hunter2xyz')`;
  const password = (hasKey: boolean) =>
    secretsIn([line]).map((secret) => secretSeverity(secret, false, hasKey));
  expect([password(true), password(false)]).toEqual([['high'], ['medium']]);
  expect(severities('geth --ethstats node:hunter2xyz@stats.example')).toEqual(['low']);
});

test('a key is a secret behind an item with its flag, and under a name that ends in PASS', () => {
  const key = '0123456789abcdef'.repeat(4);
  const items = (flag: string) =>
    secretsIn([`      - "${flag}"`, `      - "${key}"`]).map(({ what, line }) => [what, line]);
  expect(items('--node-key')).toEqual([['--node-key', 2]]);
  expect(items('--genesis-hash')).toEqual([]);
  expect(secretsIn(['  ACCOUNT_PASS: hunter2xyz', 'BYPASS=1']).map(({ what }) => what)).toEqual([
    'ACCOUNT_PASS',
  ]);
});
