/** File, process and live node are witnesses of one node: where they differ, authority wins, not the worst. */

import { expect, test } from 'vitest';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Severity } from '../../../src/node/facts/severity.js';
import { advise } from '../../../src/node/fix/proposal/fix.js';
import { inForce, withLive, withStarted } from '../../../src/node/judge/judge.js';
import { quietEndpoint } from '../../../src/node/judge/rule/examples.js';
import { type Draft, decideVerdict } from '../../../src/node/judge/rule/rule.js';
import { exampleFacts } from '../editables.js';
import { alwaysPresent, unsafeDebugMethods } from '../kaia-methods.js';
import { judgeTarget } from '../pipeline.js';
import { span } from './facts.js';

const draft = (subject: string, severity: Severity): Draft => {
  return { subject, severity, message: severity, at: span(1, 1, 2), fix: advise('f') };
};
const severities = ({ findings }: ReturnType<typeof decideVerdict>) =>
  findings.map(({ subject, severity }) => `${subject} ${severity}`);

test.each<[Severity, Severity]>([
  ['critical', 'low'],
  ['low', 'critical'],
])('a live node decides on a finding of the settings: %s becomes %s', (declared, shown) => {
  const both = withLive(
    decideVerdict([draft('a', declared), draft('b', declared)]),
    decideVerdict([draft('a', shown)]),
  );
  expect(severities(both)).toEqual([`a ${shown}`, `b ${declared}`]);
});

test('a running process adds to the settings what is worse, and decides alone while a restart is pending', () => {
  const [declared, started] = [
    decideVerdict([draft('a', 'high')]),
    decideVerdict([draft('a', 'low'), draft('c', 'low')]),
  ];
  expect(severities(withStarted(declared, started, 'high'))).toEqual(['a high', 'c low']);
  expect(severities(inForce(declared, started))).toEqual(['a low', 'c low']);
});

test('a node that proves its unsafe-debug switch on is medium, where its conf alone is critical', () => {
  const [present, absent] = [seen('present' as const), seen('absent' as const)];
  const methods = Object.fromEntries([
    [alwaysPresent, present],
    ...unsafeDebugMethods.map((name) => [name, absent] as const),
  ]);
  const lines = ['RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'RPC_API=klay,debug', 'DATA_DIR=/d', 'NETWORK=mainnet'];
  const facts = exampleFacts({ conf: `${lines.join('\n')}\n` });
  const endpoint = { kind: 'http' as const, url: 'http://192.0.2.1:8551' };
  const modules = seen({ debug: '1.0', kaia: '1.0', rpc: '1.0' });
  const bind = seen(['0.0.0.0']);
  const process = notSeen('not-asked', 'not asked');
  const endpoints = [{ ...quietEndpoint, endpoint, source: 'conf' as const, modules, methods, bind }];
  const live = { endpoints, metrics: [], process, sockets: [] };
  const severityOf = (given: typeof facts) =>
    judgeTarget(given, { failOn: 'high' }).findings.find(({ rule }) => rule === 'unsafe-debug')?.severity;
  expect(severityOf(facts)).toBe('critical');
  expect(severityOf({ ...facts, live })).toBe('medium');
});
