import { expect, test } from 'vitest';
import { go } from '../../../src/node/dialect/go/index.js';
import type { Setting, SettingValue } from '../../../src/node/facts/settings.js';
import type { Start } from '../../../src/node/kinds/kind.js';
import {
  fixedModules,
  items,
  listedModules,
  partDecided,
  switchedListener,
} from '../../../src/node/kinds/listening.js';
import { span } from '../judge/facts.js';
import { moon } from './moon.js';

/** A value; undefined: unknown. */
const setting = (value: SettingValue | null | undefined): Setting => {
  const indeterminate = value === undefined ? 'why' : null;
  return { value: value ?? null, origin: { kind: 'default' }, shadowed: [], indeterminate };
};

type Values = Readonly<Record<string, SettingValue | null | undefined>>;

function startWith(values: Values): Start {
  const all = Object.entries(values).map(([name, value]) => [name, setting(value)]);
  return {
    dialect: go,
    values: Object.fromEntries(all),
    locate: (_: Setting, name: string, after: unknown) =>
      after === null ? span(1, name.length, 9) : span(2, 1, 9),
  } as Partial<Start> as Start;
}

const flags = { enable: 'on', addr: 'host', port: 'port', api: 'api' };
const all: Values = { on: true, host: '10.0.0.5', port: 8545, api: 'eth' };

test.each<[values: Values, listener: object]>([
  [
    all,
    { state: 'on', reason: null, host: '10.0.0.5', port: 8545, decidedBy: ['on', 'host', 'port', 'api'] },
  ],
  [{}, { state: 'off', reason: 'this binary has no --on', host: null, port: null }],
  [
    { ...all, on: undefined },
    { state: 'unknown', reason: 'why', host: '10.0.0.5' },
  ],
  [
    { ...all, on: false },
    { state: 'off', reason: null },
  ],
  [
    { ...all, on: null },
    { state: 'off', reason: null },
  ],
  [
    { ...all, host: '' },
    { state: 'off', reason: '--host is empty, which turns it off' },
  ],
  [
    { ...all, host: undefined, port: undefined },
    { state: 'on', host: null, port: null },
  ],
  [
    { ...all, host: '::1' },
    { state: 'on', host: '[::1]' },
  ],
  [
    { ...all, host: '10.0.0.5:8545' },
    { state: 'on', host: '10.0.0.5' },
  ],
  [
    { ...all, host: '10.0.0.5 ' },
    { state: 'on', host: '10.0.0.5' },
  ],
  [
    { ...all, host: ':' },
    { state: 'on', host: null },
  ],
])('the settings %j open %j', (values, expected) => {
  expect(switchedListener(startWith(values), 'http', flags, fixedModules(['eth']))).toMatchObject({
    kind: 'http',
    path: null,
    modules: ['eth'],
    listed: null,
    origins: null,
    vhosts: null,
    ...expected,
  });
});

test('a listener without a flag for its address binds every address, and names the flags that it has', () => {
  const { host, decidedBy } = switchedListener(
    startWith({ on: true }),
    'pprof' as const,
    { enable: 'on', port: 'port' },
    fixedModules(null),
  );
  expect([host, decidedBy]).toEqual(['0.0.0.0', ['on']]);
  const none = switchedListener(startWith({}), 'pprof', { enable: null, port: null }, fixedModules(null));
  expect(none).toMatchObject({ state: 'off', reason: null, decidedBy: [] });
});

test.each([
  ['eth, net ,', ['eth', 'net', '']],
  ['', ['']],
  [null, []],
  [undefined, null],
])('the items of %j are %j', (value, list) => {
  expect(items(setting(value))).toEqual(list);
});

test.each<[Values, string | null, object]>([
  [{}, 'api', { listed: null, modules: null, builtInList: false }],
  [{ api: 'eth' }, null, { listed: null, modules: null, builtInList: false }],
  [{ api: undefined }, 'api', { listed: null, modules: null, builtInList: false, ifEmpty: [''] }],
  [{ api: null }, 'api', { listed: null, modules: ['built', 'in'], builtInList: true }],
  [
    { api: 'eth,,admin' },
    'api',
    {
      listed: [
        { name: 'eth', at: span(1, 3, 9) },
        { name: '', at: null },
        { name: 'admin', at: span(2, 1, 9) },
      ],
      modules: ['eth', '', 'admin'],
      builtInList: false,
    },
  ],
])('of %j the list --%s offers %j', (values, flag, expected) => {
  expect(listedModules(startWith(values), flag, (list) => list ?? ['built', 'in'])).toEqual(expected);
});

test('a flag decides at most one part of an interface', () => {
  const part = (name: string) => partDecided(moon.interfaces.flags, name);
  expect(['bind', 'offer', 'serve', 'profilebind', 'other'].map(part)).toEqual([
    'addr',
    'api',
    null,
    'addr',
    null,
  ]);
});
