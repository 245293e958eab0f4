/** Rows of interfaces nobody asked: as settings would open them, and what an audit did not look at. */
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../../src/node/facts/facts.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import type { Listener, ListenerKind, Settings } from '../../../../src/node/facts/settings.js';
import { declaredInterfaces } from '../../../../src/node/judge/overview/declared-interfaces.js';
import { notInspected } from '../../../../src/node/judge/overview/target.js';
import { goodNode, quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { judgeTarget } from '../../pipeline.js';
import { listener } from '../facts.js';

const row = (one: Listener, values: Settings['values'] = {}) =>
  declaredInterfaces({ ...withKind(kinds, quietSettings), listeners: [one], values })[0];
const on = (kind: ListenerKind, over: Partial<Listener> = {}) => listener(kind, { state: 'on', ...over });

describe('settings open', () => {
  test.each([
    [on('http', { host: '127.0.0.1', port: 8551 }), 'http://127.0.0.1:8551', ['127.0.0.1'], 'loopback'],
    [on('ws', { host: '::1', port: 8552 }), 'ws://[::1]:8552', ['::1'], 'loopback'],
    [on('ws', { host: '[::]', port: 8552 }), 'ws://[::]:8552', ['[::]'], 'any'],
    [on('metrics', { host: '10.0.0.1', port: 61001 }), 'http://10.0.0.1:61001', ['10.0.0.1'], 'private'],
    [on('http'), 'http://?:?', null, undefined],
    [on('grpc', { host: null, assumed: 'private' }), 'grpc://?:?', null, 'private'],
    [on('http', { container: { network: 'others' } }), 'http://?:?', null, 'private'],
    [on('ipc', { path: '/d/klay.ipc' }), '/d/klay.ipc', null, 'ipc'],
    [on('ipc'), '?/klay.ipc', null, 'ipc'],
  ])('%#', (one, endpoint, bind, reach) => {
    const found = row(one);
    expect(found).toMatchObject({ endpoint, bind, state: 'not-checked' });
    expect(found?.reach).toBe(reach);
    const by = one.assumed === undefined ? 'settings' : 'assumed';
    expect(found?.reachBy).toBe(reach === undefined ? undefined : by);
  });

  test('leave out disabled interfaces and those without a row', () => {
    expect(row(listener('http'))).toBeUndefined();
    expect(row(on('pprof'))).toBeUndefined();
  });

  test('report an unknown value with its reason and declare nothing', () => {
    const unknown = listener('http', { state: 'unknown', reason: 'a word is unknown' });
    expect(row(unknown)).toMatchObject({ reason: 'a word is unknown' });
    expect(row(unknown)).not.toHaveProperty('declared');
    expect(row({ ...unknown, reason: null })?.reason).not.toBeNull();
  });

  test.each([
    ['http', { origins: ['*'], vhosts: ['localhost'] }, { foreignOrigin: true, foreignHost: false }],
    ['http', { origins: ['https://a.example'], vhosts: ['*'] }, { foreignOrigin: false, foreignHost: true }],
    ['metrics', {}, { foreignOrigin: null, foreignHost: null, profiler: true }],
    ['ipc', {}, { foreignOrigin: null, foreignHost: null, profiler: null }],
  ] as const)('%s allows the callers of its lists: %j', (kind, over, access) => {
    expect(row(on(kind, over))?.declared).toMatchObject({ access });
  });

  const said = (value: boolean | null, indeterminate: string | null = null): Settings['values'] => ({
    'rpc.unsafe-debug.disable': { value, indeterminate, origin: { kind: 'default' }, shadowed: [] },
  });
  const byFile: Settings['values'] = {
    'rpc.unsafe-debug.disable': {
      value: true,
      indeterminate: null,
      shadowed: [],
      origin: { kind: 'yaml', path: 'n.yaml', key: null, at: null },
    },
  };
  test.each([
    // What a file of --conf says of it proves nothing.
    ['http', ['debug'], byFile, 'unproven'],
    ['http', ['debug'], {}, 'off'],
    ['http', ['debug'], said(true), 'on'],
    ['http', ['debug'], said(false), 'off'],
    ['http', ['debug'], said(null, 'unknown'), 'unproven'],
    ['http', ['eth'], said(true), null],
    ['http', null, said(true), null],
    ['ipc', ['debug'], said(true), null],
  ] as const)('%s with %j shows the switch', (kind, modules, values, unsafeDebug) => {
    expect(row(on(kind, { modules }), values)?.declared).toMatchObject({ modules, unsafeDebug });
  });
});

describe('interfaces that were not inspected', () => {
  const whole = goodNode('x', quietSettings);
  const facts = 'facts' in whole ? whole.facts : null;
  if (facts?.live == null) throw new Error('no facts');
  const { live } = facts;
  const rows = judgeTarget(facts, { failOn: 'high' }).interfaces;
  const settingsOf = (...listeners: Listener[]): Pick<Facts, 'conf'> => ({
    conf: seen({ settings: { ...quietSettings, listeners }, shell: null }),
  });
  const process = {
    pid: 1,
    argv: [],
    startedAt: null,
    environment: notSeen('not-asked', ''),
    folder: notSeen('not-asked', ''),
    settings: null,
    network: 'same',
    root: '',
    container: null,
    sockets: seen([]),
  } as const;
  const rest = ['the process’s sockets', 'a firewall or proxy in front'];

  test.each<[string, Partial<Facts>, string[]]>([
    [
      'no settings',
      { conf: null },
      ['ws', 'ipc', 'grpc', 'metrics :61001 (no conf says whether it is on)', ...rest],
    ],
    [
      'off in the settings',
      settingsOf(...(['ws', 'ipc', 'grpc', 'metrics'] as const).map((kind) => listener(kind, { port: 7 }))),
      ['ws (off in the conf)', 'grpc (off in the conf)', 'metrics :7 (off in the conf)', ...rest],
    ],
    [
      'on in the settings',
      settingsOf(on('ws'), on('ipc'), on('grpc'), on('metrics')),
      ['ws', 'ipc', 'grpc', 'metrics :61001', ...rest],
    ],
    [
      'the process’s sockets seen',
      { conf: null, live: { ...live, process: seen(process) } },
      ['ipc', rest[1]!],
    ],
    [
      'said what stands in front',
      { conf: null, live: { ...live, assumed: {} } },
      ['ws', 'ipc', 'grpc', 'metrics :61001 (no conf says whether it is on)', rest[0]!],
    ],
    ['a simulated node', { simulated: true, conf: null }, ['the node itself']],
    [
      'a simulated node without an interface of its settings',
      { simulated: true, ...settingsOf(on('http'), on('ws'), listener('ipc', {})) },
      ['the node itself', 'ws (not simulated)'],
    ],
    ['no live node', { live: null }, []],
  ])('%s', (_, change, expected) => {
    expect(notInspected({ ...facts, ...change }, rows, kinds)).toEqual(expected);
  });

  test('a row without a request is named by its port', () => {
    const unasked = rows.map((one) => ({ ...one, state: 'not-checked' as const }));
    const named = [...unasked, { ...unasked[0]!, transport: 'ipc' as const, endpoint: '/d/klay.ipc' }];
    expect(notInspected({ ...facts, conf: null }, named, kinds)).toEqual([
      'ws',
      'grpc',
      'metrics :61001 (no conf says whether it is on)',
      'http :8551',
      'ipc',
      ...rest,
    ]);
  });
});
