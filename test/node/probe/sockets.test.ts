/** What a process listens on, and what of it is asked: by its settings, its sockets and its ports. */
import { describe, expect, test } from 'vitest';
import { endpointName, parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts, ProcessFacts } from '../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Listener, Settings } from '../../../src/node/facts/settings.js';
import { quietEndpoint, quietSettings } from '../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { planOf } from '../../../src/node/probe/plan.js';
import { accountFor, furtherEndpoints, type UseOf, usesOf } from '../../../src/node/probe/sockets.js';
import type { Target } from '../../../src/node/probe/target.js';
import { dialable, withStarted } from '../../../src/node/probe/target.js';
import { listener } from '../judge/facts.js';

const at = (port: number, address = '127.0.0.1') => ({ address, port });
const on = (kind: Listener['kind'], over: Partial<Listener> = {}) =>
  listener(kind, { state: 'on', host: '127.0.0.1', ...over });
const named = (address: string, source: EndpointFacts['source'] = 'argument') => ({
  address: parseEndpoint(address),
  source,
});
const raw = (endpoints: Target['endpoints']) =>
  endpoints.map(({ address, source }) => `${source} ${endpointName(address.endpoint)}`);

test('the first settings that open a port decide its kind', () => {
  const useOf = usesOf([
    { listeners: [on('http', { port: 1 }), listener('ws', { port: 2 }), on('grpc')], peerPorts: [1, 3] },
    { listeners: [on('ws', { port: 1 }), on('ws', { port: 3 }), on('ws', { port: 4 })], peerPorts: null },
  ]);
  expect([1, 2, 3, 4].map((port) => useOf(at(port)))).toEqual(['http', undefined, 'p2p', 'ws']);
});

test.each<[string | null, string, boolean]>([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '10.0.0.5', false],
  ['127.0.0.1', '::', false],
  ['0.0.0.0', '::', true],
  ['0.0.0.0', '10.0.0.5', false],
  ['[::1]', '::1', true],
  ['localhost', '::1', true],
  ['localhost', '10.0.0.5', false],
  ['en-1', '10.0.0.5', true],
  [null, '10.0.0.5', true],
])('a listener on %s opens the socket on %s: %s', (host, address, isItsOwn) => {
  const useOf = usesOf([{ listeners: [on('http', { port: 1, host })], peerPorts: [] }]);
  expect(useOf(at(1, address))).toBe(isItsOwn ? 'http' : undefined);
});

test.each([
  ['::', '[::1]'],
  ['0.0.0.0', '127.0.0.1'],
  ['fe80::1', '[fe80::1]'],
  ['10.0.0.1', '10.0.0.1'],
])('%s is dialled at %s', (address, host) => expect(dialable(address)).toBe(host));

describe('sockets without an endpoint', () => {
  const uses: UseOf = ({ port }) => ([undefined, 'http', 'ws', 'p2p', 'grpc'] as const)[port];

  test('are asked for the interface in their settings, for http and ws without settings, and never at a possible peer port', () => {
    const sockets = [at(9), at(4), at(3), at(2, '::'), at(1), at(7)];
    const dialled = [named('http://127.0.0.1:7'), named('ipc:/d/klay.ipc')];
    expect(raw(furtherEndpoints(sockets, uses, { endpoints: dialled }))).toEqual([
      'process http://127.0.0.1:1',
      'process ws://[::1]:2',
      'process http://127.0.0.1:9',
      'process ws://127.0.0.1:9',
    ]);
  });

  test('are known by address and port and listed once', () => {
    const sockets = [at(9), at(9), at(9, '10.0.0.1'), at(1)];
    expect(accountFor(sockets, uses, [])).toEqual([
      { ...at(1), use: 'http' },
      { ...at(9, '10.0.0.1'), use: 'unknown' },
      { ...at(9), use: 'unknown' },
    ]);
  });

  test.each([
    ['http://127.0.0.1:9', '10.0.0.1', ['process http://10.0.0.1:9', 'process ws://10.0.0.1:9']],
    ['http://127.0.0.1:9', '::', []],
    ['http://127.0.0.1:9', '0.0.0.0', []],
    ['http://[::1]:9', '0.0.0.0', ['process http://127.0.0.1:9', 'process ws://127.0.0.1:9']],
    ['http://localhost:9', '::1', []],
  ])('beside %s on %s are asked: %j', (url, address, further) => {
    expect(raw(furtherEndpoints([at(9, address)], uses, { endpoints: [named(url)] }))).toEqual(further);
  });

  const asked = (url: string, over: Partial<EndpointFacts> = {}): EndpointFacts => ({
    ...quietEndpoint,
    endpoint: url.startsWith('ipc:')
      ? { kind: 'ipc', path: url }
      : { kind: url.startsWith('ws') ? 'ws' : 'http', url },
    source: 'process',
    latencyMs: null,
    ...over,
  });

  test('have the transport that answered, even if the settings differ', () => {
    const answers = [
      asked('http://127.0.0.1:1'),
      asked('ws://127.0.0.1:1', { latencyMs: 1 }),
      asked('ipc:/x', { latencyMs: 1 }),
    ];
    expect(accountFor([at(1), at(3), at(8)], uses, answers).map(({ use }) => use)).toEqual([
      'ws',
      'p2p',
      'unknown',
    ]);
  });
});

