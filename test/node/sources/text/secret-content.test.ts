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
