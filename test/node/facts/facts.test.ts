import { expect, test } from 'vitest';
import { type Alternative, asWritten, repairedOf, sourceOf } from '../../../src/node/facts/facts.js';
import type { ReleaseFound } from '../../../src/node/facts/release.js';
import { notSeen } from '../../../src/node/facts/seen.js';
import { confOf, factsOf } from '../judge/facts.js';

const release: ReleaseFound = { value: null, since: 'kaia/v1.0.0', until: 'kaia/v2.2.1', by: 'none' };
const older = [{ since: 'kaia/v1.0.0', until: 'kaia/v1.0.3' }];
const newer = [{ since: 'kaia/v2.0.0', until: 'kaia/v2.2.1' }];
const condition: Alternative = { when: 'test -e x', conf: confOf(['when']) };
const repaired: Alternative = { when: null, conf: confOf(['repaired']), isRepaired: true };
const repairedNewer: Alternative = { ...repaired, conf: confOf(['newer']), releases: newer };

test('a conf without its reading with Unix line ends keeps the other readings', () => {
  const conf = confOf(['written']);
  expect(repairedOf(conf)).toBeNull();
  expect(repairedOf({ ...conf, alternatives: [condition] })).toBeNull();
  expect(asWritten(conf)).toEqual(conf);
  expect(asWritten({ ...conf, alternatives: [repaired] })).toEqual(conf);
  expect(asWritten({ ...conf, alternatives: [repaired, condition] })).toEqual({
    ...conf,
    alternatives: [condition],
  });
});

test('the reading with Unix line ends has the releases of the conf, and the other such readings', () => {
  const conf = confOf(['written'], { release });
  const { settings, ...rest } = confOf(['repaired']);
  const whole = { ...rest, settings: { ...settings, release } };
  expect(repairedOf({ ...conf, alternatives: [condition, repaired] })).toEqual(whole);
  expect(repairedOf({ ...confOf(['written']), alternatives: [repaired] })).toEqual({ ...rest, settings });
  expect(
    repairedOf({ ...conf, releases: older, alternatives: [repaired, condition, repairedNewer] }),
  ).toEqual({
    ...whole,
    releases: older,
    alternatives: [{ when: null, conf: confOf(['newer']), releases: newer }],
  });
  expect(repairedOf({ ...conf, releases: older, alternatives: [repairedNewer] })?.releases).toBe(newer);
});

test('findings refer to the text of the conf, else to the file that names keys', () => {
  const conf = confOf(['written']);
  const keys = { files: [], source: confOf(['keys']).settings.source };
  const facts = { ...factsOf(conf), keys };
  expect(sourceOf(facts)).toBe(conf.settings.source);
  expect(sourceOf({ ...facts, conf: null })).toBe(keys.source);
  const { keys: _, ...without } = facts;
  expect(sourceOf({ ...without, conf: notSeen('missing-file', 'why') })).toBeNull();
});
