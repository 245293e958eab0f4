import { expect, test } from 'vitest';
import {
  findRealSecrets,
  findSecrets,
  isSecretFlag,
  isSecretName,
  redact,
  redactLines,
  redactWords,
} from '../../src/util/redact.js';
import { seed } from '../seed.js';

const key = 'ab'.repeat(32);

test.each([
  ['ADDITIONAL="--nodekeyhex 1f2e --rpc"', 'ADDITIONAL="--nodekeyhex **** --rpc"'],
  ['--kas.secretkey=abc', '--kas.secretkey=***'],
  ['--p2p.node-key-hex abc', '--p2p.node-key-hex ***'],
  ['SC_KAS_ANCHOR_SECRET_KEY="s3cr3t" # x', 'SC_KAS_ANCHOR_SECRET_KEY="******" # x'],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=*******'],
  ['DB_PASSWORD=correct/horse', 'DB_PASSWORD=*************'],
  ['API_TOKEN=team/abcdef0123', 'API_TOKEN=***************'],
  ['NODE_PASSWORD=keys/pw.txt', 'NODE_PASSWORD=keys/pw.txt'],
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
  ['SECRET_KEY=/9aBcDeF1234/gHiJkLmNoPqRsTuVwXyZ', `SECRET_KEY=${'*'.repeat(33)}`],
  ['postgres://me:pw${X}@db', 'postgres://*********@db'],
  ['# password: hunter', '# password: ******'],
  ['# password: hunter2 is old', '# password: ******* is old'],
  ['# password: hunter # old', '# password: ****** # old'],
  ['# password: hunter \\', '# password: ****** \\'],
  ['# --brand-token hunter start', '# --brand-token ****** start'],
  ['# password=hunter start', '# password=****** start'],
  ['password: hunter two # x', 'password: ****** two # x'],
  ['# a note\npassword: hunter two', '# a note\npassword: ****** two'],
  ['brand_password = "abc"', 'brand_password = "***"'],
  [
    "personal.unlockAccount(eth.accounts[0], 'open it', 0)",
    "personal.unlockAccount(eth.accounts[0], '*******', 0)",
  ],
  [String.raw`unlockAccount("0x01",\"abc\",0)`, String.raw`unlockAccount("0x01",\"***\",0)`],
  [
    '{"method":"personal_unlockAccount","params":["0x01", "abc", 0]}',
    '{"method":"personal_unlockAccount","params":["0x01", "***", 0]}',
  ],
  [
    '{"params":["0x01","abc"],"method":"personal_unlockAccount"}',
    '{"params":["0x01","***"],"method":"personal_unlockAccount"}',
  ],
  ['cast rpc personal_unlockAccount 0x01 abc 0', 'cast rpc personal_unlockAccount 0x01 *** 0'],
  ['personal_unlockAccount is called here', 'personal_unlockAccount is called here'],
  [`X=0x${key}`, `X=${'*'.repeat(66)}`],
  [
    'geth --ethstats my node:abc@stats.example:3000 --http',
    'geth --ethstats my node:***@stats.example:3000 --http',
  ],
  ['geth --ethstats="node:abc@stats" --http', 'geth --ethstats="node:***@stats" --http'],
  ['GETH_ETHSTATS=node:abc@stats', 'GETH_ETHSTATS=node:***@stats'],
  ['- --ethstats\n- "node:abc@stats:3000"', '- --ethstats\n- "node:***@stats:3000"'],
  ['[Ethstats]\nURL = "node:abc@stats"', '[Ethstats]\nURL = "node:***@stats"'],
  ['--ethstats node:$SECRET@stats', '--ethstats node:$SECRET@stats'],
])('redacts %s', (text, masked) => {
  expect(redact(text)).toBe(masked);
  expect(redact(text)).toHaveLength(text.length);
});

