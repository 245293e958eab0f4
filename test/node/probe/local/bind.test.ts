/** From the kernel's sockets to the addresses behind a URL. */
import { expect, test } from 'vitest';
import { seen } from '../../../../src/node/facts/seen.js';
import { bindOf } from '../../../../src/node/probe/local/bind.js';

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

test('all of the node’s own sockets of that port count', () => {
  const node = [at('127.0.0.1'), at('192.0.2.1')];
  const bound = bindOf('http://127.0.0.1:8551', { machine: seen(node), node });
  expect(bound).toEqual(seen(['127.0.0.1', '192.0.2.1']));
});

test('nobody’s socket is not found; another machine’s is not asked for', () => {
  const machine = seen([at('127.0.0.1', 1)]);
  expect(bindOf('http://127.0.0.1:8551', { machine, node: [] })).toMatchObject({ code: 'not-found' });
  expect(bindOf('http://203.0.113.7:8551', { machine, node: [] })).toMatchObject({ code: 'not-applicable' });
  expect(bindOf('http://en.example:8551', { machine, node: [] })).toMatchObject({ code: 'not-applicable' });
});
