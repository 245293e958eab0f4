import { expect, test } from 'vitest';
import type { ReleaseFound } from '../../../src/node/facts/release.js';
import { geth } from '../../../src/node/kinds/geth/index.js';
import {
  anyRelease,
  foundName,
  isBefore,
  isExact,
  joinedRanges,
  otherReleases,
  periodName,
  rangeName,
  rangesName,
  releasesOf,
} from '../../../src/node/kinds/release.js';

/** Releases v1 to v6 of two products. */
const releases = ['a/v1', 'a/v2', 'a/v3', 'b/v4', 'b/v5', 'b/v6'].map((id) => {
  const [product = '', tag = ''] = id.split('/');
  return { id, product, tag };
});
const kind = { releases };
const span = (text: string) => {
  const [since = '', until = since] = text.split(' to ');
  return { since, until };
};
const found = (over: Partial<ReleaseFound>): ReleaseFound => ({
  value: null,
  since: 'a/v1',
  until: 'a/v3',
  by: 'settings',
  ...over,
});

test.each([
  ['a/v1 to a/v1', 'a v1'],
  ['a/v1 to a/v3', 'a v1 to v3'],
  ['a/v1 to b/v5', 'a v1 to b v5'],
])('the range %s is called %s', (range, name) => {
  expect(rangeName(span(range))).toBe(name);
  expect(periodName(span(range))).toBe(name);
});

test.each([
  [{}, 'every release'],
  [{ since: 'a/v2' }, 'from a v2'],
  [{ until: 'b/v4' }, 'up to b v4'],
])('the period %j is called “%s”', (period, name) => {
  expect(periodName(period)).toBe(name);
});

test.each<[Partial<ReleaseFound>, name: string, isExact: boolean]>([
  [{}, 'a v1 to v3', false],
  [{ value: 'a/v1', until: 'a/v1' }, 'a v1', true],
  [{ value: 'a/v1' }, 'a v1', false],
  [{ value: 'a/v3' }, 'a v3', false],
  [{ value: 'a/v9', since: 'a/v3' }, 'a v9 (judged as a v3)', false],
  [{ value: 'a/v2', until: 'b/v4' }, 'a v2 (judged as a v1 to b v4)', false],
  [{ refused: [] }, 'a v1 to v3', false],
  [{ refused: ['rpc'] }, 'a v1 to v3 (newer ones refuse --rpc)', false],
  [{ refused: ['p', 'q', 'r', 's', 't'] }, 'a v1 to v3 (newer ones refuse --p, --q, --r and 2 more)', false],
  [{ fork: 'l2geth' }, 'judged as a v1 to v3, from which l2geth descends', false],
])('the release %j is called “%s”', (over, name, exact) => {
  expect(foundName(found(over))).toBe(name);
  expect(isExact(found(over))).toBe(exact);
});

test.each<[ranges: string, joined: string, name: string]>([
  ['a/v1 to b/v6', 'a/v1 to b/v6', 'releases from a v1 on'],
  ['a/v1 to a/v2', 'a/v1 to a/v2', 'releases up to a v2'],
  ['a/v1', 'a/v1 to a/v1', 'releases up to a v1'],
  ['b/v5 to b/v6', 'b/v5 to b/v6', 'releases from b v5 on'],
  ['b/v6', 'b/v6 to b/v6', 'releases b v6'],
  ['a/v2 to b/v4', 'a/v2 to b/v4', 'releases a v2 to b v4'],
  ['a/v1, b/v6', 'b/v6 to b/v6, a/v1 to a/v1', 'releases b v6 and up to a v1'],
  ['a/v1, a/v3 to b/v4', 'a/v3 to b/v4, a/v1 to a/v1', 'releases a v3 to b v4 and up to a v1'],
  ['a/v1, b/v4 to b/v5, a/v2 to a/v3', 'a/v1 to b/v5', 'releases up to b v5'],
])('of %s the ranges are %s: %s', (given, joined, name) => {
  const ranges = given.split(', ').map(span);
  expect(
    joinedRanges(kind, ranges)
      .map(({ since, until }) => `${since} to ${until}`)
      .join(', '),
  ).toBe(joined);
  expect(rangesName(kind, ranges, undefined)).toBe(name);
});

test('the flags that newer releases refuse are named beside the newest range', () => {
  const ranges = ['a/v1', 'a/v3'].map(span);
  expect(rangesName(kind, ranges, found({ refused: ['rpc'] }))).toBe(
    'releases a v3 and up to a v1 (newer ones refuse --rpc)',
  );
  expect(rangesName(kind, ranges, found({ refused: ['rpc'], until: 'b/v6' }))).not.toContain('refuse');
});

test('a node without evidence may be any release known', () => {
  expect(anyRelease(kind)).toEqual({ value: null, by: 'none', since: 'a/v1', until: 'b/v6' });
  expect(releases.map(({ id }) => isBefore(kind, id, 'b/v4'))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  const all = `the releases known here (${rangeName(anyRelease(geth))})`;
  expect([null, undefined, found({})].map((one) => releasesOf(geth, one))).toEqual([all, all, all]);
  expect(releasesOf(geth, found({ value: 'geth/v1.9.0', since: 'geth/v1.9.0', until: 'geth/v1.9.0' }))).toBe(
    'geth v1.9.0',
  );
});

test.each([
  [{}, null],
  [{ since: 'geth/v1.10.0' }, null],
  [{ since: 'geth/v1.11.0' }, '--x came with geth v1.11.0'],
  [{ until: 'geth/v1.10.0' }, null],
  [{ until: 'geth/v1.9.0' }, 'the last release with --x is geth v1.9.0'],
])('of geth v1.10.0, a flag of %j: %s', (period, said) => {
  expect(otherReleases(geth.at('geth/v1.10.0'), '--x', period)).toBe(said);
});
