/** Comments of a file that means different things in several worlds: one decision over all of them. */

import { expect, test } from 'vitest';
import type { TargetReport } from '../../../../src/node/facts/report.js';
import { notSeen } from '../../../../src/node/facts/seen.js';
import { quietEndpoint } from '../../../../src/node/judge/rule/examples.js';
import { exampleFacts } from '../../editables.js';
import { judgeTarget } from '../../pipeline.js';

const needed = ['RPC_ENABLE=1', 'RPC_ADDR=10.0.0.1', 'NETWORK=mainnet', 'DATA_DIR=/srv/kend'];
const accept = (what: string) => `# kaiactl-ignore ${what} reason="known"`;
const facts = (lines: readonly string[], end = '\n') =>
  exampleFacts({ conf: [...needed, ...lines, ''].join(end), launcher: 'kend', package: 'tar' });

/** The findings about comments, as `rule: message`. */
function aboutComments({ findings }: TargetReport): string[] {
  return findings.flatMap(({ rule, message }) =>
    rule.endsWith('-suppression') ? [`${rule}: ${message}`] : [],
  );
}
const judged = (lines: readonly string[], end?: string) =>
  aboutComments(judgeTarget(facts(lines, end), { failOn: 'high' }));
const unused = (rule: string) =>
  `unused-suppression: ${rule} finds nothing here; the comment would hide its next finding.`;

const personal = accept('privileged-module(personal)');
test.each<[string, readonly string[]]>([
  [
    'of a rule on the script, beside an if',
    [accept('unknown-setting'), 'FOO=1', 'if [ -f /x ]; then :; fi', 'if [ -f /y ]; then RPC_API=eth; fi'],
  ],
  [
    'of a rule on the script, in an if',
    ['if [ -f /x ]; then', accept('unknown-setting'), 'RPC_API=eth', 'fi'],
  ],
  [
    'that a condition makes needless',
    [personal, 'RPC_API=klay,personal', 'if [ -f /x ]; then RPC_ENABLE=0; fi'],
  ],
  ['that is needed in an if alone', ['if [ -f /x ]; then', personal, 'RPC_API=klay,personal', 'fi']],
  [
    'that is needed in an else alone',
    ['if [ -f /x ]; then RPC_API=klay', 'else', personal, 'RPC_API=klay,personal', 'fi'],
  ],
  [
    'that is needed if two conditions hold',
    [
      'if [ -f /x ]; then',
      'WS_ENABLE=1',
      'fi',
      'if [ -f /y ]; then',
      personal,
      'RPC_API=klay,personal',
      'fi',
    ],
  ],
])('a comment %s is neither unused nor malformed', (_what, lines) => {
  expect(judged(lines)).toEqual([]);
});

test('the same holds for a file with carriage returns', () => {
  expect(judged(['if [ -f /x ]; then', personal, 'RPC_API=klay,personal', 'fi'], '\r\n')).toEqual([]);
  expect(judged([personal, 'RPC_API=klay,personal'], '\r\n')).toEqual([]);
});

test('a comment that no world needs is unused once, under no condition', () => {
  const lines = [accept('public-bind'), 'WS_ENABLE=0', 'if [ -f /x ]; then RPC_API=klay,debug; fi'];
  expect(judged(lines)).toEqual([unused('public-bind')]);
  expect(judged([accept('public-bind'), 'WS_ENABLE=0'])).toEqual([unused('public-bind')]);
});

test('a misspelt rule is told once, under no condition', () => {
  const lines = [accept('unknown-seting'), 'FOO=1', 'if [ -f /x ]; then RPC_API=klay,debug; fi'];
  expect(judged(lines)).toEqual([
    'malformed-suppression: The comment suppresses nothing. There is no rule unknown-seting. Did you mean unknown-setting?',
  ]);
});

/** The same facts with an http endpoint that answers. */
function audited(lines: readonly string[], end?: string): string[] {
  const process = notSeen('not-asked', 'not asked');
  const endpoints = [{ ...quietEndpoint, source: 'conf' as const }];
  const live = { endpoints, metrics: [], process, sockets: [] };
  return aboutComments(judgeTarget({ ...facts(lines, end), live }, { failOn: 'high' }));
}

test('an audit knows every rule, whatever the line ends of the conf', () => {
  const lines = [accept('privileged-module(admin)'), 'RPC_API=klay,admin', accept('unknown-seting'), 'FOO=1'];
  expect(audited(lines, '\r\n').filter((one) => one.includes('There is no rule'))).toEqual([
    expect.stringContaining('There is no rule unknown-seting.'),
  ]);
});

test('an audit calls no comment unused that another world may need: a live node shows one of them', () => {
  const unneeded = [accept('public-bind'), 'WS_ENABLE=0'];
  expect(audited(unneeded)).toEqual([unused('public-bind')]);
  expect(audited([...unneeded, 'if [ -f /x ]; then WS_ENABLE=1; fi'])).toEqual([]);
});
