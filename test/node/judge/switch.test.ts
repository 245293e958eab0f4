/** What an interface proves about the unsafe-debug switch, and what a profiler that cannot be read leaves open. */
import { describe, expect, test } from 'vitest';
import {
  alwaysPresent,
  type EndpointFacts,
  type MetricsFacts,
  unsafeDebugMethods,
} from '../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../src/node/facts/seen.js';
import { judge } from '../../../src/node/judge/judge.js';
import { badNode, quietEndpoint } from '../../../src/node/judge/live-examples.js';
import { switchOf } from '../../../src/node/judge/switch.js';
import { openProfiler } from '../../../src/node/rules/open-profiler.js';

type Presence = EndpointFacts['methods'][string];
const late = notSeen('timeout', 'no answer within 2 s');

/** An endpoint with debug: what stays, and what the methods behind the switch showed, the last for all that follow. */
function withDebug(stays: Presence, ...behind: readonly Presence[]): EndpointFacts {
  const moved = unsafeDebugMethods.map((name, at) => [name, behind[Math.min(at, behind.length - 1)]]);
  const modules = seen({ debug: '1.0', rpc: '1.0' });
  return { ...quietEndpoint, modules, methods: Object.fromEntries([[alwaysPresent, stays], ...moved]) };
}

const [present, absent] = [seen('present' as const), seen('absent' as const)];

test.each<[string, EndpointFacts, string]>([
  ['all absent beside what stays', withDebug(present, absent), 'on'],
  ['one of four unanswered', withDebug(present, late, absent), 'unproven'],
  ['all but one unanswered', withDebug(present, absent, late), 'unproven'],
  ['none answered', withDebug(present, late), 'unproven'],
  ['what stays is denied', withDebug(absent, absent), 'unproven'],
  ['what stays is not answered', withDebug(late, absent), 'unproven'],
  ['one present among unanswered ones', withDebug(late, present, late), 'off'],
])('the switch: %s', (_name, endpoint, state) => {
  expect(switchOf(endpoint)?.state).toBe(state);
});

describe('the profiler', () => {
  const verdictOf = (profiler: Seen<'open' | 'closed'>) => {
    const url = 'http://127.0.0.1:61001';
    const [metrics, bind] = [seen('open' as const), seen(['127.0.0.1'])];
    const port: MetricsFacts = { kind: 'metrics', url, source: 'argument', metrics, profiler, bind };
    const example = badNode('', {}, undefined, { metrics: [port] });
    if (!('facts' in example)) throw new Error('not a live example');
    return judge(example.facts, [openProfiler]).map(({ verdict }) => verdict);
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