test.each([
  'SCSIGNER_PASSWD_FILE=/etc/kscnd/conf/kscnd.password',
  '--authrpc.jwtsecret=/data/jwt.hex',
  '--jwt-secret=/data/jwt.hex',
  'geth --authrpc.jwtsecret /data/jwt.hex --http',
  'https://geth.ethereum.org/docs/fundamentals/security',
  'SC_KAS_ANCHOR_SECRET_KEY=""',
  '--l2-engine-jwt-secret=/jwt.txt',
  '--auth-token ./token.txt --rpc',
  'JWT_SECRET=${DATA}/keys/jwt.hex',
  'DATABASE_URL=postgres://postgres:@db',
  'postgres://${USER}:${PASS}@db',
  'password = # set it in the vault',
  'DB_PASSWORD={{ .Values.password }}',
  'API_TOKEN="$(cat /run/token)"',
  'a://*a=#=',
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
  '# password: see the wiki page',
  'a: b # API token: Ask (in the chat) for it',
  '// x\n  // secret: kept, by the team',
  'personal.unlockAccount(eth.accounts[0], "$PASSPHRASE", 0)',
  "personal.unlockAccount(first(), '', 0)",
  String.raw`personal_unlockAccount","params":["0x01",\"\",0]`,
  `kni://${key}${key}@10.0.0.1:32323?discport=0`,
])('finds no secret in %s', (text) => {
  expect(redact(text)).toBe(text);
});

/** A linear congruential generator. */
function random(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('random texts without a secret stay as they are', () => {
  const names = [
    'RPC_API',
    'SECRET',
    'API_KEY',
    'DB_PASSWORD',
    '--rpcapi',
    '--http.addr',
    'token',
    'key',
    'a',
  ];
  const values = ['', '${X}', '$KEY', '/run/secrets/x', './k.hex', '"{{ .Values.x }}"', 'true', '# none'];
  const plain = [
    'eth,net',
    '*',
    '#',
    '=',
    'a://*a=#=',
    'http://node:8545',
    'ws://h/',
    'postgres://u:@db',
    '@',
    ':',
  ];
  const pick = random(seed);
  const one = (list: readonly string[]) => list[pick(list.length)] ?? '';
  const line = () =>
    pick(2) === 0 ? `${one(names)}=${one(values)}` : [one(plain), one(plain), one(plain)].join(' ');
  for (let round = 0; round < 5_000; round += 1) {
    const text = [line(), line(), line()].join('\n');
    expect(redact(text)).toBe(text);
  }
});

/** Each secret that is certain, as its name and its text. */
const found = (text: string) => findSecrets(text).map(({ from, to, what }) => [what, text.slice(from, to)]);

test.each<[string, string[][]]>([
  ['--kas.secretkey abc', [['--kas.secretkey', 'abc']]],
  ['-nodekeyhex=1f', [['-nodekeyhex', '1f']]],
  ['--nodekeyhex \t "ab"', []],
  ['X_SECRET="a b" # c', [['X_SECRET', 'a b']]],
  ["X_SECRET='a b' c", [['X_SECRET', 'a b']]],
  ['X_SECRET="a b', [['X_SECRET', 'a b']]],
  ["X_SECRET='a b", [['X_SECRET', 'a b']]],
  ['X_SECRET=s3;b', [['X_SECRET', 's3']]],
  ['X_SECRET=s3"b', [['X_SECRET', 's3']]],
  ['X_SECRET= a', []],
  ['X_SECRET=true', []],
  ['X_SECRET=$A', []],
  ['X_SECRET=${A}', []],
  ['X_SECRET=0x${A}', []],
  ['BLOCK_SIGNER_KEY=abc', [['BLOCK_SIGNER_KEY', 'abc']]],
  ['  BLOCK_SIGNER_KEY: abc', [['BLOCK_SIGNER_KEY', 'abc']]],
  ['X_SECRET=$A-b', [['X_SECRET', '$A-b']]],
  ['X_SECRET=a$B', [['X_SECRET', 'a$B']]],
  ['X_SECRET=${A:?needed}', []],
  ['X_SECRET=${A:-}', []],
  ['X_SECRET=${A:-b}', [['X_SECRET', '${A:-b}']]],
  ['  X_PASSWORD: abc # c', [['X_PASSWORD', 'abc']]],
  ['  "X_TOKEN": "a b",', [['X_TOKEN', 'a b']]],
  ["X_TOKEN: 'ab'", [['X_TOKEN', 'ab']]],
  ['X_TOKEN: see the guide', []],
  ['X_TOKEN: |', []],
  ['X_TOKEN: *token', []],
  ['X_TOKEN: ${TOKEN}', []],
  ['secret: rpc-users', []],
  [
    'X_SECRET=s3 Y_TOKEN=b',
    [
      ['X_SECRET', 's3'],
      ['Y_TOKEN', 'b'],
    ],
  ],
  ['PASSWORD=s3', [['PASSWORD', 's3']]],
  ['DB_PASSWORD=s3 --x', [['DB_PASSWORD', 's3']]],
  ['--password=/a', []],
  ['-password=/a', []],
  ['"--account-update.password=/a"', []],
  ['x--password=s3', [['password', 's3']]],
  ['--db.password=s3', [['password', 's3']]],
  ['my--password=s3', [['password', 's3']]],
  ['http://me:pw@a.example', [['a password in a URL', 'me:pw']]],
  ['x http://tok@a.example y', [['a password in a URL', 'tok']]],
  ['kni://key@10.0.0.1', []],
  ['xkni://key@10.0.0.1', [['a password in a URL', 'key']]],
  [`a ${key} b`, [['a 32-byte key', key]]],
  [`0x${key}`, [['a 32-byte key', `0x${key}`]]],
  ['0'.repeat(64), []],
  [`x${key}`, []],
  [`${key}0`, []],
  [`${'1'.repeat(63)}0`, [['a 32-byte key', `${'1'.repeat(63)}0`]]],
  [`X_PRIVATE_KEY=${key}`, [['X_PRIVATE_KEY', key]]],
  [`--nodekeyhex ${key}`, [['--nodekeyhex', key]]],
  [`X_SECRET="${key} more"`, [['X_SECRET', `${key} more`]]],
  [
    `a ${key} X_SECRET=b`,
    [
      ['a 32-byte key', key],
      ['X_SECRET', 'b'],
    ],
  ],
])('finds a secret in %s', (text, secrets) => {
  expect(found(text)).toEqual(secrets);
});

test.each([
  ['http://a.example/x.', 'http://a.example/*.'],
  ['http://a.example/x.y', 'http://a.example/***'],
  ['(http://a.example/x).', '(http://a.example/*).'],
  ['see https://docs.kaia.io/nodes/x.', 'see https://docs.kaia.io/nodes/x.'],
  ['https://docs.kaia.io/nodes?x=1', 'https://docs.kaia.io/*********'],
  ['file:///etc/x and unix:///run/x', 'file:///etc/x and unix:///run/x'],
  ['profile://a/x', 'profile://a/*'],
  ['ipc2://a/x', 'ipc2://a/*'],
  ['http://a/v1/api/healthz', 'http://a/v1/api/healthz'],
  ['http://a/v1234', 'http://a/*****'],
  ['--x.token https://me:pw@a.example/k', '--x.token *************************'],
])('%s is shown as %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
});

