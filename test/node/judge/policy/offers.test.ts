/** What a node offers, as policies and drift compare it: by its settings, as it was seen, as a report has it. */
import { describe, expect, test } from 'vitest';
import type { Access, Presence } from '../../../../src/node/facts/live.js';
import type { InterfaceReport, TargetReport } from '../../../../src/node/facts/report.js';
import { notSeen, type Seen, seen } from '../../../../src/node/facts/seen.js';
import type { Listener, Settings } from '../../../../src/node/facts/settings.js';
import { type Live, liveOf } from '../../../../src/node/judge/live/live.js';
import { liveInterfaces } from '../../../../src/node/judge/overview/live-interfaces.js';
import { declaredOffers, liveOffers, reportedOffers } from '../../../../src/node/judge/policy/offers.js';
import { badNode, quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { type NodeSettings, withKind } from '../../../../src/node/kinds/node.js';
import { alwaysPresent, unsafeDebugMethods } from '../../kaia-methods.js';
import { listener } from '../facts.js';

const refused = notSeen('refused', 'nobody listens');
const late = notSeen('timeout', 'no answer within 2 s');
const leftOut = notSeen('left-out', 'not asked on purpose');

function liveWith(
  change: Parameters<typeof badNode>[1],
  rest: Parameters<typeof badNode>[3] = {},
  settings?: Settings,
): Live {
  const example = badNode('x', change, settings, rest);
  const live = 'facts' in example ? liveOf(example.facts, kinds) : null;
  if (live === null) throw new Error('no facts');
  return live;
}

function settingsOf(listeners: readonly Listener[], values: Settings['values'] = {}): NodeSettings {
  return { ...withKind(kinds, quietSettings), listeners, values };
}

describe('by its settings', () => {
  const span = (line: number) => ({ file: 'kend.conf', line, column: 1, endLine: line, endColumn: 5 });
  const on = { state: 'on', host: '127.0.0.1', modules: ['kaia', 'rpc'] } as const;

  test('each interface that is on, a mainbridge apart', () => {
    const kinds = ['http', 'ws', 'grpc', 'metrics', 'pprof', 'mainbridge', 'ipc'] as const;
    const { offers } = declaredOffers(settingsOf(kinds.map((kind) => listener(kind, on))));
    expect(offers.map(({ kind }) => kind)).toEqual(['http', 'ws', 'grpc', 'metrics', 'pprof', 'ipc']);
    const reached = offers.map(({ kind, modules, reach }) => [kind, modules?.length, reach.reach]);
    expect(reached).toEqual([
      ['http', 2, 'loopback'],
      ['ws', 2, 'loopback'],
      ['grpc', 2, 'loopback'],
      ['metrics', 0, 'loopback'],
      ['pprof', 0, 'loopback'],
      ['ipc', 2, 'ipc'],
    ]);
    expect(declaredOffers(settingsOf(kinds.map((kind) => listener(kind)))).offers).toEqual([]);
  });

  test('a module has the place of its own word, under either name, else of its list', () => {
    const listed = [
      { name: 'klay', at: span(3) },
      { name: 'eth', at: null },
    ];
    const [offer] = declaredOffers(settingsOf([listener('http', { ...on, listed })])).offers;
    expect(offer?.placeOf('kaia')).toEqual(span(3));
    expect(offer?.placeOf('eth')).not.toEqual(span(3));
    expect(offer?.placeOf('net')).toEqual(offer?.placeOf('eth'));
  });

  test('a limit has the place of the setting that exceeds it, else of the switch', () => {
    const flags = { open: 'rpc', reach: 'rpcaddr', origins: 'rpccorsdomain', hosts: 'rpcvhosts' };
    const values = Object.fromEntries(
      Object.values(flags).map((flag, line) => {
        const origin = { kind: 'assignment', variable: flag, flag, at: span(line + 1) } as const;
        return [flag, { value: 'x', origin, shadowed: [], indeterminate: null }];
      }),
    );
    const [offer] = declaredOffers(settingsOf([listener('http', on)], values)).offers;
    expect(Object.keys(flags).map((limit) => offer?.placeOf(limit))).toEqual([1, 2, 3, 4].map(span));
    const [bare] = declaredOffers(settingsOf([listener('http', on)], { rpc: values.rpc } as never)).offers;
    expect(bare?.placeOf('hosts')).toEqual(span(1));
  });

  test.each([
    [
      { origins: ['https://a.example', '*'], vhosts: ['*'] },
      { anyOrigin: true, anyHost: true },
    ],
    [
      { origins: ['https://a.example'], vhosts: ['a.example'] },
      { anyOrigin: false, anyHost: false },
    ],
    [
      { origins: null, vhosts: null },
      { anyOrigin: null, anyHost: null },
    ],
  ])('lists %j', (lists, expected) => {
    const { offers } = declaredOffers(settingsOf([listener('http', { ...on, ...lists })]));
    expect(offers).toMatchObject([expected]);
  });

  const said = (value: boolean | null, indeterminate: string | null): Settings['values'] => ({
    'rpc.unsafe-debug.disable': { value, indeterminate, origin: { kind: 'default' }, shadowed: [] },
  });
  test.each([
    ['not set', {}, false],
    ['on', said(true, null), true],
    ['off', said(false, null), false],
    ['unknown', said(null, 'a word is unknown'), null],
  ])('the switch is %s', (_, values, off) => {
    const { offers } = declaredOffers(settingsOf([listener('http', on)], values));
    expect(offers.map(({ unsafeDebugOff }) => unsafeDebugOff)).toEqual([off]);
  });

  test('a listener with an unknown state or list is a blind spot, over any transport', () => {
    const unknown = listener('ipc', { state: 'unknown' });
    const listless = listener('ws', { ...on, modules: null, reason: 'its list is unknown' });
    const { offers, blindSpots } = declaredOffers(settingsOf([unknown, listless]));
    expect(offers).toMatchObject([{ kind: 'ws', modules: null }]);
    expect(blindSpots).toMatchObject([{ about: 'ws', reason: 'its list is unknown' }, { about: 'ipc' }]);
  });
});

describe('as it was seen', () => {
  const debug = seen({ debug: '1.0', rpc: '1.0' });
  const all = (presence: Seen<Presence>) =>
    Object.fromEntries(unsafeDebugMethods.map((name) => [name, presence]));
  const stays: Record<string, Seen<Presence>> = { [alwaysPresent]: seen('present') };
  const blind = (live: Live) => liveOffers(live).blindSpots;

  test.each<[string, Record<string, Seen<Presence>>, boolean | null]>([
    ['absent', { ...all(seen('absent')), ...stays }, true],
    ['present', all(seen('present')), false],
    ['late', all(late), null],
  ])('methods behind the switch %s', (_, methods, off) => {
    const { offers } = liveOffers(liveWith({ modules: debug, methods }));
    expect(offers).toMatchObject([{ unsafeDebugOff: off, anyOrigin: false, anyHost: false }]);
  });

  test('the unsafe-debug switch does not matter without debug', () => {
    expect(liveOffers(liveWith({})).offers).toMatchObject([{ unsafeDebugOff: null }]);
    expect(blind(liveWith({}))).toEqual([]);
  });

  test('access checks that are open, and access checks that were not asked', () => {
    const open = liveWith({ foreignOrigin: seen('open'), foreignHost: seen('open') });
    expect(liveOffers(open).offers).toMatchObject([{ anyOrigin: true, anyHost: true }]);
    const asked = liveWith({ foreignOrigin: late, foreignHost: late });
    expect(liveOffers(asked).offers).toMatchObject([{ anyOrigin: null, anyHost: null }]);
  });

  test.each([
    ['refused: closed', { modules: refused, latencyMs: null }, []],
    ['late: may be open to others', { modules: late, latencyMs: null, foreignHost: late }, ['timeout']],
    ['open, its list late', { modules: late }, ['timeout']],
    ['open, strangers not told apart', { foreignHost: late, foreignOrigin: late }, ['timeout', 'timeout']],
    ['open, strangers left out', { foreignHost: leftOut, foreignOrigin: leftOut }, ['left-out', 'left-out']],
    ['open, on loopback by its address alone', { bind: late }, ['indeterminate']],
    ['open, the switch not proven', { modules: debug, methods: all(late) }, ['indeterminate']],
    ['open, the switch proven', { modules: debug, methods: all(seen('present')) }, []],
    [
      'a socket: nobody asks about strangers',
      { endpoint: { kind: 'ipc', path: '/run/klay.ipc' }, foreignHost: late, foreignOrigin: late },
      [],
    ],
  ] as const)('%s', (_, change, codes) => {
    expect(blind(liveWith(change)).map(({ code }) => code)).toEqual(codes);
  });

  const port = { kind: 'metrics', url: 'http://127.0.0.1:61001', source: 'argument' } as const;
  test.each<[string, Seen<Access>, Seen<Access>, string, string[]]>([
    ['metrics', seen('open'), seen('closed'), 'open', []],
    ['a profiler alone', seen('closed'), seen('open'), 'open', []],
    ['neither', seen('closed'), seen('closed'), 'closed', []],
    ['nobody', refused, refused, 'refused', []],
    ['nobody asked', leftOut, leftOut, 'not-checked', []],
    ['no answer', late, late, 'unreachable', ['timeout']],
    ['no answer but a profiler', late, seen('open'), 'open', []],
  ])('a port with %s', (_, metrics, profiler, state, codes) => {
    const live = liveWith({}, { metrics: [{ ...port, metrics, profiler, bind: seen(['127.0.0.1']) }] });
    const { offers, blindSpots } = liveOffers(live);
    expect(offers.filter(({ kind }) => kind === 'metrics')).toHaveLength(state === 'open' ? 1 : 0);
    expect(blindSpots.map(({ code }) => code)).toEqual(codes);
    const row = liveInterfaces(live).find(({ transport }) => transport === 'metrics');
    expect(row).toMatchObject({ state, requests: metrics.state === 'seen' ? 2 : 1, bind: ['127.0.0.1'] });
    expect(row?.reason).toBe(metrics.state === 'seen' ? null : metrics.detail);
    expect(row?.access?.profiler).toBe(profiler.state === 'seen' ? profiler.value === 'open' : null);
  });
});

describe('rows', () => {
  test.each([
    ['refused', 'refused'],
    ['not-permitted', 'refused'],
    ['rpc-error', 'refused'],
    ['interrupted', 'not-checked'],
    ['not-asked', 'not-checked'],
    ['left-out', 'not-checked'],
    ['indeterminate', 'not-checked'],
    ['other-namespace', 'not-checked'],
    ['timeout', 'unreachable'],
  ] as const)('%s is %s', (code, state) => {
    const live = liveWith({ modules: notSeen(code, 'why'), latencyMs: null });
    expect(liveInterfaces(live)).toMatchObject([{ state, reason: 'why', modules: null }]);
  });

  test('what the settings keep closed and does not answer is closed', () => {
    const settings = settingsOf([listener('http')]);
    expect(liveInterfaces(liveWith({ modules: late, latencyMs: null }, {}, settings))).toMatchObject([
      { state: 'closed' },
    ]);
    expect(liveInterfaces(liveWith({}, {}, settings))).toMatchObject([{ state: 'open' }]);
  });

  test.each([
    ['the kernel', { bind: seen(['0.0.0.0']) }, { state: 'on', host: '10.0.0.1' }, ['0.0.0.0']],
    ['the settings', { bind: late }, { state: 'on', host: '10.0.0.1' }, ['10.0.0.1']],
    ['nobody: it is off', { bind: late }, { state: 'off', host: '10.0.0.1' }, null],
    ['nobody: the host is unknown', { bind: late }, { state: 'on', host: null }, null],
  ] as const)('bound as %s says', (_, change, over, bind) => {
    const settings = settingsOf([listener('http', over)]);
    expect(liveInterfaces(liveWith(change, {}, settings))[0]?.bind).toEqual(bind);
  });

  test('a socket’s mode has four digits', () => {
    const [row] = liveInterfaces(liveWith({ fileMode: seen(0o600) }));
    expect(row?.access).toMatchObject({ fileMode: '0600', foreignHost: false, profiler: null });
    expect(liveInterfaces(liveWith({}))[0]?.access?.fileMode).toBeNull();
  });

  test('gRPC offers what the settings open it with', () => {
    const grpc = { url: 'http://127.0.0.1:8553', source: 'conf', bind: late } as const;
    const opened = settingsOf([listener('grpc', { state: 'on', host: '127.0.0.1', modules: ['eth'] })]);
    const rows = (listening: Seen<'open'>, settings?: Settings) =>
      liveInterfaces(liveWith({}, { grpc: [{ ...grpc, listening }] }, settings)).slice(1);
    expect(rows(seen('open'), opened)).toMatchObject([
      { endpoint: 'grpc://127.0.0.1:8553', state: 'open', reason: null, modules: { eth: '' } },
    ]);
    expect(rows(refused)).toMatchObject([{ state: 'refused', reason: 'nobody listens', modules: null }]);
  });
});

describe('as a report has it', () => {
  const row: InterfaceReport = {
    ...liveInterfaces(liveWith({}))[0]!,
    modules: { klay: '1.0', kaia: '1.0', eth: '1.0' },
  };
  const offersOf = (...interfaces: InterfaceReport[]) =>
    reportedOffers({ kind: 'kaia', interfaces } as unknown as TargetReport, kinds);

  test('only what is open is offered; what was not asked stays a question', () => {
    const states = ['open', 'closed', 'refused', 'unreachable', 'not-checked'] as const;
    const { offers, blindSpots } = offersOf(...states.map((state) => ({ ...row, endpoint: state, state })));
    expect(offers.map(({ placeOf }) => placeOf('open'))).toEqual([{ endpoint: 'open' }]);
    expect(blindSpots.map(({ about }) => about)).toEqual(['unreachable', 'not-checked']);
    expect(offers[0]?.placeOf('eth')).toEqual({ endpoint: 'open' });
  });

  test('lists each module once, under its current name', () => {
    expect(offersOf(row).offers).toMatchObject([{ modules: ['kaia', 'eth'], reach: { reach: 'loopback' } }]);
    expect(offersOf({ ...row, modules: null }).offers).toMatchObject([{ modules: null }]);
  });

  test.each([
    ['on', true],
    ['off', false],
    ['unproven', false],
    [null, null],
  ] as const)('the switch is %s', (unsafeDebug, off) => {
    expect(offersOf({ ...row, unsafeDebug }).offers).toMatchObject([{ unsafeDebugOff: off }]);
  });

  test('access checks, and an interface without them', () => {
    const access = { foreignHost: true, foreignOrigin: false, fileMode: null, profiler: null };
    expect(offersOf({ ...row, access }).offers).toMatchObject([{ anyHost: true, anyOrigin: false }]);
    const { access: _, reach: __, unsafeDebug: ___, ...old } = row;
    expect(offersOf(old as InterfaceReport).offers).toMatchObject([
      { anyHost: null, anyOrigin: null, reach: { reach: 'any' }, unsafeDebugOff: null },
    ]);
  });
});
