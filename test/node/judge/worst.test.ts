/** Findings of several worlds as one: their order decides nothing, and no condition is lost. */
import { expect, test } from 'vitest';
import type { Alternative, Conf } from '../../../src/node/facts/facts.js';
import type { ReleaseFound } from '../../../src/node/facts/release.js';
import type { Severity } from '../../../src/node/facts/severity.js';
import { advise } from '../../../src/node/fix/proposal/fix.js';
import { judgeReadings } from '../../../src/node/judge/readings.js';
import { decideVerdict, type Rule } from '../../../src/node/judge/rule/rule.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { confOf, factsOf, span } from './facts.js';

const example = { conf: '' };
/** Finds what the only line of a world says: nothing, or a severity. */
const rule: Rule = {
  id: 'open',
  severity: 'critical',
  title: 't',
  why: 'w',
  fix: 'f',
  ignore: '',
  sources: [],
  examples: { bad: example, good: example },
  on: 'settings',
  check: ({ source: { lines } }) =>
    decideVerdict(
      lines.flatMap((severity) =>
        severity === ''
          ? []
          : [
              {
                subject: 's',
                message: 'found',
                fix: advise('f'),
                at: span(1, 1, 2),
                severity: severity as Severity,
              },
            ],
      ),
    ),
};

const release: ReleaseFound = { value: null, since: 'kaia/v1.0.0', until: 'kaia/v2.2.1', by: 'none' };
const newer = [{ since: 'kaia/v2.0.0', until: 'kaia/v2.2.1' }];
const older = [{ since: 'kaia/v1.0.0', until: 'kaia/v1.0.3' }];
const world = (line: Severity | '', over: Partial<Alternative> = {}, startable = true): Alternative => ({
  when: null,
  conf: confOf([line], { release, startable }),
  ...over,
});

/** The severity and message of what is found in a node and its alternatives, in each order of these. */
function tellings(own: Severity | '', ...alternatives: readonly Alternative[]): string[] {
  const conf: Conf = { ...confOf([own], { release }), releases: newer };
  const orders = alternatives.map((_, at) => [...alternatives.slice(at), ...alternatives.slice(0, at)]);
  const all = [...orders, ...orders.map((order) => order.toReversed())].flatMap((order) =>
    judgeReadings(factsOf({ ...conf, alternatives: order }), [rule], kinds, null).findings.map(
      ({ severity, message }) => `${severity} ${message}`,
    ),
  );
  return [...new Set(all)];
}

const old = 'In releases kaia v1.0.0 to v1.0.3';
test.each<[string, Severity | '', readonly Alternative[], string]>([
  ['everywhere', 'high', [world('high', { releases: older })], 'high found'],
  ['in one release', '', [world('high', { releases: older })], `high ${old}: found`],
  ['worse in one release', 'low', [world('high', { releases: older })], `high ${old}: found`],
  [
    'under a condition, and always in older releases',
    '',
    [world('critical', { when: 'a' }), world('critical', { releases: older })],
    `critical ${old}, or when a: found`,
  ],
  [
    'under a condition in each release, and always in older ones',
    '',
    [
      world('critical', { when: 'a' }),
      world('critical', { releases: older }),
      world('critical', { when: 'a', releases: older }),
    ],
    `critical ${old}, or when a: found`,
  ],
  [
    'unless something changes it, and always in older releases',
    '',
    [world('critical', { unless: '/x.yaml' }), world('critical', { releases: older })],
    `critical ${old}, or unless /x.yaml changes it: found`,
  ],
  [
    'unless something changes it, in each release',
    'low',
    [world('critical', { unless: '/x.yaml' }), world('critical', { unless: '/x.yaml', releases: older })],
    'critical Unless /x.yaml changes it: found',
  ],
  [
    'always in the newest releases, and under a condition in older ones',
    'high',
    [world('high', { when: 'a', releases: older }), world('', { releases: older })],
    'high In releases from kaia v2.0.0 on, or when a: found',
  ],
  [
    'always, and under a condition',
    'high',
    [world('high', { when: 'a' }), world('high', { releases: older })],
    'high found',
  ],
  [
    'in a release that refuses the start, and in one that starts',
    '',
    [
      world('high', { releases: older }, false),
      world('high', { releases: [{ since: 'kaia/v1.0.4', until: 'kaia/v1.0.4' }] }),
    ],
    'high In releases kaia v1.0.4: found',
  ],
])('what holds %s is told so, in whatever order the worlds are', (_what, own, alternatives, told) => {
  expect(tellings(own, ...alternatives)).toEqual([told]);
});

test('a node with one world keeps what several rules find of one thing', () => {
  const rules = [rule, { ...rule, id: 'other', severity: 'low' as const }];
  const { findings } = judgeReadings(factsOf(confOf(['high'])), rules, kinds, null);
  expect(findings.map((one) => `${one.rule} ${one.message}`)).toEqual(['open found', 'other found']);
});
