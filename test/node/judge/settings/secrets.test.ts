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
});

test('a password without its key, and the secret of ethstats, open little', () => {
  const line = `personal.unlockAccount(a, 'hunter2xyz')`;
  const password = (hasKey: boolean) =>
    secretsIn([line]).map((secret) => secretSeverity(secret, false, hasKey));
  expect([password(true), password(false)]).toEqual([['high'], ['medium']]);
  expect(severities('geth --ethstats node:hunter2xyz@stats.example')).toEqual(['low']);
});
