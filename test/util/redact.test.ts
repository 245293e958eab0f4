import { expect, test } from 'vitest';
import { findSecrets, redact } from '../../src/util/redact.js';

const key = 'ab'.repeat(32);

test.each([
  ['ADDITIONAL="--nodekeyhex 1f2e --rpc"', 'ADDITIONAL="--nodekeyhex **** --rpc"'],
  ['--kas.secretkey=abc', '--kas.secretkey=***'],
  ['--p2p.node-key-hex abc', '--p2p.node-key-hex ***'],
  ['SC_KAS_ANCHOR_SECRET_KEY="s3cr3t" # x', 'SC_KAS_ANCHOR_SECRET_KEY="******" # x'],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=*******'],
  ['URL=https://me:pw@host/x', 'URL=https://*****@host/x'],
  [`X=0x${key}`, `X=${'*'.repeat(66)}`],
])('%s', (text, masked) => {
  expect(redact(text)).toBe(masked);
  expect(redact(text)).toHaveLength(text.length);
});

test.each([
  'SCSIGNER_PASSWD_FILE=/etc/kscnd/conf/kscnd.password',
  'SC_KAS_ANCHOR_SECRET_KEY=""',
  'SC_KAS_ANCHOR_SECRET_KEY=$FROM_VAULT',
  `BOOTNODES="kni://${key}${key}@10.0.0.1:32323"`,
  'RPC_API="klay,eth" # --nodekeyhex',
  `"parentHash":"0x${'0'.repeat(64)}"`,
  'ADDITIONAL="--unlock 0 --password=/etc/kend/password"',
  '--account-update.password=/etc/kend/password',
])('nothing secret in %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('names what it found', () => {
  expect(findSecrets('--kas.secretkey abc').map(({ what }) => what)).toEqual(['--kas.secretkey']);
});
