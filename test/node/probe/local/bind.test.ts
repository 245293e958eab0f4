/** From the kernel's sockets to the addresses behind a URL. */
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { parseEndpoint } from '../../../../src/jsonrpc/endpoint.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import {
  bindOf,
  boundAddresses,
  isElsewhere,
  localPort,
  portOf,
} from '../../../../src/node/probe/local/bind.js';

const at = (address: string, port = 8551) => ({ address, port });

test.each([
  ['http://127.0.0.1:8551', [at('0.0.0.0')], ['0.0.0.0']],
  ['http://127.0.0.1:8551', [at('::')], ['::']],
  ['http://127.0.0.1:8551', [at('127.0.0.1'), at('192.0.2.1')], ['127.0.0.1']],
  ['ws://[::1]:8551', [at('::1'), at('127.0.0.1')], ['::1']],
  ['http://localhost:8551', [at('::1'), at('127.0.0.1')], ['127.0.0.1', '::1']],
])('%s on %j is bound to %j', (url, sockets, addresses) => {
  expect(bindOf(url, { machine: seen(sockets), node: [] })).toEqual(seen(addresses));
});

test('of the node’s own sockets of that port, those at the address count', () => {
  const node = [at('127.0.0.1'), at('192.0.2.1')];
  const bound = (url: string) => bindOf(url, { machine: seen(node), node });
  expect(bound('http://127.0.0.1:8551')).toEqual(seen(['127.0.0.1']));
  expect(bound('http://127.0.0.2:8551')).toMatchObject({ code: 'not-found' });
});

test('a port without a socket is not found; a port of another machine is not looked for', () => {
  const machine = seen([at('127.0.0.1', 1)]);
  expect(bindOf('http://127.0.0.1:8551', { machine, node: [] })).toMatchObject({ code: 'not-found' });
  expect(bindOf('http://203.0.113.7:8551', { machine, node: [] })).toMatchObject({ code: 'not-applicable' });
  expect(bindOf('http://en.example:8551', { machine, node: [] })).toMatchObject({ code: 'not-applicable' });
});

test('the node’s own sockets count where the machine’s are not seen, of that port alone', () => {
  const machine = notSeen('not-permitted', 'permission denied');
  const url = 'http://0.0.0.0:8551';
  expect(bindOf(url, { machine, node: [at('::1', 1)] })).toEqual(machine);
  expect(bindOf(url, { machine, node: [at('::1', 1), at('::1')] })).toEqual(seen(['::1']));
  expect(bindOf(url, { machine: seen([at('127.0.0.1'), at('::1', 1)]), node: [] })).toEqual(
    seen(['127.0.0.1']),
  );
  const sockets = [at('::'), at('127.0.0.1'), at('::'), at('::1', 1)];
  expect(boundAddresses(url, sockets)).toEqual(['127.0.0.1', '::']);
});

test.each([
  ['http://127.0.0.1:8551', 8551, 8551],
  ['http://127.10.0.123:8551', 8551, 8551],
  ['ws://[::1]', 80, 80],
  ['https://localhost', 443, 443],
  ['wss://127.1.2.3', 443, 443],
  ['http://203.0.113.7:1', 1, null],
  ['http://127.0.0.1.example:1', 1, null],
  ['http://x.127.0.0.1.example:1', 1, null],
])('%s is port %i, of this machine %j', (url, port, local) => {
  expect(portOf(url)).toBe(port);
  const address = parseEndpoint(url);
  expect(localPort(address.endpoint)).toBe(local);
  expect(isElsewhere({ address, source: 'argument' })).toBe(local === null);
  expect(isElsewhere({ address, source: 'conf' })).toBe(false);
});

test('an ipc endpoint has no port and is on this machine', () => {
  const address = parseEndpoint('ipc:/run/klay.ipc');
  expect(localPort(address.endpoint)).toBeNull();
  expect(isElsewhere({ address, source: 'argument' })).toBe(false);
});

test('every address of this machine’s interfaces is local', () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address } of own.filter(({ scopeid }) => !scopeid)) {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:8551`;
    const wildcard = address.includes(':') ? '::' : '0.0.0.0';
    expect(bindOf(url, { machine: seen([at(wildcard)]), node: [] })).toEqual(seen([wildcard]));
  }
});
