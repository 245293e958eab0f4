/** Short names of targets. */
import { expect, test } from 'vitest';
import { shortNames } from '../../../src/node/report/roll-up.js';

test.each([
  [
    ['/srv/a/conf/kend.conf', '/srv/b/conf/kend.conf', '/srv/b/conf/kcnd.conf'],
    ['a/conf/kend.conf', 'b/conf/kend.conf', 'kcnd.conf'],
  ],
  [
    ['deploy/compose.yml: en', 'deploy/compose.yml: cn', 'old/compose.yml: en'],
    ['deploy/compose.yml: en', 'compose.yml: cn', 'old/compose.yml: en'],
  ],
  [
    ['kend.conf', 'a/kend.conf'],
    ['kend.conf', 'a/kend.conf'],
  ],
  [
    ['a/b/kend.conf', 'b/kend.conf', 'kend.conf'],
    ['a/b/kend.conf', 'b/kend.conf', 'kend.conf'],
  ],
  [
    ['en-01', 'http://10.0.0.5:8551', 'x/en-01'],
    ['en-01', 'http://10.0.0.5:8551', 'x/en-01'],
  ],
  [
    ['x/same', 'x/same'],
    ['same', 'same'],
  ],
])('%j', (names, expected) => {
  expect(names.map(shortNames(names))).toEqual(expected);
});