test('recognises names of secrets', () => {
  for (const name of ['x.token', 'API_KEY', 'signing-key', 'nodekeyhex'])
    expect(isSecretName(name)).toBe(true);
  for (const name of ['rpc', 'tokens', 'password-file', 'x']) expect(isSecretName(name)).toBe(false);
  for (const word of ['--x.token', '-x.token']) expect(isSecretFlag(word)).toBe(true);
  for (const word of ['x.token', '--x.token=', '--x.token a', 'a --x.token', '--rpc', '---'])
    expect(isSecretFlag(word)).toBe(false);
});

test('a secret may be on the line after its name', () => {
  expect(redactLines(['- name: X_TOKEN', '  value: abc', 'x'])).toEqual([
    '- name: X_TOKEN',
    '  value: ***',
    'x',
  ]);
  const continued = (end: string) => redactLines([`ken --brand-token ${end}`, '  abc', 'x']);
  for (const end of ['', '\\']) expect(continued(end)).toEqual([`ken --brand-token ${end}`, '  ***', 'x']);
  expect(redactLines(['ken --brand-token \\\r', '  abc'])).toEqual(['ken --brand-token \\\r', '  ***']);
  expect(redactLines([])).toEqual([]);
  expect(redactLines([''])).toEqual(['']);
});