const settingsOf = (...listeners: Listener[]): Settings => ({
  ...quietSettings,
  listeners,
  keys: {},
  values: {},
});
const target = (over: Partial<Target> = {}): Target => ({
  name: 'en',
  role: null,
  conf: null,
  endpoints: [],
  metrics: [],
  ...over,
});
const processWith = (settings: Settings | null, over: Partial<ProcessFacts> = {}): ProcessFacts => ({
  pid: 1,
  argv: [],
  startedAt: null,
  environment: notSeen('not-asked', ''),
  folder: seen('/srv'),
  settings,
  sockets: seen([]),
  network: 'same',
  root: '',
  container: null,
  ...over,
});

describe('the start of a process', () => {
  const settings = settingsOf(
    on('http', { port: 8551 }),
    on('ws', { port: 8552 }),
    listener('grpc'),
    on('ipc', { path: 'data/klay.ipc' }),
    on('metrics', { port: 61001 }),
  );

  test('is asked besides the named endpoints, each port once', () => {
    const before = target({ endpoints: [named('http://127.0.0.1:8551')] });
    const after = withStarted(before, processWith(settings), kinds);
    expect(raw(after.endpoints)).toEqual([
      'argument http://127.0.0.1:8551',
      'process ws://127.0.0.1:8552',
      'process ipc:/srv/data/klay.ipc',
    ]);
    expect(after.metrics).toMatchObject([{ url: 'http://127.0.0.1:61001', source: 'process' }]);
  });

  test('leaves out disabled interfaces, a second socket and known ports', () => {
    const { metrics } = withStarted(target(), processWith(settings), kinds);
    const known = target({ endpoints: [named('ipc:/x'), named('ws://127.0.0.1:8552')], metrics });
    expect(raw(withStarted(known, processWith(settings), kinds).endpoints)).toEqual([
      'argument ipc:/x',
      'argument ws://127.0.0.1:8552',
      'process http://127.0.0.1:8551',
    ]);
    expect(withStarted(known, processWith(settings), kinds).metrics).toEqual(metrics);
    const off = settingsOf(listener('http', { port: 1 }), listener('metrics', { port: 2 }));
    expect(withStarted(target(), processWith(off), kinds)).toEqual(target());
    expect(withStarted(target(), processWith(null), kinds)).toEqual(target());
  });

  test('has its socket where its folder is, and none where its root holds none', () => {
    const ipc = settingsOf(on('ipc', { path: 'klay.ipc' }));
    // Another user may not follow the link: the connection is refused, and no other node's socket is dialled.
    const unknown = processWith(ipc, { pid: 4711, folder: notSeen('not-permitted', '') });
    expect(raw(withStarted(target(), unknown, kinds).endpoints)).toEqual([
      'process ipc:/proc/4711/cwd/klay.ipc',
    ]);
    const absolute = processWith(settingsOf(on('ipc', { path: '/d/klay.ipc' })));
    expect(raw(withStarted(target(), absolute, kinds).endpoints)).toEqual(['process ipc:/d/klay.ipc']);
    expect(withStarted(target(), processWith(ipc, { root: '/nonexistent/root' }), kinds).endpoints).toEqual(
      [],
    );
  });
});

test('a plan lists exactly the requests that an audit sends', () => {
  const metrics = [{ kind: 'metrics', url: 'http://127.0.0.1:61001', source: 'argument' }] as const;
  const whole = target({ endpoints: [named('http://127.0.0.1:8551'), named('ipc:/d/x')], metrics });
  const lines = (depth: 'none' | 'safe') => planOf(whole, depth, kinds).map(({ endpoint }) => endpoint);
  expect(new Set(lines('none'))).toEqual(new Set(['http://127.0.0.1:8551', 'ipc:/d/x']));
  expect(lines('safe').filter((one) => one.endsWith(':61001'))).toHaveLength(2);
  expect(lines('safe').length).toBeGreaterThan(lines('none').length + 2);
  expect(planOf(whole, 'none', kinds)[0]).toMatchObject({ message: 'rpc_modules []', when: null });
});
