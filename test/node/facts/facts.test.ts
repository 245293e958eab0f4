import { expect, test } from 'vitest';
import { sourceOf } from '../../../src/node/facts/facts.js';
import { notSeen } from '../../../src/node/facts/seen.js';
import { confOf, factsOf } from '../judge/facts.js';

test('findings refer to the text of the conf, else to the file that names keys', () => {
  const conf = confOf(['written']);
  const keys = { files: [], source: confOf(['keys']).settings.source };
  const facts = { ...factsOf(conf), keys };
  expect(sourceOf(facts)).toBe(conf.settings.source);
  expect(sourceOf({ ...facts, conf: null })).toBe(keys.source);
  const { keys: _, ...without } = facts;
  expect(sourceOf({ ...without, conf: notSeen('missing-file', 'why') })).toBeNull();
});
