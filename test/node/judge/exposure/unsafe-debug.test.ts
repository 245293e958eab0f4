/** What an interface proves about the unsafe-debug switch, and what a profiler that cannot be read leaves open. */

import { describe, expect, test } from 'vitest';
import type { EndpointFacts, MetricsFacts } from '../../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../../src/node/facts/seen.js';
import { declaredSwitch, shownBy, switchOf } from '../../../../src/node/judge/exposure/unsafe-debug.js';
import { judge } from '../../../../src/node/judge/judge.js';
import type { Answering } from '../../../../src/node/judge/live/answers.js';
import { badNode, quietEndpoint } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { openProfiler } from '../../../../src/node/rules/open-profiler.js';
import { readConf } from '../../editables.js';
import { alwaysPresent, unsafeDebugMethods } from '../../kaia-methods.js';

const kaiaEndpoint = { ...quietEndpoint, nodeKind: kaia };

type Presence = EndpointFacts['methods'][string];
const late = notSeen('timeout', 'no answer within 2 s');

/** An endpoint with debug: what stays, and what the methods behind the switch showed, the last for all that follow. */
function withDebug(stays: Presence, ...behind: readonly Presence[]): Answering {
  const moved = unsafeDebugMethods.map((name, at) => [name, behind[Math.min(at, behind.length - 1)]]);
  const modules = seen({ debug: '1.0', rpc: '1.0' });
  return { ...kaiaEndpoint, modules, methods: Object.fromEntries([[alwaysPresent, stays], ...moved]) };
}

const [present, absent] = [seen('present' as const), seen('absent' as const)];

test.each<[string, Answering, string]>([
  ['all absent beside what stays', withDebug(present, absent), 'on'],
  ['one of four unanswered', withDebug(present, late, absent), 'unproven'],
  ['all but one unanswered', withDebug(present, absent, late), 'unproven'],
  ['none answered', withDebug(present, late), 'unproven'],
  ['what stays is denied', withDebug(absent, absent), 'unproven'],
  ['what stays is not answered', withDebug(late, absent), 'unproven'],
  ['one present among unanswered ones', withDebug(late, present, late), 'off'],
])('the state of the switch is derived: %s', (_name, endpoint, state) => {
  expect(switchOf(endpoint)?.state).toBe(state);
});

test('nothing is proven without debug or over ipc', () => {
  const methods = { [alwaysPresent]: absent };
  expect(switchOf({ ...kaiaEndpoint, modules: seen({ eth: '1.0' }), methods })).toBeNull();
  const ipc = { kind: 'ipc', path: '/k.ipc' } as const;
  expect(switchOf({ ...withDebug(present, absent), endpoint: ipc })).toBeNull();
  // What answers is there, whatever rpc_modules lists.
  expect(switchOf({ ...withDebug(present, late), modules: seen({ eth: '1.0' }) })?.state).toBe('unproven');
});

test.each<[string, Answering, string]>([
  [
    'on',
    withDebug(present, absent),
    // The trace methods prove nothing where the release is not known.
    'none of 3 methods that the switch disables answers',
  ],
  ['off', withDebug(late, present, absent), '1 of 3 methods that the switch disables answer'],
  [
    'one answered of those asked',
    withDebug(late, present, late),
    '1 of 1 methods that the switch disables answer',
  ],
  ['late', withDebug(present, late), 'not proven: no answer within 2 s'],
  ['later', withDebug(present, absent, late), 'not proven: no answer within 2 s'],
  ['denied', withDebug(absent, absent), `not proven: ${alwaysPresent} is denied although debug is listed`],
  [
    'not asked',
    { ...withDebug(present), methods: { [alwaysPresent]: present } },
    'not proven: no method that the switch disables was asked',
  ],
  [
    'not calibrated',
    { ...withDebug(late, late), calibrated: notSeen('unreadable', 'it answers whatever is asked') },
    'not proven: it answers whatever is asked',
  ],
])('the evidence of the proof is named: %s', (_name, endpoint, clause) => {
  const proof = switchOf(endpoint);
  expect(proof && shownBy(proof)).toBe(clause);
});

test.each<[string, string, string]>([
  ['nothing', '', 'off'],
  ['the flag', 'ADDITIONAL="--rpc.unsafe-debug.disable"', 'on'],
  ['the flag as false', 'ADDITIONAL="--rpc.unsafe-debug.disable=false"', 'off'],
  ['words nobody knows', 'ADDITIONAL="$(cat flags)"', 'unproven'],
])('settings decide the switch: %s', (_name, line, state) => {
  const text = `RPC_ENABLE=1\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n${line}\n`;
  expect(declaredSwitch(withKind(kinds, readConf('kend.conf', Buffer.from(text)).settings))).toBe(state);
});

describe('the profiler', () => {
  const verdictOf = (profiler: Seen<'open' | 'closed'>) => {
    const url = 'http://127.0.0.1:61001';
    const [metrics, bind] = [seen('open' as const), seen(['127.0.0.1'])];
    const port: MetricsFacts = { kind: 'metrics', url, source: 'argument', metrics, profiler, bind };
    const example = badNode('', {}, undefined, { metrics: [port] });
    if (!('facts' in example)) throw new Error('not a live example');
    return judge(example.facts, [openProfiler], kinds).map(({ verdict }) => verdict);
  };
  test.each<[string, Seen<'open' | 'closed'>, string]>([
    ['that answers', seen('open'), 'fail'],
    ['that is closed', seen('closed'), 'pass'],
    ['that nobody serves', notSeen('refused', 'connection refused'), 'pass'],
    ['that does not answer in time', late, 'undetermined'],
    ['that answers nonsense', notSeen('unreadable', 'the answer is not HTTP'), 'undetermined'],
    ['that was not asked', notSeen('left-out', 'not asked (--probe none)'), 'not-applicable'],
  ])('%s', (_name, profiler, verdict) => {
    expect(verdictOf(profiler)).toEqual([verdict]);
  });
});
