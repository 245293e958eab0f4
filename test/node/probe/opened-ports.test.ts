/** The ports of gRPC and of the engine API that settings open. */

import { describe, expect, test } from 'vitest';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../src/node/facts/live.js';
import { portHop } from '../../../src/node/facts/reach.js';
import type { Listener } from '../../../src/node/facts/settings.js';
import { quietSettings } from '../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { withKind } from '../../../src/node/kinds/node.js';
import { openedPorts } from '../../../src/node/probe/ports.js';
import type { Target } from '../../../src/node/probe/target.js';
import { listener } from '../judge/facts.js';

const on = (kind: Listener['kind'], over: Partial<Listener> = {}) =>
  listener(kind, { state: 'on', host: '127.0.0.1', ...over });
const named = (address: string, source: EndpointFacts['source'] = 'argument') => ({
  address: parseEndpoint(address),
  source,
});
const settingsOf = (...listeners: Listener[]) => withKind(kinds, { ...quietSettings, listeners });

describe('a port of gRPC', () => {
  const ports = (endpoints: Target['endpoints'], ...listeners: Listener[]) =>
    openedPorts('grpc', { endpoints }, { settings: settingsOf(...listeners), source: 'conf' });

  test.each([
    [on('grpc', { port: 9 }), [], 'http://127.0.0.1:9', 'conf', null],
    [on('grpc', { host: '::', port: null }), [], 'http://[::1]:8553', 'conf', null],
    [on('grpc', { port: 9 }), [named('http://en.example:8551')], 'http://en.example:9', 'inventory', null],
    [on('grpc', { port: 9 }), [named('http://en.example:8551', 'conf')], 'http://127.0.0.1:9', 'conf', null],
    [on('grpc', { port: 9 }), [named('ipc:/x')], 'http://127.0.0.1:9', 'conf', null],
    [on('grpc', { port: 9 }), [named('http://127.0.0.1:8551')], 'http://127.0.0.1:9', 'conf', null],
    [
      listener('grpc', { state: 'unknown', reason: 'why', host: '127.0.0.1', port: 9 }),
      [],
      'http://127.0.0.1:9',
      'conf',
      'why',
    ],
  ] as const)('%#', (one, endpoints, url, source, unknown) => {
    expect(ports(endpoints, one)).toEqual([{ url, source, unknown }]);
  });

  test('skips disabled interfaces and those without a URL', () => {
    expect(ports([], listener('grpc', { port: 9 }), on('http', { port: 8 }))).toEqual([]);
    expect(ports([], on('grpc', { port: 99_999 }))).toEqual([]);
    const [{ unknown } = { unknown: null }] = ports([], listener('grpc', { state: 'unknown' }));
    expect(unknown).toBeTruthy();
  });

  test('is asked once, by the first of two settings', () => {
    const [one, two] = [
      settingsOf(on('grpc', { port: 9 })),
      settingsOf(on('grpc', { port: 9 }), on('grpc', { port: 7 })),
    ];
    const found = openedPorts(
      'grpc',
      { endpoints: [] },
      { settings: one, source: 'process' },
      { settings: two, source: 'conf' },
    );
    expect(found.map(({ url, source }) => `${source} ${url}`).sort()).toEqual([
      'conf http://127.0.0.1:7',
      'process http://127.0.0.1:9',
    ]);
  });
});

test('the engine API of a container is asked where this machine publishes it, and nowhere else', () => {
  const of = (over: Partial<Listener>) =>
    openedPorts(
      'authrpc',
      { endpoints: [] },
      {
        settings: settingsOf(on('authrpc', { host: '0.0.0.0', port: 8551, ...over })),
        source: 'conf',
      },
    ).map(({ url }) => url);
  const at = { file: 'compose.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const own = { host: '127.0.0.1', port: 18_551, to: 8551, at, because: 'ports publishes it', instead: null };
  const container = { network: null };
  expect(of({})).toEqual(['http://127.0.0.1:8551']);
  expect(of({ container, hops: [portHop(own)] })).toEqual(['http://127.0.0.1:18551']);
  expect(of({ container })).toEqual([]);
});
