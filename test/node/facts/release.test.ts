import { expect, test } from 'vitest';
import { isStated, releaseBases } from '../../../src/node/facts/release.js';

test('a release is stated by an option, the build or the client, and only with its number', () => {
  const found = { value: 'kaia/v2.2.1', since: 'kaia/v2.2.1', until: 'kaia/v2.2.1' };
  expect(releaseBases.filter((by) => isStated({ ...found, by }))).toEqual(['option', 'build', 'client']);
  expect(releaseBases.filter((by) => isStated({ ...found, value: null, by }))).toEqual([]);
});
