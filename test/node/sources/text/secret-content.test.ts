import { expect, test } from 'vitest';
import { secretIn } from '../../../../src/node/sources/text/secret-content.js';

test.each([
  ['changeme', null],
  ['your-password', null],
  ['{{ vault_password }}', null],
  ['xxxx', null],
  ['/run/secrets/password', null],
  ['changeling', 'a password'],
  ['yourmajesty', 'a password'],
  ['examples', 'a password'],
])('a password file that holds %s gives away %s', (content, what) => {
  expect(secretIn('password.txt', content)).toBe(what);
});

test.each(['node.key', 'jwt.hex', 'account.prv', 'nodekey'])('%s may hold a key', (name) => {
  expect(secretIn(name, `${'0123456789abcdef'.repeat(4)}\n`)).not.toBeNull();
});

test('the keys and passwords of a folder of keys have any name', () => {
  const key = '{"crypto":{"ciphertext":"b1069bb3"},"address":"fc4c"}';
  expect(secretIn('config/keys/authorities/master.json', key)).toBe('the key of an account');
  expect(secretIn('accounts/one.json', key)).toBe('the key of an account');
  expect(secretIn('config/master.json', key)).toBeNull();
  expect(secretIn('keys/authorities/master.pwd', 'hunter2xyz')).toBe('a password');
  expect(secretIn('jwt/readme', 'hunter2xyz')).toBeNull();
});

test.each([
  ['quorum/keys/tm1.key', `{"data":{"bytes":"${'aB1+'.repeat(11)}"},"type":"unlocked"}`, 'a private key'],
  [
    'validator_keys/keystore-m_12381_3600_0_0_0-17.json',
    '{"crypto":{"kdf":{},"cipher":{"function":"aes","message":"18b1"}}}',
    'the key of a validator',
  ],
  ['mnemonic.log', `\n${'abandon '.repeat(11)}about\n`, 'a mnemonic'],
  ['mnemonic.txt', `${'test '.repeat(11)}junk`, null],
  ['mnemonic.txt', 'write down the words below and keep them', null],
  ['data/passwords', 'hunter2\nhunter3\n', 'a password'],
  ['data/passwords', 'one a line\nsee the wiki\n', null],
  ['secret/passfile', 'hunter2', 'a password'],
])('%s that holds %j gives away %s', (path, content, what) => {
  expect(secretIn(path, content)).toBe(what);
});

test('keys and mnemonics under their names are those of accounts, but printed ones and examples are none', () => {
  const key = '0123456789abcdef'.repeat(4);
  expect(secretIn('key.inspect.yml', `keys:\n  - addr: 0x01\n    privateKey: ${key}\n`)).toBe('private keys');
  expect(secretIn('infra/.env', `export BSC_MNEMONIC="${'clock '.repeat(12)}"\nX_PK=0x${key}\n`)).toBe(
    'private keys',
  );
  const printed = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
  expect(secretIn('accounts.json', `{"privateKey": "0x${printed}"}`)).toBeNull();
  expect(secretIn('.env.example', `PRIVATE_KEY=${key}\n`)).toBeNull();
  expect(secretIn('infra/polygon/json-keystore', '{"crypto":{"ciphertext":"8bce"}}')).toBe(
    'the key of an account',
  );
});
