import { expect, test } from 'vitest';
import { findSecrets, redact, redactWords } from '../../src/util/redact.js';

const key = 'ab'.repeat(32);

test.each([
  ['ADDITIONAL="--nodekeyhex 1f2e --rpc"', 'ADDITIONAL="--nodekeyhex **** --rpc"'],
  ['--kas.secretkey=abc', '--kas.secretkey=***'],
  ['--p2p.node-key-hex abc', '--p2p.node-key-hex ***'],
  ['SC_KAS_ANCHOR_SECRET_KEY="s3cr3t" # x', 'SC_KAS_ANCHOR_SECRET_KEY="******" # x'],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=*******'],
  ['URL=https://me:pw@host/x', 'URL=https://*****@host/*'],
  [
    '--upstream-en https://up.example:8443/v3/abc?k=1#x --rpc',
    '--upstream-en https://up.example:8443/************ --rpc',
  ],
  ['see wss://up.example?key=abc.', 'see wss://up.example?*******.'],
  ['ken --brand-token "a b" --rpc', 'ken --brand-token "***" --rpc'],
  ['["ken", "--x.password", "abc"]', '["ken", "--x.password", "***"]'],
  ['- --signing-key\n- abc', '- --signing-key\n- ***'],
  ['  - name: MY_TOKEN\n    value: abc', '  - name: MY_TOKEN\n    value: ***'],
  ['brand-token: abc', 'brand-token: ***'],
  ['brand_password = "abc"', 'brand_password = "***"'],
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
  '--nodekey /etc/kend/nodekey --bls-nodekey=/etc/kend/bls',
  '--brand-token is not a flag, take --kas.secretkey out.',
  '--no-password --rpc',
  'http://127.0.0.1:9469/metrics, http://127.0.0.1:6060/debug/pprof/cmdline and https://up.example/',
  'secretKeyRef: {name: x, key: y}',
  `kni://${key}${key}@10.0.0.1:32323?discport=0`,
])('nothing secret in %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('names what it found', () => {
  expect(findSecrets('--kas.secretkey abc').map(({ what }) => what)).toEqual(['--kas.secretkey']);
});

test('words of a command line, blanks in them included', () => {
  const words = [
    'ken',
    '--brand-token',
    'a b',
    '--x.secret=a b',
    'KAIA_X_TOKEN=a b',
    '--nodekey',
    '/x',
    '--rpc',
  ];
  expect(redactWords(words)).toEqual([
    'ken',
    '--brand-token',
    '***',
    '--x.secret=***',
    'KAIA_X_TOKEN=***',
    '--nodekey',
    '/x',
    '--rpc',
  ]);
});

test('the path of a URL is masked, and accuses nobody', () => {
  expect(findSecrets('--upstream-en https://up.example/abc --brand-token abc')).toEqual([]);
});
