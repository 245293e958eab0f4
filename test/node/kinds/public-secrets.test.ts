import { expect, test } from 'vitest';
import { isPublicSecret } from '../../../src/node/kinds/public-secrets.js';

/** ethereum/hive prints it (clients/go-ethereum/jwtsecret). */
const hive = '7365637265747365637265747365637265747365637265747365637265747365';

test.each([
  [hive, true],
  [`0x${hive.toUpperCase().replace('X', 'x')}`, true],
  [`\n ${hive}\n`, true],
  [hive.slice(1), false],
  [`${hive}0`, false],
  [`x${hive}`, false],
  [`${hive} x`, false],
  ['0'.repeat(64), false],
  ['', false],
])('%j is a secret that a public repository prints: %s', (text, expected) => {
  expect(isPublicSecret(text)).toBe(expected);
});
