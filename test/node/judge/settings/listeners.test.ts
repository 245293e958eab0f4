/** Questions that rules ask about open interfaces. */
import { expect, test } from 'vitest';
import type { Listener, Setting, Settings } from '../../../../src/node/facts/settings.js';
import { quietSettings } from '../../../../src/node/judge/rule/examples.js';
import {
  bindBlindSpots,
  listenerBlindSpots,
  moduleListBlindSpots,
  placeOfModule,
} from '../../../../src/node/judge/settings/listeners.js';
import { inside, originOf } from '../../../../src/node/judge/settings/setting.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { type NodeSettings, withKind } from '../../../../src/node/kinds/node.js';
import { listener, span } from '../facts.js';

const at = span(4, 1, 9);
const assigned = { kind: 'assignment', variable: 'X', flag: '--x', at } as const;
const flag = { kind: 'flag', flag: 'x', at: null } as const;
/** Set by the file, and perhaps overridden by a word nobody knows. */
const hidden = (value: Setting['value']): Setting => ({
  value: null,
  origin: flag,
  shadowed: [{ value, origin: assigned }],
  indeterminate: 'a word is unknown',
});
const known = (value: Setting['value']): Setting => ({
  value,
  origin: assigned,
  shadowed: [],
  indeterminate: null,
});
const settingsOf = (listeners: readonly Listener[], values: Settings['values'] = {}): NodeSettings => ({
  ...withKind(kinds, quietSettings),
  listeners,
  values,
});

test('an undetermined setting is named with its reason', () => {
  const listeners = [
    listener('http', { state: 'unknown', reason: 'a word' }),
    listener('ws', { state: 'unknown' }),
    listener('grpc', { state: 'on' }),
    listener('ipc', { state: 'on', modules: ['eth'], host: 'h' }),
    listener('metrics'),
  ];
  const kinds = ['http', 'ws', 'grpc', 'ipc', 'metrics'] as const;
  const settings = settingsOf(listeners);
  expect(moduleListBlindSpots(settings, ...kinds).map(({ about }) => about)).toEqual(['http', 'ws', 'grpc']);
  expect(bindBlindSpots(settings, 'http', 'grpc', 'ipc').map(({ about }) => about)).toEqual(['http', 'grpc']);
  expect(listenerBlindSpots(settings, ...kinds).map(({ about }) => about)).toEqual(['http', 'ws']);
  expect(listenerBlindSpots(settings, 'ws', 'grpc').map(({ about }) => about)).toEqual(['ws']);
  for (const { reason } of [
    ...moduleListBlindSpots(settings, ...kinds),
    ...bindBlindSpots(settings, ...kinds),
  ])
    expect(reason).toBeTruthy();
});

test('a module has the place of its own word, else of its list or its switch', () => {
  const named = span(2, 5, 9);
  const one = {
    ...listener('http'),
    kind: 'http',
    listed: [
      { name: 'net', at: null },
      { name: 'klay', at: named },
    ],
  } as const;
  const settings = settingsOf([], { rpcapi: known('klay') });
  expect(placeOfModule(settings, one, 'kaia')).toEqual(named);
  expect(placeOfModule(settings, one, 'net')).toEqual(at);
  expect(placeOfModule(settings, { ...one, listed: null }, 'kaia')).toEqual(at);
  const grpc = { ...listener('grpc'), kind: 'grpc' } as const;
  expect(placeOfModule(settingsOf([], { grpc: known(true) }), grpc, 'eth')).toEqual(at);
});

test('a setting comes from what decides it; under unknown words, from what they may hide', () => {
  const of = (setting?: Setting) =>
    originOf(settingsOf([], setting === undefined ? {} : { x: setting }), 'x');
  expect(of(known('v'))).toEqual(assigned);
  expect(of(hidden('v'))).toEqual(assigned);
  expect(of({ ...hidden('v'), shadowed: [] })).toEqual({ kind: 'default' });
  expect(of({ ...hidden('v'), origin: assigned, shadowed: [{ value: 1, origin: flag }] })).toEqual(assigned);
  expect(of()).toEqual({ kind: 'default' });
});

test.each([
  [{ line: 2, column: 5, endLine: 2, endColumn: 9 }, true],
  [{ line: 2, column: 5, endLine: 4, endColumn: 3 }, true],
  [{ line: 3, column: 1, endLine: 3, endColumn: 99 }, true],
  [{ line: 2, column: 4, endLine: 2, endColumn: 9 }, false],
  [{ line: 1, column: 9, endLine: 3, endColumn: 1 }, false],
  [{ line: 3, column: 1, endLine: 4, endColumn: 4 }, false],
  [{ line: 3, column: 1, endLine: 5, endColumn: 1 }, false],
  [{ line: 3, column: 1, endLine: 3, endColumn: 2, file: 'other.conf' }, false],
])('%j is inside 2:5 to 4:3', (over, expected) => {
  const outer = { file: 'kend.conf', line: 2, column: 5, endLine: 4, endColumn: 3 };
  expect(inside({ ...outer, ...over }, outer)).toBe(expected);
});
