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
