import { expect, test } from 'vitest';
import {
  badValue,
  givenIn,
  isStartRefused,
  isWritten,
  linesIn,
  modesOf,
  type Origin,
  type Setting,
  type StartProblem,
  spanOf,
} from '../../../src/node/facts/settings.js';
import { confOf, span } from '../judge/facts.js';

const at = span(1, 2, 3);

test.each<[Origin | undefined, place: typeof at | null, isWritten: boolean, variable: string | null]>([
  [undefined, null, false, null],
  [{ kind: 'default' }, null, false, null],
  [{ kind: 'launcher', flag: 'rpc' }, null, false, null],
  [{ kind: 'flag', flag: 'rpc', at }, at, true, null],
  [{ kind: 'flag', flag: 'rpc', at: null }, null, true, null],
  [{ kind: 'flag', flag: '', at }, at, false, null],
  [{ kind: 'assignment', variable: 'RPC_PORT', flag: 'rpcport', at }, at, false, 'RPC_PORT'],
  [{ kind: 'packaged', variable: 'RPC_PORT' }, null, false, 'RPC_PORT'],
])(
  'a value from %j has its place, and a problem with it names the variable',
  (origin, place, written, variable) => {
    expect([spanOf(origin), isWritten(origin)]).toEqual([place, written]);
    const setting =
      origin === undefined ? {} : { rpcport: { value: 1, origin, shadowed: [], indeterminate: null } };
    expect(badValue(setting, 'rpcport', 'why', false)).toEqual({
      kind: 'bad-value',
      fatal: false,
      message: 'why',
      at: place,
      variable,
      flags: ['rpcport'],
    });
    expect(badValue(setting, 'rpcport', 'why').fatal).toBe(true);
  },
);

test.each<[Partial<StartProblem>[], boolean]>([
  [[], false],
  [[{ fatal: false }], false],
  [[{}], true],
  [[{ fatal: false }, {}], true],
  [[{ kind: 'unknown-flag' }], false],
  [[{ kind: 'unknown-flag', release: 'inferred' }], false],
  [[{ kind: 'unknown-flag', release: 'certain' }], true],
])('a node with the problems %j certainly does not start: %s', (problems, expected) => {
  const whole = badValue({}, 'rpcport', 'why');
  expect(isStartRefused(problems.map((one) => ({ ...whole, ...one })))).toBe(expected);
});

test('lines are those of the file that a place names', () => {
  const source = { path: 'run.sh', lines: ['a'], others: { 'node.env': ['b'], 'run.sh': ['c'] } };
  expect(['run.sh', 'node.env', 'other'].map((file) => linesIn(source, file))).toEqual([['a'], ['b'], []]);
  expect(linesIn({ path: 'run.sh', lines: ['a'] }, 'node.env')).toEqual([]);
});

test('the modes of files are those of the source, and of the files it uses where they are known', () => {
  const { settings } = confOf([]);
  const files = [
    { path: 'kend.conf', role: 'starts', mode: 0o600 },
    { path: 'node.env', role: 'environment', mode: 0o644 },
    { path: 'other.env', role: 'environment' },
  ] as const;
  const source = { ...settings.source, file: { mode: 0o640, uid: 0 } };
  expect([...modesOf({ ...settings, files })]).toEqual([['node.env', 0o644]]);
  expect([...modesOf({ ...settings, source, files })]).toEqual([
    ['kend.conf', 0o640],
    ['node.env', 0o644],
  ]);
  expect([...modesOf({ ...settings, source })]).toEqual([['kend.conf', 0o640]]);
});

test('settings that are given come in the order of the flags, without defaults', () => {
  const by = (kind: 'default' | 'launcher', flag: string): Setting => ({
    value: flag,
    shadowed: [],
    indeterminate: null,
    origin: kind === 'default' ? { kind } : { kind, flag },
  });
  const values = { ws: by('launcher', 'ws'), rpc: by('default', 'rpc'), http: by('launcher', 'http') };
  expect(givenIn(values)).toEqual([
    ['ws', values.ws],
    ['http', values.http],
  ]);
  expect(givenIn(values)).toBe(givenIn(values));
});
