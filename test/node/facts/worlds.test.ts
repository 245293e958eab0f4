/** A node's alternatives as one list of worlds. */
import { expect, test } from 'vitest';
import type { Alternative } from '../../../src/node/facts/facts.js';
import type { ReleaseFound } from '../../../src/node/facts/release.js';
import { both, worldsOf } from '../../../src/node/facts/worlds.js';
import { confOf } from '../judge/facts.js';

const release: ReleaseFound = { value: null, since: 'kaia/v1.0.0', until: 'kaia/v2.2.1', by: 'none' };
const older = [{ since: 'kaia/v1.0.0', until: 'kaia/v1.0.3' }];
const condition: Alternative = { when: 'test -e x', conf: confOf(['when']) };
const repaired: Alternative = { when: null, conf: confOf(['repaired']), isRepaired: true };
const conditionOnUnix: Alternative = { ...condition, conf: confOf(['both']), isRepaired: true };
const atOlder: Alternative = { when: null, conf: confOf(['older']), releases: older };

test('a conf without alternatives is one world', () => {
  const conf = confOf(['written'], { release });
  expect(worldsOf(conf)).toEqual([{ conf, releases: [release], when: null, ends: 'written', isFirst: true }]);
  expect(worldsOf(confOf(['written']))[0]?.releases).toEqual([]);
});

test('worlds with Unix line ends come last, and the first of them has the release of the node', () => {
  const conf = confOf(['written'], { release });
  const worlds = worldsOf({ ...conf, alternatives: [condition, repaired, conditionOnUnix, atOlder] });
  expect(
    worlds.map((one) => [one.conf.settings.source.lines[0], one.when, one.ends, one.isFirst, one.releases]),
  ).toEqual([
    ['written', null, 'written', true, [release]],
    ['when', 'test -e x', 'written', false, [release]],
    ['older', null, 'written', false, older],
    ['repaired', null, 'unix', true, [release]],
    ['both', 'test -e x', 'unix', false, [release]],
  ]);
  expect(worlds.map(({ conf: { settings } }) => settings.release === release)).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(new Set(worlds.map(({ releases }) => releases)).size).toBe(2);
});

test('two conditions hold together, and what may change either of them may change both', () => {
  expect(both({ when: 'a', unless: 'x' }, { when: 'b', unless: 'y' })).toEqual({
    when: 'a and b',
    unless: 'x and y',
  });
  expect(both({ when: null }, { when: null })).toEqual({ when: null });
});
