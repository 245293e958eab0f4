import { expect, test } from 'vitest';
import { planTarget, planText } from '../../../src/node/commands/plan.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Planned, Target } from '../../../src/node/probe/index.js';
import { confOf } from '../judge/facts.js';

const target: Target = { name: 'en-1\u001b', role: null, conf: null, endpoints: [], metrics: [] };
const message = (
  endpoint: string,
  text: string,
  when: string | null = null,
  afterRefusal = false,
): Planned => {
  return { endpoint, message: text, when, afterRefusal };
};
const condition = 'the node offers debug and the switch is off';
const plan = planTarget(target, [
  message('http://a', 'rpc_modules []'),
  message('ws://a', 'rpc_modules []'),
  message('http://a', 'net_version []', 'net'),
  message('http://a', 'rpc_modules {}'),
  message('http://a', 'debug_setHead {}', condition, true),
  message('http://a', 'admin_peers {}', null, true),
]);

test('messages are listed by endpoint, in order', () => {
  expect(plan).toMatchObject({ target: 'en-1\u001b', reason: null });
  expect(plan.endpoints.map(({ endpoint, messages }) => `${endpoint} ${messages.length}`)).toEqual([
    'http://a 5',
    'ws://a 1',
  ]);
  expect(plan.endpoints[1]?.messages).toEqual([
    { message: 'rpc_modules []', when: null, afterRefusal: false },
  ]);
});

test('a condition stands beside its message, or below it where the line is too long', () => {
  expect(planText([plan], ['Kaia', 'geth'], 100)).toBe(`http://a
  rpc_modules []
  net_version []                           if net
  rpc_modules {}
  if rpc_modules {} is refused with -32602:
    debug_setHead {}                       if ${condition}
    admin_peers {}
ws://a
  rpc_modules []

Nothing was sent. Each line is one message; [] and {} are its parameters. A node of Kaia and geth
logs a warning for each message with {}.
`);
  expect(planText([plan], ['Kaia'], 60)).toContain(`
    debug_setHead {}
      if the node offers debug and the switch is off
`);
  expect(planText([plan], ['Kaia'], 89)).toContain(`{}                       if ${condition}\n`);
  expect(planText([plan], ['Kaia'], 88)).toContain(`{}\n      if ${condition}\n`);
});

test.each([
  [{}, 'it opens no interface'],
  [{ conf: seen(confOf([])) }, 'it opens no interface'],
  [{ conf: notSeen('unreadable', 'no such file') }, 'no such file'],
  [{ open: {} }, 'it is not judged'],
])('without messages, a target with %j says why', (over, reason) => {
  const nothing = planTarget({ ...target, ...over }, []);
  expect(nothing).toEqual({ target: target.name, endpoints: [], reason });
  expect(planText([nothing], ['Kaia'], 80)).toBe(
    `en-1\\u{1b}\n  nothing: ${reason}\n\nNothing was sent. Each line is one message; [] and {} are its parameters.\n`,
  );
});
