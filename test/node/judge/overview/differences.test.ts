/** Where conf, process and node differ: each fact by itself, and what could not be seen never as a difference. */
import { describe, expect, test } from 'vitest';
import type { EndpointFacts, LiveFacts, Presence } from '../../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../../src/node/facts/seen.js';
import type { Listener, Setting, Settings } from '../../../../src/node/facts/settings.js';
import { driftOf } from '../../../../src/node/judge/overview/drift.js';
import { badNode, quietEndpoint, quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { alwaysPresent, unsafeDebugMethods } from '../../kaia-methods.js';
import { listener, span } from '../facts.js';

const late = notSeen('timeout', 'no answer within 2 s');
const refused = notSeen('refused', 'nobody listens');
const http = quietSettings.listeners[0]!;
const origin = { kind: 'assignment', variable: 'X', flag: '--x', at: span(1, 1, 2) } as const;
const set = (value: Setting['value'], over: Partial<Setting> = {}): Setting => ({
  value,
  origin,
  shadowed: [],
  indeterminate: null,
  ...over,
});

interface Case {
  readonly listeners?: readonly Listener[];
  readonly values?: Settings['values'];
  readonly live?: Partial<LiveFacts>;
}

/** `setting conf → node` of each row. */
function drift(
  change: Partial<EndpointFacts>,
  { listeners = [http], values = {}, live = {} }: Case = {},
): string[] {
  const settings = { ...quietSettings, listeners, values };
  const example = badNode('', change, settings, live);
  const rows = 'facts' in example ? driftOf(example.facts, kinds) : null;
  if (rows === null) throw new Error('nothing to compare');
  return rows.map((row) => `${row.setting} ${row.conf} → ${row.node}`);
}

const off = { modules: refused, latencyMs: null };
const silent = { modules: late, latencyMs: null };
const beside = (change: Partial<EndpointFacts>): Partial<LiveFacts> => ({
  endpoints: [
    quietEndpoint,
    { ...quietEndpoint, endpoint: { kind: 'ws', url: 'ws://127.0.0.1:8552' }, ...change },
  ],
});
const ws = (state: Listener['state']) => [http, listener('ws', { state })];

describe('interfaces', () => {
  test.each<[string, () => string[], string[]]>([
    ['as they are', () => drift({}), []],
    ['open and off', () => drift({}, { listeners: [{ ...http, state: 'off' }] }), ['--rpc off → open']],
    ['closed and off', () => drift(off, { listeners: [{ ...http, state: 'off' }] }), []],
    [
      'not known',
      () => drift({ modules: seen({ admin: '1' }) }, { listeners: [{ ...http, state: 'unknown' }] }),
      [],
    ],
    ['without settings', () => drift({ modules: seen({ admin: '1' }) }, { listeners: [] }), []],
    [
      'refused beside one that answers',
      () => drift({}, { listeners: ws('on'), live: beside(off) }),
      ['--ws on → closed'],
    ],
    ['late beside one that answers', () => drift({}, { listeners: ws('on'), live: beside(silent) }), []],
    ['refused, and nothing answers', () => drift(off), []],
  ])('%s', (_, rows, expected) => expect(rows()).toEqual(expected));

  test.each<[string, () => string[], string[]]>([
    [
      'in another order, with rpc',
      () => drift({ modules: seen({ web3: '', net: '', klay: '', eth: '' }) }),
      [],
    ],
    ['fewer', () => drift({ modules: seen({ kaia: '' }) }), ['--rpcapi eth,kaia,net,web3 → kaia']],
    ['none', () => drift({ modules: seen({ rpc: '' }) }), ['--rpcapi eth,kaia,net,web3 → none']],
    [
      'more than none',
      () => drift({}, { listeners: [{ ...http, modules: [] }] }),
      ['--rpcapi none → eth,kaia,net,web3'],
    ],
    ['not known', () => drift({}, { listeners: [{ ...http, modules: null }] }), []],
    ['late', () => drift({ modules: late }), []],
  ])('modules %s', (_, rows, expected) => expect(rows()).toEqual(expected));

  const anyone = { ...http, origins: ['*'], vhosts: ['*'] };
  test.each<[string, () => string[], string[]]>([
    [
      'open',
      () => drift({ foreignOrigin: seen('open'), foreignHost: seen('open') }),
      ['--rpccorsdomain', '--rpcvhosts'],
    ],
    [
      'open as set',
      () => drift({ foreignOrigin: seen('open'), foreignHost: seen('open') }, { listeners: [anyone] }),
      [],
    ],
    ['closed against it', () => drift({}, { listeners: [anyone] }), ['--rpccorsdomain', '--rpcvhosts']],
    [
      'not known',
      () => drift({ foreignOrigin: seen('open') }, { listeners: [{ ...http, origins: null, vhosts: null }] }),
      [],
    ],
    ['late', () => drift({ foreignOrigin: late, foreignHost: late }, { listeners: [anyone] }), []],
  ])('strangers: %s', (_, rows, expected) =>
    expect(rows().map((row) => row.split(' ')[0])).toEqual(expected),
  );
});

describe('the chain', () => {
  const on = (chain: string) => ({ chain: seen(chain) });
  const unknown = set(null, { indeterminate: 'a word is unknown' });
  test.each<[string, () => string[], string[]]>([
    ['mainnet by default', () => drift(on('8217')), []],
    ['another by default', () => drift(on('1001')), ['--networkid 8217 → 1001']],
    ['kairos', () => drift(on('1001'), { values: { kairos: set(true) } }), []],
    ['kairos that is not', () => drift(on('8217'), { values: { kairos: set(true) } }), ['X 1001 → 8217']],
    ['kairos off', () => drift(on('8217'), { values: { kairos: set(false), networkid: set(8217) } }), []],
    [
      'mainnet before a number',
      () => drift(on('8217'), { values: { mainnet: set(true), networkid: set(5) } }),
      [],
    ],
    ['a number', () => drift(on('5'), { values: { networkid: set(5) } }), []],
    ['a number that is not', () => drift(on('8217'), { values: { networkid: set(5) } }), ['X 5 → 8217']],
    ['not known', () => drift(on('5'), { values: { networkid: unknown } }), []],
    ['not seen', () => drift({ chain: late }), []],
    [
      'seen at the second',
      () =>
        drift(
          {},
          {
            live: {
              endpoints: [
                { ...quietEndpoint, chain: late },
                { ...quietEndpoint, ...on('5') },
              ],
            },
          },
        ),
      ['--networkid 8217 → 5'],
    ],
  ])('%s', (_, rows, expected) => expect(rows()).toEqual(expected));
});

describe('the unsafe-debug switch', () => {
  const all = (presence: Seen<Presence>) =>
    Object.fromEntries(unsafeDebugMethods.map((name) => [name, presence]));
  const debug = { modules: seen({ debug: '' }) };
  const listeners = [{ ...http, modules: ['debug'] }];
  const proven = {
    on: { ...debug, methods: { ...all(seen('absent')), [alwaysPresent]: seen<Presence>('present') } },
    off: { ...debug, methods: all(seen('present')) },
    unproven: { ...debug, methods: all(late) },
  };
  const said = (setting: Setting) => ({ listeners, values: { 'rpc.unsafe-debug.disable': setting } });
  test.each<[string, () => string[], number]>([
    ['on as set', () => drift(proven.on, said(set(true))), 0],
    ['off as set', () => drift(proven.off, said(set(false))), 0],
    ['off by default', () => drift(proven.off, { listeners }), 0],
    ['on against the default', () => drift(proven.on, { listeners }), 1],
    ['off against it', () => drift(proven.off, said(set(true))), 1],
    ['not proven', () => drift(proven.unproven, said(set(true))), 0],
    [
      'not proven first',
      () =>
        drift(
          {},
          {
            ...said(set(true)),
            live: {
              endpoints: [
                { ...quietEndpoint, ...proven.unproven },
                { ...quietEndpoint, ...proven.off },
              ],
            },
          },
        ),
      1,
    ],
    ['not known', () => drift(proven.off, said(set(null, { indeterminate: 'a word' }))), 0],
    [
      'perhaps set elsewhere',
      () => drift(proven.off, said(set(true, { origin: { kind: 'yaml', path: 'x', key: null, at: null } }))),
      0,
    ],
  ])('%s', (_, rows, expected) => expect(rows()).toHaveLength(expected));
});

describe('metrics', () => {
  const port = (metrics: Seen<'open' | 'closed'>): Partial<LiveFacts> => ({
    metrics: [
      { kind: 'metrics', url: 'http://127.0.0.1:61001', source: 'conf', metrics, profiler: late, bind: late },
    ],
  });
  const rows = (
    state: Listener['state'] | null,
    metrics: Seen<'open' | 'closed'>,
    change: Partial<EndpointFacts> = {},
  ) =>
    drift(change, {
      listeners: [http, ...(state === null ? [] : [listener('metrics', { state })])],
      live: port(metrics),
    });
  test.each<[string, () => string[], string[]]>([
    ['open and off', () => rows('off', seen('open')), ['--prometheus off → open']],
    ['closed and off', () => rows('off', seen('closed')), []],
    ['late and off', () => rows('off', late), []],
    ['refused and off', () => rows('off', refused), []],
    ['open and on', () => rows('on', seen('open')), []],
    ['refused and on', () => rows('on', refused), ['--prometheus on → closed']],
    ['late and on', () => rows('on', late), []],
    ['refused where nothing answers', () => rows('on', refused, off), []],
    ['refused and not known', () => rows('unknown', refused), []],
    ['open without settings', () => rows(null, seen('open')), []],
    ['refused without settings', () => rows(null, refused), []],
  ])('%s', (_, found, expected) => expect(found()).toEqual(expected));
});
