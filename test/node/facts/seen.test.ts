import { expect, test } from 'vitest';
import {
  blindSpot,
  indeterminate,
  isMoot,
  isRefused,
  type NotSeenCode,
  notSeen,
  notSeenCodes,
  seen,
  seenValue,
} from '../../../src/node/facts/seen.js';

test.each(notSeenCodes.map((code) => [code]))('a fact that was not seen (%s) has no value', (code) => {
  const fact = notSeen(code, 'why');
  const moot: readonly NotSeenCode[] = ['not-applicable', 'left-out'];
  expect([seenValue(fact), isMoot(fact), isRefused(fact)]).toEqual([
    null,
    moot.includes(code),
    code === 'refused',
  ]);
  expect(blindSpot('http', fact)).toEqual({ code, about: 'http', reason: 'why' });
});

test('a fact that was seen is its value, whatever that is', () => {
  for (const value of [null, false, { code: 'refused' }]) {
    const fact = seen(value);
    expect([seenValue(fact), isMoot(fact), isRefused(fact)]).toEqual([value, false, false]);
  }
  expect(indeterminate(null, 'why')).toEqual({ code: 'indeterminate', about: null, reason: 'why' });
});