test('masks words of a command line that contain blanks', () => {
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
  expect(redactWords(['X_TOKEN=a\nb', 'x y=c', '=d', '--rpc=e', 'a--x.token', 'f'])).toEqual([
    'X_TOKEN=***',
    'x y=c',
    '=d',
    '--rpc=e',
    'a--x.token',
    'f',
  ]);
  expect(redactWords(['geth', '--ethstats', 'node:abc@stats:3000'])).toEqual([
    'geth',
    '--ethstats',
    'node:***@stats:3000',
  ]);
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

test('reports no secret for an option whose value is a URL with a path', () => {
  expect(findSecrets('--upstream-en https://up.example/abc --brand-token abc')).toEqual([]);
});

test.each([
  [`image: kaiachain/kaia@sha256:${'0123456789abcdef'.repeat(4)}`, 0],
  [`checksum/config: ${'0123456789abcdef'.repeat(4)}`, 0],
  [`key: ${'0123456789abcdef'.repeat(4)}`, 1],
  [`"mixHash": "0x${'0123456789abcdef'.repeat(4)}",`, 0],
  [`{\\"parentHash\\":\\"0x${'0123456789abcdef'.repeat(4)}\\"}`, 0],
  [`extraData: 0x${'0123456789abcdef'.repeat(4)}`, 0],
  [`COMMIT_SHA256=${'0123456789abcdef'.repeat(4)}`, 0],
  [`ENV GO_DOWNLOAD_SHA256 ${'0123456789abcdef'.repeat(4)}`, 0],
  [`NODEKEYHEX: ${'0123456789abcdef'.repeat(4)}`, 1],
  [`hash.txt ${'0123456789abcdef'.repeat(4)}`, 0],
  [`{ "balance": "0x${'0123456789abcdef'.repeat(4)}" }`, 0],
  [`"publicKey": "${'0123456789abcdef'.repeat(4)}"`, 0],
  [`"privateKey": "0x${'0123456789abcdef'.repeat(4)}"`, 1],
  [`NODE1_KEY:=${'0123456789abcdef'.repeat(4)}`, 1],
  [`cast send --private-key 0x${'0123456789abcdef'.repeat(4)} $to`, 1],
  [`echo -n ${'0123456789abcdef'.repeat(4)} > data/geth/nodekey`, 1],
  [`echo "${'0123456789abcdef'.repeat(4)}" | tee node1/geth/nodekey`, 1],
  [`personal.importRawKey("${'0123456789abcdef'.repeat(4)}", "")`, 1],
  ['0123456789abcdef'.repeat(4), 1],
  [`RELAYS=https://0x${'0123456789abcdef'.repeat(6)}@relay.example`, 0],
  ['db-password=password  database password', 0],
  ['MNEMONIC="test test test test test test test test test test test junk"', 0],
  ['environment: [BACKUP_TOKEN=changeme, X_PASSWORD=tr0ub4dor]', 1],
  ['"environment": {"X_TOKEN=changeme"}', 0],
  ['KEYSTORE_PASSWORD=*your password here*', 0],
  ['KEYSTORE_PASSWORD=<the password>', 0],
])('%s holds %i secrets', (text, count) => {
  expect(findRealSecrets(text)).toHaveLength(count);
});

test('the digest of an image is not masked', () => {
  const image = `image: ethereum/client-go@sha256:${'0123456789abcdef'.repeat(4)}`;
  expect(redact(image)).toBe(image);
});

test('an encrypted keystore is one secret', () => {
  const hex = '0123456789abcdef'.repeat(4);
  const keystore = `{"crypto":{"ciphertext":"${hex}","kdfparams":{"salt":"${hex}"},"mac":"${hex}"}}`;
  for (const text of [keystore, keystore.replaceAll('"', '\\"')])
    expect(findRealSecrets(text).map(({ what }) => what)).toEqual(['the encrypted key of an account']);
});

test('the secret of ethstats is masked as a word alone, and the digest of an image is none', () => {
  expect(redact('The node reads n1:hunter2@10.0.0.1:3000 as a command')).toBe(
    'The node reads n1:*******@10.0.0.1:3000 as a command',
  );
  for (const one of ['mail ops@x.example', 'geth:v1.14@sha256:0af1', 'git@x.example:org/name', 'a: b@c'])
    expect(redact(one)).toBe(one);
});
