/** Secrets of the node, and those of other programs beside it. */
import { expect, test } from 'vitest';
import { isOfAnother, secretsIn } from '../../../../src/node/judge/settings/secrets.js';

const isAnother = (line: string, isUnused = true) =>
  secretsIn([line]).map((secret) => isOfAnother(line, secret, isUnused));

test.each([
  'WS_SECRET=hunter2xyz',
  'GRAFANA_PASSWORD=hunter2xyz',
  '# GETH_PASSWORD=hunter2xyz',
  'DATABASE_URL=postgres://user:hunter2xyz@db/x',
])('%s is a secret of another program', (line) => {
  expect(isAnother(line)).toContain(true);
});

test.each([
  'GETH_PASSWORD=hunter2xyz',
  'PASSWORD=hunter2xyz',
  'WALLET_PASSWORD=hunter2xyz',
  'JWT_SECRET=hunter2xyz',
])('%s may be a secret of the node', (line) => {
  expect(isAnother(line)).toEqual([false]);
});

test('a secret that the start of the node holds is one of the node, whatever its name', () => {
  expect(isAnother('WS_SECRET=hunter2xyz', false)).toEqual([false]);
});
